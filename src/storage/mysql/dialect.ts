// The SQL dialect of MySQL and MariaDB.
import { MAX_PRECISION } from '../../model/functions/decimal.js';
import type { DatePart } from '../../model/query.js';
import type { Bound, Connection } from '../sql/connection.js';
import type { Addition, Bind, Dialect } from '../sql/dialect.js';
import * as ddl from './ddl.js';
import { mysqlMigration } from './migration.js';
import { DATA_VERSION } from '../sql/data-version.js';
import { rowLocks } from '../sql/locks.js';
import { duplicateOf, isLost, isTransient, isUnsuited, unwritableReason } from './errors.js';
import { planLines } from './explain-plan.js';
import { rateWindowOver, selectCounter } from '../sql/rate-counters.js';
import type { TableModel } from '../../model/table.js';

const EPOCH = 'UNIX_TIMESTAMP()';
const MAX_INLINE_LIST = 2_048;
const MAX_ELEMENT_CHARACTERS = 1_000;
/** Longest text of a decimal: all its digits, a sign, a 0 before the point and the point. */
const DECIMAL_CHARACTERS = MAX_PRECISION + 3;

// NULL for an empty text: an invalid date is a warning in SELECT but an error in UPDATE.
const number = (column: string, from: number, length: number): string =>
  `CAST(NULLIF(SUBSTRING(${column}, ${from}, ${length}), '') AS SIGNED)`;

const PARTS: Record<DatePart, (column: string) => string> = {
  year: (c) => number(c, 1, 4),
  month: (c) => number(c, 6, 2),
  day: (c) => number(c, 9, 2),
  hour: (c) => number(c, 12, 2),
  minute: (c) => number(c, 15, 2),
  second: (c) => number(c, 18, 2),
  dayOfYear: (c) => `DAYOFYEAR(NULLIF(${c}, ''))`,
  weekday: (c) => `DAYOFWEEK(NULLIF(${c}, ''))`,
  week: (c) => `WEEK(NULLIF(${c}, ''), 1)`,
};

/**
 * The dialect of a server; `collation` is its binary collation without padding, `sideBySide` whether its row locks hold
 * for every writer.
 */
