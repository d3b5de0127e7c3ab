// SQLite's way of saying things (3.35 or newer). Used by sqlite.store.ts; its tables and indexes are in sqlite.ddl.ts.
import type { TableModel } from '../model/model.js';
import type { DatePart } from '../model/query.js';
import type { Bound } from './connection.js';
import type { Bind, Dialect } from './dialect.js';
import * as ddl from './sqlite.ddl.js';

// SQLite refuses LIKE patterns above 50,000 bytes and ends them at a NUL; four bytes per character at most.
const LONGEST_PATTERN = 10_000;
// A phrase this long is selective enough; longer ones only cost time.
const LONGEST_PHRASE = 64;
const PLAIN = /^[ -@[-~]*$/;
const LONG_LIST = 512;
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
  remote: false,
  unlimited: '-1',
  returningId: '',
  readsOwnTable: true,
  dataVersion: 'PRAGMA data_version',
  quote: ddl.quote,
  placeholder: () => '?',

  readsTexts: false,
  contains(column, value, bind) {
    if (value.length > LONGEST_PATTERN || value.includes('\0')) return `instr(${column}, ${bind(value)}) > 0`;
    return `${column} LIKE ${bind(`%${value.replace(/[\\%_]/g, '\\$&')}%`)} ESCAPE '\\'`;
  },

  candidates(table: TableModel, alias: string, column: string, value: string, bind: Bind) {
    const characters = Array.from(value);
    // Shorter than one trigram, or cut at the NUL by the query parser of FTS5.
    if (characters.length < 3 || value.includes('\0')) return undefined;
    const index = ddl.quote(ddl.ftsName(table.name, column));
    const phrase = `"${characters.slice(0, LONGEST_PHRASE).join('').replaceAll('"', '""')}"`;
    const sql = `${alias}."id" IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ${bind(phrase)})`;
    // Consecutive trigrams are a substring. Case is folded beyond what our texts are, so only plain letters are sure.
    return { sql, exact: characters.length <= LONGEST_PHRASE && PLAIN.test(value) };
  },

  differs: (column, value) => `${column} IS NOT ${value}`,

  longList(column: string, values: readonly Bound[], bind: Bind) {
    if (values.length <= LONG_LIST) return undefined;
    return `${column} IN (SELECT value FROM json_each(${bind(JSON.stringify(values))}))`;
  },

  datePart: (part, column) => PARTS[part](column),
  orderBy: (expression, direction) => (direction === 'asc' ? expression : `${expression} DESC`),
  random: () => 'RANDOM()',
  deleteFrom: (table, alias) => `DELETE FROM ${ddl.quote(table)} AS ${alias}`,
  addToCount: (table) =>
    `INSERT INTO ${ddl.quote(table)} ("scope", "n") VALUES (?, ?) ON CONFLICT ("scope") DO UPDATE SET "n" = "n" + excluded."n"`,
  epoch: EPOCH,
  async addToTally(db, table, { name, by, seconds }) {
    const t = ddl.quote(table);
    const sql =
      `INSERT INTO ${t} ("name", "n", "ends") VALUES (?, ?, ${EPOCH} + ?) ON CONFLICT ("name") DO UPDATE SET ` +
      `"n" = CASE WHEN "ends" <= ${EPOCH} THEN excluded."n" ELSE "n" + excluded."n" END, ` +
      `"ends" = CASE WHEN "ends" <= ${EPOCH} THEN excluded."ends" ELSE "ends" END RETURNING "n", "ends" - ${EPOCH}`;
    return (await db.rows(sql, [name, by, seconds]))[0];
  },
  advanceIds: () => undefined,

  entityType: ddl.entityType,
  createTable: ddl.createTable,
  addColumn: ddl.addColumn,
  renameColumn: ddl.renameColumn,
  // Lengths are words without meaning here.
  widenColumn: () => [],
  createIndex: ddl.createIndex,
  dropIndex: ddl.dropIndex,
  inspect: ddl.inspect,
  fits: ddl.fits,

  // The store samples while it writes (sqlite.statistics.ts).
  analyze: () => 'ANALYZE',
  explain: 'EXPLAIN QUERY PLAN',
  // Its own words are short ones already.
  planLines: (rows) => rows.map((row) => String(row.at(-1)).replace(/^SCAN (?!.* USING )/, '! SCAN ')),

  transient: (error) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error)),
  unwritable(error) {
    if (codeOf(error) === 'SQLITE_FULL') return 'full';
    return /^SQLITE_(READONLY|IOERR|CANTOPEN|PERM)/.test(codeOf(error)) ? 'closed' : undefined;
  },
  duplicate(error) {
    if (!/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$/.test(codeOf(error))) return undefined;
    const named = /UNIQUE constraint failed: (.+)$/.exec((error as Error).message)?.[1] ?? '';
    const columns = named.split(', ').map((part) => part.slice(part.indexOf('.') + 1));
    return { table: named.slice(0, Math.max(0, named.indexOf('.'))), columns };
  },
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
