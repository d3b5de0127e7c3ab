// The SQL dialect of PostgreSQL (13 or newer).
import type { DatePart } from '../../model/query.js';
import type { Bound } from '../sql/connection.js';
import type { Bind, Dialect } from '../sql/dialect.js';
import { rateWindowOver } from '../sql/rate-counters.js';
import * as ddl from './ddl.js';
import { TRIGRAM_CLASS } from './ddl.js';
import { inspect } from './introspection.js';
import { postgresMigration } from './migration.js';
import { duplicateOf, isLost, isTransient, isUnencodable, isUnsuited, unwritableReason } from './errors.js';
import { planLines } from './explain-plan.js';
import { DATA_VERSION } from '../sql/data-version.js';
import { type LockDialect, SITE } from '../sql/locks.js';
import type { TableModel } from '../../model/table.js';

const EPOCH = 'CAST(extract(epoch FROM statement_timestamp()) AS bigint)';
const MAX_INLINE_LIST = 512;
/** Merges the pending lists of trigram (GIN) indexes, which every search has to read. */
const CLEAN_PENDING =
  'SELECT gin_clean_pending_list(i.oid) FROM pg_class i JOIN pg_am a ON a.oid = i.relam ' +
  "WHERE a.amname = 'gin' AND i.relnamespace = current_schema()::regnamespace AND pg_has_role(i.relowner, 'USAGE')";

// NULL for an empty text, where a cast would fail.
const number = (column: string, from: number, length: number): string =>
  `CAST(NULLIF(substr(${column}, ${from}, ${length}), '') AS integer)`;
const time = (column: string): string => `CAST(NULLIF(${column}, '') AS timestamp)`;
const extract = (part: string, column: string): string => `CAST(extract(${part} FROM ${time(column)}) AS integer)`;

const PARTS: Record<DatePart, (column: string) => string> = {
  year: (c) => number(c, 1, 4),
  month: (c) => number(c, 6, 2),
  day: (c) => number(c, 9, 2),
  hour: (c) => number(c, 12, 2),
  minute: (c) => number(c, 15, 2),
  second: (c) => number(c, 18, 2),
  dayOfYear: (c) => extract('doy', c),
  weekday: (c) => `(${extract('dow', c)} + 1)`,
  // Mondays so far this year; a year that starts Tuesday to Thursday has its first week before the first Monday.
  week: (c) =>
    `((${extract('doy', c)} + 7 - ${extract('isodow', c)}) / 7 + CASE WHEN extract(isodow FROM date_trunc('year', ${time(c)})) IN (2, 3, 4) THEN 1 ELSE 0 END)`,
};