export function mysqlDialect(
  tables: ReadonlyMap<string, TableModel>,
  collation = 'utf8mb4_nopad_bin',
  sideBySide = true,
): Dialect {
  return {
    name: 'mysql',
    migration: mysqlMigration,
    remote: true,
    unlimited: '18446744073709551615',
    returningId: '',
    readsOwnTable: false,
    dataVersion: DATA_VERSION,
    quote: ddl.quote,
    placeholder: () => '?',

    // MySQL does not use row comparisons for range access.
    tuples: false,
    ending: (column, length) => `RIGHT(${column}, ${length})`,
    // Compared as bytes, which is correct for valid UTF-8 and three times as fast as LIKE.
    contains: (column, value, bind) => `LOCATE(CAST(${bind(value)} AS BINARY), CAST(${column} AS BINARY)) > 0`,
    // MariaDB has no substring index.
    candidates: () => undefined,
    differs: (column, value) => `NOT (${column} <=> ${value})`,
    fails: (condition) => `(${condition}) IS NOT TRUE`,
    // Compared with a string, a decimal would be converted to a double.
    decimal: {
      // The length is explicit because MariaDB does not count the 0 before the point: a temporary table would lose the
      // last digit of -0.1.
      read: (column) => `CAST(${column} AS CHAR(${DECIMAL_CHARACTERS}))`,
      value: (text, column, bind) => `CAST(${bind(text)} AS ${ddl.decimalType(column)})`,
    },
    sum: { of: (column) => `CAST(SUM(${column}) AS CHAR)`, text: (sum) => sum },
    longList: (column, values, bind) => longList(column, values, bind, collation),
    datePart: (part, column) => PARTS[part](column),
    joinInOrder: 'STRAIGHT_JOIN',
    useIndex: (table, index) =>
      ddl.hasNoPrefixes(table, index) ? ` FORCE INDEX (${ddl.quote(index.name)})` : undefined,
    orderBy: (expression, direction) => (direction === 'asc' ? expression : `${expression} DESC`),
    random: () => 'RAND()',
    joined: (value, from, order) => `SELECT GROUP_CONCAT(${value} ${order}) ${from}`,
    deleteFrom: (table, alias) => `DELETE ${alias} FROM ${ddl.quote(table)} AS ${alias}`,
    addTo(table, columns, rows) {
      const [names, n] = [columns.map(ddl.quote).join(', '), ddl.quote(columns.at(-1)!)];
      const tuple = `(${columns.map(() => '?').join(', ')})`;
      const tuples = Array<string>(rows).fill(tuple).join(', ');
      return `INSERT INTO ${ddl.quote(table)} (${names}) VALUES ${tuples} ON DUPLICATE KEY UPDATE ${n} = ${n} + VALUES(${n})`;
    },
    locks: rowLocks(ddl.quote, sideBySide, ' FORCE INDEX (PRIMARY)'),
    epoch: EPOCH,
    addToRateCounter: addToRateCounter,
    advanceIds: () => undefined,

    columnType: ddl.columnType,
    createTable: (table) => ddl.createTable(table, collation),
    addColumn: ddl.addColumn,
    renameColumn: ddl.renameColumn,
    createIndex: ddl.createIndex,
    dropIndex: ddl.dropIndex,
    isPlainIndex: (_table, index) => !index.fulltext,
    inspect: ddl.inspect,

    analyze: (names) => `ANALYZE TABLE ${names.map(ddl.quote).join(', ')}`,
    explain: 'EXPLAIN FORMAT=TRADITIONAL',
    planLines,

    isLost,

    isTransient,
    unwritableReason,
    isUnsuited,
    duplicateOf: (error, sql) => duplicateOf(error, sql, tables),
  };
}

// Without RETURNING, the count is returned as the insert id; `ends` can be read separately, because the window does not
// change.
async function addToRateCounter(
  db: Connection,
  table: string,
  { name, by, seconds }: Addition,
): Promise<Bound[] | undefined> {
  const over = rateWindowOver('`ends`', 'VALUES(`ends`)', EPOCH);
  const { id } = await db.run(
    `INSERT INTO ${ddl.quote(table)} (\`name\`, \`n\`, \`ends\`) VALUES (?, LAST_INSERT_ID(?), ${EPOCH} + ?) ON DUPLICATE KEY UPDATE ` +
      `\`n\` = LAST_INSERT_ID(IF(${over}, ?, \`n\` + ?)), \`ends\` = IF(${over}, VALUES(\`ends\`), \`ends\`)`,
    [name, by, seconds, by, by],
  );
  const [row] = await db.rows(selectCounter({ quote: ddl.quote, epoch: EPOCH, placeholder: () => '?' }, table), [name]);
  // Not every MySQL-compatible server returns the insert id.
  return [id > 0 ? id : (row?.[0] ?? by), row?.[1] ?? seconds];
}

function longList(column: string, values: readonly Bound[], bind: Bind, collation: string): string | undefined {
  if (values.length <= MAX_INLINE_LIST) return undefined;
  const texts = values.some((value) => typeof value === 'string');
  if (texts && values.some((value) => String(value).length > MAX_ELEMENT_CHARACTERS)) return undefined;
  const type = texts ? `VARCHAR(${MAX_ELEMENT_CHARACTERS})` : values.every(Number.isInteger) ? 'BIGINT' : 'DOUBLE';
  // Texts from JSON_TABLE have the collation of the connection, which MySQL refuses to compare with other collations.
  const v = texts ? `v COLLATE ${collation}` : 'v';
  return `${column} IN (SELECT ${v} FROM JSON_TABLE(${bind(JSON.stringify(values))}, '$[*]' COLUMNS (v ${type} PATH '$')) AS j)`;
}
