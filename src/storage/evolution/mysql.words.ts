// Evolution in MySQL's and MariaDB's words; each DDL statement commits, so each leaves a table that the next plan understands. Used through words.ts.
import type { ColumnModel, TableModel } from '../../model/model.js';
import { toBound } from '../binding.js';
import { columnText, literal, quote, typeText } from '../mysql.ddl.js';
import type { LiveShape } from './live-schema.js';
import { dated } from './dated.js';
import type { ColumnChange, Words } from './words.js';

/** See `Words`. */
export const mysqlWords: Words = {
  tables: `SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' ORDER BY TABLE_NAME`,
  typeText: (table, column) => typeText(table, column),
  literal: (column, value) => literalOf(column, value),
  characters: (column) => `CHAR_LENGTH(${column})`,
  commits: true,
  textOf: (column) => `CAST(${column} AS CHAR)`,
  whole: (column) =>
    `CASE WHEN ${column} REGEXP '^(0|-?[1-9][0-9]{0,15})$' THEN ABS(CAST(${column} AS SIGNED)) <= 9007199254740991 ELSE 0 END`,
  // STR_TO_DATE takes days that no month has.
  numeric: (column) => `${column} REGEXP '^(0|-?[1-9][0-9]{0,7})([.][0-9]{0,6}[1-9])?$'`,
  dated: (column, what) => dated(column, what, 'REGEXP', 'SIGNED'),
  change: (table, live, changes) => changes.map((change) => changed(table, live, change)),
  // Left alone, indexes lose the column, and unique ones their sense.
  dropColumn: (live, column) => [
    ...[...live.indexes]
      .filter(([name, { columns }]) => name !== 'PRIMARY' && columns.includes(column))
      .map(([name]) => `DROP INDEX ${quote(name)} ON ${quote(live.name)}`),
    `ALTER TABLE ${quote(live.name)} DROP COLUMN ${quote(column)}`,
  ],
  dropTable: (live) => [`DROP TABLE ${quote(live.name)}`],
};

function literalOf(column: ColumnModel, value: unknown): string {
  const bound = toBound(value, column);
  return typeof bound === 'string' ? literal(bound) : String(bound);
}

function changed(table: TableModel, live: LiveShape, { column, live: field, nullable, fill }: ColumnChange): string[] {
  const [name, own] = [quote(live.name), quote(column.name)];
  if (!field) {
    const add = `ALTER TABLE ${name} ADD COLUMN ${columnText(table, { ...column, default: null, nullable })}`;
    const settled = `ALTER TABLE ${name} MODIFY COLUMN ${columnText(table, { ...column, nullable })}`;
    return fill === undefined ? [add] : [`${add} DEFAULT (${fill})`, settled];
  }
  const filled = fill === undefined ? [] : [`UPDATE ${name} SET ${own} = ${fill} WHERE ${own} IS NULL`];
  if (!table.columns.has(column.name)) return [`ALTER TABLE ${name} MODIFY COLUMN ${own} ${field.type} NULL`];
  return [...filled, `ALTER TABLE ${name} MODIFY COLUMN ${columnText(table, { ...column, nullable })}`];
}
