// Tables, columns and indexes in MySQL's and MariaDB's words, and what a database already has. The half of mysql.dialect.ts that runs at boot.
import type { ColumnModel, IndexModel, TableModel } from '../model/model.js';
import { toBound } from './binding.js';
import type { Bound } from './connection.js';
import type { EntityColumnType, LiveColumn, LiveTable } from './dialect.js';
import { charactersOf, indexPrefixes } from './index-prefix.js';

/** Longest key of InnoDB, in bytes. */
const LONGEST_KEY = 3072;
/** Longest row without its texts is 65,535 bytes; some stay free. */
const LONGEST_ROW = 60_000;
/** Longer strings that no index needs are kept as texts, beside the row. */
const SHORT = 255;

const quoted = new Map<string, string>();

/** A quoted identifier. Names are those of the models, so few that each is kept. */
export function quote(name: string): string {
  let known = quoted.get(name);
  if (known === undefined) quoted.set(name, (known = `\`${name.replaceAll('`', '``')}\``));
  return known;
}

/** A quoted text. Backslashes escape in MySQL's literals. */
export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Date-times are text: 19 characters that sort as they count. */
export function entityType(column: ColumnModel): EntityColumnType {
  switch (column.kind) {
    case 'varchar':
      return { type: 'varchar', length: column.length ?? SHORT };
    case 'datetime':
      return { type: 'varchar', length: 19 };
    case 'text':
    case 'json':
      return { type: 'longtext' };
    case 'boolean':
      return { type: 'tinyint' };
    default:
      return { type: column.kind === 'integer' ? 'bigint' : 'double' };
  }
}

/** `id` is never reused. The collation is binary and pads nothing, so that texts compare as they do everywhere else. */
export function createTable(table: TableModel, collation: string): string[] {
  const columns = [...table.columns.values()];
  const hasId = table.columns.has('id');
  const lines = columns.map((column) =>
    column.name === 'id' ? '`id` BIGINT NOT NULL AUTO_INCREMENT' : columnText(table, column),
  );
  const primary = hasId ? ['id'] : columns.filter((column) => column.primary).map((column) => column.name);
  lines.push(`PRIMARY KEY (${primary.map(quote).join(', ')})`);
  return [
    `CREATE TABLE ${quote(table.name)} (${lines.join(', ')}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=${collation}`,
  ];
}

/** A column as CREATE and ALTER TABLE state it; its collation is the table's. */
export function columnText(table: TableModel, column: ColumnModel): string {
  const fallback = column.default === undefined || column.default === null ? '' : ` DEFAULT ${defaultText(column)}`;
  return `${quote(column.name)} ${typeText(table, column)}${column.nullable ? ' NULL' : ' NOT NULL'}${fallback}`;
}

/** Type of a column, length and all. */
export function typeText(table: TableModel, column: ColumnModel): string {
  if (column.kind === 'varchar' && textual(table).has(column.name)) return 'TEXT';
  const { type, length } = entityType(column);
  return length === undefined ? type.toUpperCase() : `VARCHAR(${length})`;
}

// Texts take a default only as an expression.
function defaultText(column: ColumnModel): string {
  const value = toBound(column.default, column);
  return typeof value === 'string' ? `(${literal(value)})` : String(value);
}

/** Strings that are kept as texts: long ones, and the longest of a table that has too many. */
function textual(table: TableModel): Set<string> {
  const keyed = new Set([...table.indexes.values()].flatMap((index) => index.columns));
  const strings = [...table.columns.values()].filter((column) => ['varchar', 'datetime'].includes(column.kind));
  const size = (column: ColumnModel): number => charactersOf(column) * 4 + 2;
  let bytes = strings.reduce((sum, column) => sum + size(column), 0);
  const free = strings.filter((column) => column.kind === 'varchar' && !column.primary && !keyed.has(column.name));
  const chosen = new Set<string>();
  for (const column of free.sort((a, b) => charactersOf(b) - charactersOf(a))) {
    if (charactersOf(column) <= SHORT && bytes <= LONGEST_ROW) break;
    chosen.add(column.name);
    bytes -= size(column);
  }
  return chosen;
}

/** A column that is nullable or has a default. */
export function addColumn(table: TableModel, column: ColumnModel): string[] {
  return [`ALTER TABLE ${quote(table.name)} ADD COLUMN ${columnText(table, column)}`];
}

/** From `renamedFrom`. */
export function renameColumn(table: TableModel, column: ColumnModel): string[] {
  return [`ALTER TABLE ${quote(table.name)} RENAME COLUMN ${quote(column.renamedFrom!)} TO ${quote(column.name)}`];
}

/** Widens in place; the data stays. */
export function widenColumn(table: TableModel, live: LiveColumn, column: ColumnModel): string[] {
  if (capacity(live.type) >= Math.min(charactersOf(column), capacity('longtext'))) return [];
  return [`ALTER TABLE ${quote(table.name)} MODIFY COLUMN ${columnText(table, column)}`];
}

/** An ordinary index. MariaDB has no index for substrings, so that full-text ones are none. */
export function createIndex(table: TableModel, index: IndexModel): string[] {
  if (index.fulltext) return [];
  const prefixes = indexPrefixes(table, index, LONGEST_KEY);
  const parts = index.columns.map((name) => {
    const prefix = prefixes.get(name);
    return prefix === undefined ? quote(name) : `${quote(name)}(${prefix})`;
  });
  return [
    `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${quote(index.name)} ON ${quote(table.name)} (${parts.join(', ')})`,
  ];
}

/** Removes an index, never rows. */
export function dropIndex(table: TableModel, index: IndexModel): string[] {
  return [`DROP INDEX ${quote(index.name)} ON ${quote(table.name)}`];
}

/** The live table; full-text indexes count as made. */
export async function inspect(
  table: TableModel,
  read: (sql: string) => Promise<Bound[][]>,
): Promise<LiveTable | undefined> {
  const mine = `TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${literal(table.name)}`;
  const found = await read(
    `SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA FROM information_schema.COLUMNS WHERE ${mine}`,
  );
  if (found.length === 0) return undefined;
  const columns = new Map<string, LiveColumn>();
  for (const [name, type, nullable, fallback, extra] of found) {
    const hasDefault = fallback !== null || /auto_increment|GENERATED/i.test(String(extra));
    columns.set(String(name), { name: String(name), type: String(type), nullable: nullable === 'YES', hasDefault });
  }
  const indexes: LiveTable['indexes'] = new Map();
  for (const [name, column, repeats] of await read(
    `SELECT INDEX_NAME, COLUMN_NAME, NON_UNIQUE FROM information_schema.STATISTICS WHERE ${mine} ORDER BY INDEX_NAME, SEQ_IN_INDEX`,
  )) {
    const index = indexes.get(String(name)) ?? { columns: [], unique: Number(repeats) === 0 };
    indexes.set(String(name), index);
    index.columns.push(String(column));
  }
  for (const index of table.indexes.values()) {
    if (index.fulltext) indexes.set(index.name, { columns: index.columns, unique: false });
  }
  return { columns, indexes };
}

/** Strings and texts are one family, integers of every size another. */
export function fits(live: LiveColumn, column: ColumnModel): boolean {
  return family(live.type) === family(entityType(column).type);
}

function family(type: string): string {
  if (/char|text/i.test(type)) return 'text';
  if (/int/i.test(type)) return 'integer';
  return /double/i.test(type) ? 'double' : type.toLowerCase();
}

/** Characters a live type has room for; numbers take every value of theirs. */
function capacity(type: string): number {
  const length = /char\((\d+)\)/i.exec(type)?.[1];
  if (length !== undefined) return Number(length);
  if (/^tinytext/i.test(type)) return 63;
  if (/^text/i.test(type)) return 16_383;
  if (/^mediumtext/i.test(type)) return 4_194_303;
  return 1_000_000_000;
}
