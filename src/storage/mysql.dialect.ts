// MySQL's (8.0) and MariaDB's (10.6) way of saying things. Made by mysql.store.ts; tables and indexes are in mysql.ddl.ts.
import type { TableModel } from '../model/model.js';
import type { DatePart } from '../model/query.js';
import type { Bound, Connection } from './connection.js';
import type { Addition, Bind, Dialect } from './dialect.js';
import * as ddl from './mysql.ddl.js';
import { DATA_VERSION } from './server-state.js';
import { duplicateOf, isTransient, whyUnwritable } from './mysql.errors.js';
import { planLines } from './mysql.plan.js';
import { lookAt } from './tallies.js';

const EPOCH = 'UNIX_TIMESTAMP()';
const LONG_LIST = 2_048;
const LONGEST_ELEMENT = 1_000;

// An empty text is no date: NULL, rather than a warning that an UPDATE would take for an error.
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

/** The dialect of a server whose binary collation without padding is `collation`. */
export function mysqlDialect(tables: ReadonlyMap<string, TableModel>, collation = 'utf8mb4_nopad_bin'): Dialect {
  return {
    name: 'mysql',
    remote: true,
    unlimited: '18446744073709551615',
    returningId: '',
    readsOwnTable: false,
    dataVersion: DATA_VERSION,
    quote: ddl.quote,
    placeholder: () => '?',

    // Bytes: texts are valid UTF-8, where a part of the bytes is a part of the text. LIKE takes three times as long.
    contains: (column, value, bind) => `LOCATE(CAST(${bind(value)} AS BINARY), CAST(${column} AS BINARY)) > 0`,
    // MariaDB has no index that answers for every substring.
    candidates: () => undefined,
    readsTexts: true,
    differs: (column, value) => `NOT (${column} <=> ${value})`,
    longList: (column, values, bind) => longList(column, values, bind, collation),
    datePart: (part, column) => PARTS[part](column),
    orderBy: (expression, direction) => (direction === 'asc' ? expression : `${expression} DESC`),
    random: () => 'RAND()',
    deleteFrom: (table, alias) => `DELETE ${alias} FROM ${ddl.quote(table)} AS ${alias}`,
    addToCount: (table) =>
      `INSERT INTO ${ddl.quote(table)} (\`scope\`, \`n\`) VALUES (?, ?) ON DUPLICATE KEY UPDATE \`n\` = \`n\` + VALUES(\`n\`)`,
    epoch: EPOCH,
    addToTally,
    advanceIds: () => undefined,

    entityType: ddl.entityType,
    createTable: (table) => ddl.createTable(table, collation),
    addColumn: ddl.addColumn,
    renameColumn: ddl.renameColumn,
    widenColumn: ddl.widenColumn,
    createIndex: ddl.createIndex,
    dropIndex: ddl.dropIndex,
    inspect: ddl.inspect,
    fits: ddl.fits,

    analyze: (names) => `ANALYZE TABLE ${names.map(ddl.quote).join(', ')}`,
    explain: 'EXPLAIN',
    planLines,

    transient: isTransient,
    unwritable: whyUnwritable,
    duplicate: (error, sql) => duplicateOf(error, sql, tables),
  };
}

// Where no INSERT returns a row, the number comes back as if it were an id; its end stands still meanwhile.
async function addToTally(
  db: Connection,
  table: string,
  { name, by, seconds }: Addition,
): Promise<Bound[] | undefined> {
  const over = `\`ends\` <= ${EPOCH}`;
  const { id } = await db.run(
    `INSERT INTO ${ddl.quote(table)} (\`name\`, \`n\`, \`ends\`) VALUES (?, LAST_INSERT_ID(?), ${EPOCH} + ?) ON DUPLICATE KEY UPDATE ` +
      `\`n\` = LAST_INSERT_ID(IF(${over}, ?, \`n\` + ?)), \`ends\` = IF(${over}, VALUES(\`ends\`), \`ends\`)`,
    [name, by, seconds, by, by],
  );
  const [row] = await db.rows(lookAt({ quote: ddl.quote, epoch: EPOCH, placeholder: () => '?' }, table), [name]);
  // Not every engine that speaks MySQL tells.
  return [id > 0 ? id : (row?.[0] ?? by), row?.[1] ?? seconds];
}

function longList(column: string, values: readonly Bound[], bind: Bind, collation: string): string | undefined {
  if (values.length <= LONG_LIST) return undefined;
  const texts = values.some((value) => typeof value === 'string');
  if (texts && values.some((value) => String(value).length > LONGEST_ELEMENT)) return undefined;
  const type = texts ? `VARCHAR(${LONGEST_ELEMENT})` : values.every(Number.isInteger) ? 'BIGINT' : 'DOUBLE';
  // Texts out of a JSON document have the collation of the connection, which MySQL refuses to compare with ours.
  const v = texts ? `v COLLATE ${collation}` : 'v';
  return `${column} IN (SELECT ${v} FROM JSON_TABLE(${bind(JSON.stringify(values))}, '$[*]' COLUMNS (v ${type} PATH '$')) AS j)`;
}