/** The dialect of a server; `trigrams`: the operator class of trigram indexes, if the extension pg_trgm is available. */
export function postgresDialect(
  tables: ReadonlyMap<string, TableModel>,
  trigrams: string | null = TRIGRAM_CLASS,
): Dialect {
  return {
    name: 'postgres',
    migration: postgresMigration,
    remote: true,
    unlimited: 'ALL',
    returningId: ' RETURNING "id"',
    readsOwnTable: true,
    dataVersion: DATA_VERSION,
    quote: ddl.quote,
    placeholder: (position) => `$${position}`,

    tuples: true,
    ending: (column, length) => `RIGHT(${column}, ${length})`,
    contains: (column, value, bind) => `${column} LIKE ${bind(`%${value.replace(/[!%_]/g, '!$&')}%`)} ESCAPE '!'`,
    // The planner uses the trigram index for LIKE by itself.
    candidates: () => undefined,
    differs: (column, value) => `${column} IS DISTINCT FROM ${value}`,
    fails: (condition) => `(${condition}) IS NOT TRUE`,
    decimal: {
      read: (column) => `CAST(${column} AS text)`,
      value: (text, _column, bind) => `CAST(${bind(text)} AS numeric)`,
    },
    sum: { of: (column) => `CAST(SUM(${column}) AS text)`, text: (sum) => sum },
    longList,
    datePart: (part, column) => PARTS[part](column),
    orderBy(expression, direction, nullable) {
      const nulls = nullable ? ` NULLS ${direction === 'asc' ? 'FIRST' : 'LAST'}` : '';
      return `${expression}${direction === 'asc' ? '' : ' DESC'}${nulls}`;
    },
    random: () => 'RANDOM()',
    joined: (value, from, order) => `SELECT string_agg(${value}::text, ',' ${order}) ${from}`,
    deleteFrom: (table, alias) => `DELETE FROM ${ddl.quote(table)} AS ${alias}`,
    addTo(table, columns, rows) {
      const [key, n] = [ddl.quote(columns[0]!), ddl.quote(columns.at(-1)!)];
      const tuple = (row: number) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join(', ')})`;
      const tuples = Array.from({ length: rows }, (_, row) => tuple(row)).join(', ');
      const head = `INSERT INTO ${ddl.quote(table)} (${columns.map(ddl.quote).join(', ')}) VALUES ${tuples}`;
      return `${head} ON CONFLICT (${key}) DO UPDATE SET ${n} = ${ddl.quote(table)}.${n} + excluded.${n}`;
    },
    locks: LOCKING,
    epoch: EPOCH,
    async addToRateCounter(db, table, { name, by, seconds }) {
      const t = ddl.quote(table);
      const over = rateWindowOver(`${t}."ends"`, 'excluded."ends"', EPOCH);
      const sql =
        `INSERT INTO ${t} ("name", "n", "ends") VALUES ($1, $2, ${EPOCH} + $3) ON CONFLICT ("name") DO UPDATE SET ` +
        `"n" = CASE WHEN ${over} THEN excluded."n" ELSE ${t}."n" + excluded."n" END, ` +
        `"ends" = CASE WHEN ${over} THEN excluded."ends" ELSE ${t}."ends" END RETURNING "n", "ends" - ${EPOCH}`;
      return (await db.rows(sql, [name, by, seconds]))[0];
    },
    advanceIds,

    columnType: (_table, column) => ddl.columnType(column),
    createTable: ddl.createTable,
    addColumn: ddl.addColumn,
    renameColumn: ddl.renameColumn,
    createIndex: (table, index) => ddl.createIndex(table, index, trigrams),
    dropIndex: ddl.dropIndex,
    isPlainIndex: ddl.isPlainIndex,
    indexedPrefix: ddl.indexedPrefix,
    inspect: (table, read) => inspect(table, read, trigrams !== null),

    analyze: (names) => `ANALYZE ${names.map(ddl.quote).join(', ')}; ${CLEAN_PENDING}`,
    bulk: "SET LOCAL gin_pending_list_limit = '64MB'; SET LOCAL work_mem = '64MB'",
    sendsAhead: true,
    mergeEntries: CLEAN_PENDING,
    staleTables:
      "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' " +
      'AND (pg_relation_size(oid) > CASE WHEN reltuples < 0 THEN 0 ELSE 32768::bigint * GREATEST(relpages, 8) END ' +
      'OR (relpages > 64 AND 4::bigint * relallvisible < relpages))',
    isLimitInText: (limit) => limit % 10 === 0 && limit > 0 && limit <= 100,
    vacuum: (name) => `VACUUM (SKIP_LOCKED, PARALLEL 0) ${ddl.quote(name)}`,
    explain: 'EXPLAIN (FORMAT JSON)',
    planLines,

    isLost,

    isTransient,
    unwritableReason,
    isUnencodable,
    isUnsuited,
    duplicateOf: (error) => duplicateOf(error, tables),
  };
}

/**
 * Advisory locks end with their transaction and, unlike row locks, are granted in the order of the requests: a
 * transaction that runs alone gets its turn among many others.
 */
const LOCKING: LockDialect = {
  slots: 2 ** 30,
  sideBySide: true,
  take: (shared, exclusive) => {
    const wanted = [...shared.map((slot) => [slot, 'true']), ...exclusive.map((slot) => [slot, 'false'])];
    const list = (at: number) => `{${wanted.map((each) => each[at]).join(',')}}`;
    return [{ sql: TAKE_LOCKS, params: [list(0), list(1)] }];
  },
  alone: () => ({ sql: TAKE_LOCKS, params: [`{${SITE}}`, '{false}'] }),
};

/** First key of the locks: arbitrary, but the same in all processes. */
const LOCK_CLASS = 7_238_202;

const TAKE_LOCKS =
  `SELECT CASE WHEN shared THEN pg_advisory_xact_lock_shared(${LOCK_CLASS}, slot) ELSE pg_advisory_xact_lock(${LOCK_CLASS}, slot) END ` +
  'FROM unnest(CAST($1 AS int[]), CAST($2 AS boolean[])) AS wanted (slot, shared)';

function longList(column: string, values: readonly Bound[], bind: Bind): string | undefined {
  if (values.length <= MAX_INLINE_LIST) return undefined;
  const texts = values.some((value) => typeof value === 'string');
  const type = texts ? 'text' : values.every(Number.isInteger) ? 'bigint' : 'double precision';
  const elements = values.map((value) => (texts ? `"${String(value).replace(/["\\]/g, '\\$&')}"` : String(value)));
  return `${column} = ANY(CAST(${bind(`{${elements.join(',')}}`)} AS ${type}[]))`;
}

// Sequences do not advance when ids are given explicitly.
function advanceIds(table: string, highest: number): { sql: string; params: Bound[] } {
  const sequence = `SELECT CAST(pg_get_serial_sequence($1, 'id') AS regclass) AS name`;
  return {
    sql: `SELECT setval(s.name, GREATEST(CAST($2 AS bigint), pg_sequence_last_value(s.name))) FROM (${sequence}) AS s`,
    params: [ddl.quote(table), highest],
  };
}
