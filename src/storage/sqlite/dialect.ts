// The SQL dialect of SQLite (3.35 or newer).
import { decimalText } from '../../model/functions/decimal.js';
import type { DatePart } from '../../model/query.js';
import type { Bound } from '../sql/connection.js';
import type { Bind, Dialect } from '../sql/dialect.js';
import { rateWindowOver } from '../sql/rate-counters.js';
import * as ddl from './ddl.js';
import { columnType, decimalText as decimalSql, quote } from './column-ddl.js';
import { ftsName, searchedText } from './fulltext-ddl.js';
import { errorCode, isUnsuited } from './errors.js';
import { sqliteMigration } from './migration.js';
import type { TableModel } from '../../model/table.js';

// LIKE restarts at every occurrence of the first character: its worst case is the product of both lengths, and it ends
// patterns at NUL; U+FFFE and U+FFFF are U+FFFD to it. For short texts it is faster than instr(), which compares blocks of
// memory.
const MAX_LIKE_CHARACTERS = 8;
const NOT_FOR_LIKE = /[\0\ufffd-\uffff]/;
const TRIGRAM = 3;
// Most trigrams of a query; more are hardly more selective and only cost time.
const MAX_TRIGRAMS = 24;
// Texts that match exactly even where trigram tables fold case, in files that are not migrated yet: ASCII without
// capitals.
const PLAIN = /^[ -@[-~]*$/;
const MAX_INLINE_LIST = 512;
/** Splits integers into two parts to be summed. */
const PART = 1_000_000_000;
const EPOCH = `CAST(strftime('%s', 'now') AS INTEGER)`;

const PARTS: Record<DatePart, (column: string) => string> = {
  year: (c) => `CAST(substr(${c}, 1, 4) AS INTEGER)`,
  month: (c) => `CAST(substr(${c}, 6, 2) AS INTEGER)`,
  day: (c) => `CAST(substr(${c}, 9, 2) AS INTEGER)`,
  hour: (c) => `CAST(substr(${c}, 12, 2) AS INTEGER)`,
  minute: (c) => `CAST(substr(${c}, 15, 2) AS INTEGER)`,
  second: (c) => `CAST(substr(${c}, 18, 2) AS INTEGER)`,
  dayOfYear: (c) => `CAST(strftime('%j', ${c}) AS INTEGER)`,
  weekday: (c) => `(CAST(strftime('%w', ${c}) AS INTEGER) + 1)`,
  // %W counts Mondays; a year that starts Tuesday to Thursday has its first week before the first Monday.
  week: (c) => `(CAST(strftime('%W', ${c}) AS INTEGER) + (strftime('%w', ${c}, 'start of year') IN ('2', '3', '4')))`,
};

/** The SQLite dialect. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  migration: sqliteMigration,
  remote: false,
  unlimited: '-1',
  returningId: '',
  readsOwnTable: true,
  dataVersion: 'PRAGMA data_version',
  // Another text: the other one is read once for a turn of the event loop (reads.ts).
  dataVersionNow: 'PRAGMA main.data_version',
  quote,
  placeholder: () => '?',

  tuples: true,
  ending: (column, length) => `SUBSTR(${column}, -${length})`,
  contains(column, value, bind) {
    if (value.length > MAX_LIKE_CHARACTERS || NOT_FOR_LIKE.test(value)) return `instr(${column}, ${bind(value)}) > 0`;
    return `${column} LIKE ${bind(`%${value.replace(/[\\%_]/g, '\\$&')}%`)} ESCAPE '\\'`;
  },

  candidates(table: TableModel, alias: string, column: string, value: string, bind: Bind) {
    const characters = Array.from(value);
    // Shorter than one trigram, or truncated at NUL by FTS5's query parser.
    if (characters.length < TRIGRAM || value.includes('\0')) return undefined;
    const index = quote(ftsName(table.name, column));
    const trigrams = trigramsOf(characters).map((trigram) => `"${trigram.replaceAll('"', '""')}"`);
    const sql = `${alias}."id" IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ${bind(trigrams.join(' AND '))})`;
    return { sql, exact: characters.length === TRIGRAM && PLAIN.test(value) };
  },

  searched: (table, index, alias) => searchedText(table, index, alias),
  differs: (column, value) => `${column} IS NOT ${value}`,
  // TRUE would be a column of that name, where the table has one.
  fails: (condition) => `(${condition}) IS NOT 1`,

  // Integers in units of the last digit: doubles would not be exact.
  decimal: {
    read: decimalSql,
    value: (text, _column, bind) => `CAST(${bind(text.replace('.', ''))} AS INTEGER)`,
  },

  // In two parts: a sum of whole numbers beyond 64 bits is an error.
  sum: {
    of: (column) => `SUM(${column} / ${PART}) || ' ' || SUM(${column} % ${PART})`,
    text(sum, scale) {
      const [high, low] = sum.split(' ') as [string, string];
      return decimalText(BigInt(high) * BigInt(PART) + BigInt(low), scale);
    },
  },

  longList(column: string, values: readonly Bound[], bind: Bind) {
    if (values.length <= MAX_INLINE_LIST) return undefined;
    return `${column} IN (SELECT value FROM json_each(${bind(JSON.stringify(values))}))`;
  },

  datePart: (part, column) => PARTS[part](column),
  orderBy: (expression, direction) => (direction === 'asc' ? expression : `${expression} DESC`),
  random: () => 'RANDOM()',
  joined: (value, from, order) => `SELECT group_concat(v) FROM (SELECT ${value} AS v ${from} ${order})`,
  deleteFrom: (table, alias) => `DELETE FROM ${quote(table)} AS ${alias}`,
  addTo(table, columns, rows) {
    const [key, n] = [quote(columns[0]!), quote(columns.at(-1)!)];
    const tuple = `(${columns.map(() => '?').join(', ')})`;
    const head = `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES ${Array<string>(rows).fill(tuple).join(', ')}`;
    return `${head} ON CONFLICT (${key}) DO UPDATE SET ${n} = ${n} + excluded.${n}`;
  },
  epoch: EPOCH,
  async addToRateCounter(db, table, { name, by, seconds }) {
    const t = quote(table);
    const over = rateWindowOver('"ends"', 'excluded."ends"', EPOCH);
    const sql =
      `INSERT INTO ${t} ("name", "n", "ends") VALUES (?, ?, ${EPOCH} + ?) ON CONFLICT ("name") DO UPDATE SET ` +
      `"n" = CASE WHEN ${over} THEN excluded."n" ELSE "n" + excluded."n" END, ` +
      `"ends" = CASE WHEN ${over} THEN excluded."ends" ELSE "ends" END RETURNING "n", "ends" - ${EPOCH}`;
    return (await db.rows(sql, [name, by, seconds]))[0];
  },
  advanceIds: () => undefined,

  columnType: (_table, column) => columnType(column),
  createTable: ddl.createTable,
  addColumn: ddl.addColumn,
  renameColumn: ddl.renameColumn,
  // Lengths have no effect in SQLite.
  createIndex: ddl.createIndex,
  dropIndex: ddl.dropIndex,
  isPlainIndex: (_table, index) => !index.fulltext,
  inspect: ddl.inspect,

  sendsAhead: true,
  // The store samples incrementally while it writes (statistics.ts).
  analyze: () => 'ANALYZE',
  explain: 'EXPLAIN QUERY PLAN',
  // SQLite's own plan lines are short already.
  planLines: (rows) => rows.map((row) => String(row.at(-1)).replace(/^SCAN (?!.* USING )/, '! SCAN ')),

  isLost: () => false,
  isTransient: (error) => /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error)),
  unwritableReason(error) {
    if (errorCode(error) === 'SQLITE_FULL') return 'full';
    return /^SQLITE_(READONLY|IOERR|CANTOPEN|PERM)/.test(errorCode(error)) ? 'closed' : undefined;
  },
  isUnsuited,
  duplicateOf(error) {
    if (!/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$/.test(errorCode(error))) return undefined;
    const named = /UNIQUE constraint failed: (.+)$/.exec((error as Error).message)?.[1] ?? '';
    const columns = named.split(', ').map((part) => part.slice(part.indexOf('.') + 1));
    return { table: named.slice(0, Math.max(0, named.indexOf('.'))), columns };
  },
};

/** The distinct trigrams of a text; of many, a sample from all of it. */
function trigramsOf(characters: readonly string[]): string[] {
  const all = new Set<string>();
  for (let at = 0; at + TRIGRAM <= characters.length; at++) all.add(characters.slice(at, at + TRIGRAM).join(''));
  const step = all.size / Math.min(all.size, MAX_TRIGRAMS);
  const found = [...all];
  return Array.from({ length: Math.min(all.size, MAX_TRIGRAMS) }, (_, n) => found[Math.floor(n * step)]!);
}
