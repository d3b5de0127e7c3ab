// Migration statements of MySQL and MariaDB. Each DDL statement commits, so each leaves a table that a new plan can
// continue from.
import { toBound } from '../sql/bind-value.js';
import { columnText, literal, quote, rowExcess, typeText } from './ddl.js';
import { isDate, isNumber, FORMATS } from '../migrations/date-sql.js';
import type { ColumnChange, LiveShape, MigrationDialect } from '../sql/migration-dialect.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/** True where a whole text has a pattern. `$` would also be found before a line break at the end. */
const matches = (column: string, pattern: string): string => `${column} REGEXP '^(?:${pattern})\\\\z'`;

/** Longest wait of a change of tables for one of them, in seconds. */
export const MAX_WAIT_SECONDS = 600;

/** Limits the wait for a table that other sessions use. */
export const waitForTables = (seconds: number): string => `SET SESSION lock_wait_timeout = ${seconds}`;

/** True where a text is an integer that a number holds exactly. */
const isInteger = (column: string): string =>
  `CASE WHEN ${matches(column, '0|-?[1-9][0-9]{0,15}')} THEN ABS(CAST(${column} AS SIGNED)) <= 9007199254740991 ELSE 0 END`;

/** See `MigrationDialect`. */
export const mysqlMigration: MigrationDialect = {
  tables: `SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' ORDER BY TABLE_NAME`,
  longestName: 64,
  typeText: (table, column) => typeText(table, column),
  literal: (column, value) => literalOf(column, value),
  characters: (column) => `CHAR_LENGTH(${column})`,
  rowExcess,
  mostIndexes: 63,
  sharesIndexNames: false,
  commits: true,
  textOf: (column) => `CAST(${column} AS CHAR)`,
  isInteger,
  numeric: (column) => `(${isInteger(column)} OR ${isNumber(column, matches)})`,
  // STR_TO_DATE accepts days that a month does not have.
  isDate: (column, what) => isDate(column, what, matches, 'SIGNED'),
  hasFormat: (column, what) => matches(column, FORMATS[what]),
  fitsDecimal: (column, { from, to }) => {
    const integerDigits = to.capacity - (to.scale ?? 0);
    const fraction = to.scale ? `([.][0-9]{1,${to.scale}})?` : '';
    if (from.family === 'text')
      return matches(column, `-?${integerDigits ? `[0-9]{1,${integerDigits}}` : '0'}${fraction}`);
    const large = `ABS(${column}) < 1${'0'.repeat(integerDigits)}`;
    return `(${large} AND ROUND(${column}, ${to.scale ?? 0}) = ${column})`;
  },
  change: (table, live, changes) => changes.map((change) => changeColumn(table, live, change)),
  lockProbe: {
    indexesBlockReads: true,
    lock: (tables) => [waitForTables(1), `LOCK TABLES ${tables.map((table) => `${quote(table)} WRITE`).join(', ')}`],
    unlock: ['UNLOCK TABLES', waitForTables(MAX_WAIT_SECONDS)],
  },
  // Otherwise the indexes would lose the column, and unique indexes their meaning.
  dropColumn: (live, column) => [
    ...[...live.indexes]
      .filter(([name, { columns }]) => name !== 'PRIMARY' && columns.includes(column))
      .map(([name]) => `DROP INDEX ${quote(name)} ON ${quote(live.name)}`),
    `ALTER TABLE ${quote(live.name)} DROP COLUMN ${quote(column)}`,
  ],
  // The number has to be part of the statement. A lower one than the highest id has no effect.
  advance: (table, from) => [
    `SET @next_id = (SELECT COALESCE(MAX(AUTO_INCREMENT), 1) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${literal(table)}, ${literal(from)}))`,
    `SET @advance = CONCAT(${literal(`ALTER TABLE ${quote(table)} AUTO_INCREMENT = `)}, @next_id)`,
    'PREPARE advance FROM @advance',
    'EXECUTE advance',
    'DEALLOCATE PREPARE advance',
  ],
  dropTable: (live) => [`DROP TABLE ${quote(live.name)}`],
};

function literalOf(column: ColumnModel, value: unknown): string {
  const bound = toBound(value, column);
  return typeof bound === 'string' && column.kind !== 'decimal' ? literal(bound) : String(bound);
}

function changeColumn(
  table: TableModel,
  live: LiveShape,
  { column, live: field, form, nullable, fill }: ColumnChange,
): string[] {
  const [name, own] = [quote(live.name), quote(column.name)];
  if (!field) {
    const add = `ALTER TABLE ${name} ADD COLUMN ${columnText(table, { ...column, default: null, nullable })}`;
    const modify = `ALTER TABLE ${name} MODIFY COLUMN ${columnText(table, { ...column, nullable })}`;
    return fill === undefined ? [add] : [`${add} DEFAULT (${fill})`, modify];
  }
  const filled = fill === undefined ? [] : [`UPDATE ${name} SET ${own} = ${fill} WHERE ${own} IS NULL`];
  // Without a change of type the column keeps the type that it has, which may be wider than the schema wants.
  const type = form ? typeText(table, column) : field.type;
  return [...filled, `ALTER TABLE ${name} MODIFY COLUMN ${columnText(table, { ...column, nullable }, type)}`];
}
