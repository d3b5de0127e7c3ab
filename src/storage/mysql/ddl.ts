// DDL for MySQL and MariaDB, and introspection of existing tables. The half of the dialect that runs at start.
import { shapeOf, toBound } from '../sql/bind-value.js';
import type { Bound } from '../sql/connection.js';
import type { ColumnType, LiveColumn, LiveTable } from '../sql/dialect.js';
import { charactersOf, indexPrefixes } from '../sql/index-prefix.js';
import type { ColumnModel, IndexModel, TableModel } from '../../model/table.js';

/** Largest key of InnoDB, in bytes. */
const MAX_KEY_BYTES = 3072;
/** The largest row in bytes, without the contents of its TEXT columns. */
const ROW_LIMIT_BYTES = 65_535;
/** Rows with more bytes keep strings elsewhere; this leaves a reserve for the other columns. */
const MAX_ROW_BYTES = 60_000;
/** Bytes that a TEXT column takes of a row. */
const POINTER_BYTES = 12;
/**
 * The largest part of a row that InnoDB keeps in a page, in bytes: half a page of 16 KiB, where a string of more than
 * `MAX_WHOLE_BYTES` takes at most `MAX_LOCAL_BYTES`.
 */
const PAGE_LIMIT_BYTES = 8_125;
const MAX_WHOLE_BYTES = 255;
const MAX_LOCAL_BYTES = 41;
/** Bytes of a page that every row takes, besides its columns. */
const RECORD_BYTES = 5 + 13;
/** A decimal of 18 digits; integers and doubles have 8. */
const MAX_NUMBER_BYTES = 9;
/** Longer strings that no index needs become TEXT columns, which are stored off-row. */
const MAX_VARCHAR_CHARACTERS = 255;

const quoted = new Map<string, string>();

/** Quotes an identifier; results are cached, because all names come from the models. */
export function quote(name: string): string {
  let known = quoted.get(name);
  if (known === undefined) quoted.set(name, (known = `\`${name.replaceAll('`', '``')}\``));
  return known;
}

/** Quotes a text literal; backslashes are escapes in MySQL. */
export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Type of a column in its table. */
export function columnType(table: TableModel, column: ColumnModel): ColumnType {
  return column.kind === 'varchar' && offRowStrings(table).has(column.name) ? { type: 'text' } : plainType(column);
}

/** Date-times are stored as text of 19 characters, whose order is chronological. */
function plainType(column: ColumnModel): ColumnType {
  switch (column.kind) {
    case 'varchar':
      return { type: 'varchar', length: column.length ?? MAX_VARCHAR_CHARACTERS };
    case 'datetime':
      return { type: 'varchar', length: 19 };
    case 'text':
    case 'json':
      return { type: 'longtext' };
    case 'boolean':
      return { type: 'tinyint' };
    case 'decimal':
      return { type: 'decimal', ...shapeOf(column) };
    default:
      return { type: column.kind === 'integer' ? 'bigint' : 'double' };
  }
}

/** `id` is never reused. The collation is binary without padding, so that texts compare as in the other databases. */
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

/** A column definition for CREATE and ALTER TABLE; the collation is that of the table. */
export function columnText(table: TableModel, column: ColumnModel, type = typeText(table, column)): string {
  const fallback =
    column.default === undefined || column.default === null ? '' : ` DEFAULT ${defaultText(column, type)}`;
  return `${quote(column.name)} ${type}${column.nullable ? ' NULL' : ' NOT NULL'}${fallback}`;
}

/** SQL type of a column with its length. */
export function typeText(table: TableModel, column: ColumnModel): string {
  const { type, length } = columnType(table, column);
  if (column.kind === 'decimal') return decimalType(column);
  return length === undefined ? type.toUpperCase() : `VARCHAR(${length})`;
}

/** The type of a decimal column. */
export function decimalType(column: ColumnModel): string {
  const { precision, scale } = shapeOf(column);
  return `DECIMAL(${precision},${scale})`;
}

function defaultText(column: ColumnModel, type: string): string {
  const value = toBound(column.default, column);
  if (column.kind === 'decimal' || typeof value !== 'string') return String(value);
  // TEXT columns accept a default only as an expression.
  return /text$/i.test(type) ? `(${literal(value)})` : literal(value);
}

/**
 * Strings that become TEXT columns: long ones, and the longest of a table whose row would be too large, for the server or
 * for a page.
 */
function offRowStrings(table: TableModel): Set<string> {
  const keyed = new Set([...table.indexes.values()].flatMap((index) => index.columns));
  const strings = [...table.columns.values()].filter((column) => ['varchar', 'datetime'].includes(column.kind));
  const size = (column: ColumnModel): number => charactersOf(column) * 4 + 2;
  let bytes = strings.reduce((sum, column) => sum + size(column), 0);
  const free = strings.filter((column) => column.kind === 'varchar' && !column.primary && !keyed.has(column.name));
  const chosen = new Set<string>();
  for (const column of free.sort((a, b) => charactersOf(b) - charactersOf(a))) {
    if (charactersOf(column) <= MAX_VARCHAR_CHARACTERS && bytes <= MAX_ROW_BYTES) break;
    chosen.add(column.name);
    bytes -= size(column);
  }
  let page = pageBytes(table, chosen);
  for (const column of free) {
    const gained = localBytes(column, chosen) - MAX_LOCAL_BYTES;
    if (page <= PAGE_LIMIT_BYTES || gained <= 0) continue;
    chosen.add(column.name);
    page -= gained;
  }
  return chosen;
}

/** The largest part of a row of the table that InnoDB keeps in a page, in bytes. */
function pageBytes({ columns }: TableModel, offRow: ReadonlySet<string>): number {
  const nulls = Math.ceil([...columns.values()].filter(({ nullable }) => nullable).length / 8);
  return [...columns.values()].reduce((sum, column) => sum + localBytes(column, offRow), RECORD_BYTES + nulls);
}

/** The largest part of a column that InnoDB keeps in a page, with its length, in bytes. */
function localBytes(column: ColumnModel, offRow: ReadonlySet<string>): number {
  const bytes = offRow.has(column.name) ? Infinity : charactersOf(column) * 4;
  if (bytes === 0) return column.kind === 'boolean' ? 1 : MAX_NUMBER_BYTES;
  return bytes > MAX_WHOLE_BYTES ? MAX_LOCAL_BYTES : bytes + 1;
}

/** See `MigrationDialect`. */
export function rowExcess(
  table: TableModel,
  live?: { columns: ReadonlyMap<string, LiveColumn> },
): { bytes: number; limit: number; columns: string[] } | undefined {
  const stored = [...(live?.columns ?? [])].filter(([, { type }]) => type.endsWith('text')).map(([name]) => name);
  const offRow = new Set([...offRowStrings(table), ...stored]);
  const columns = [...table.columns.values()].map((column) => ({ column, bytes: rowBytes(column, offRow) }));
  // One NULL bit per column.
  const bytes = columns.reduce((sum, each) => sum + each.bytes, Math.ceil(columns.length / 8));
  if (bytes > ROW_LIMIT_BYTES) {
    const largest = columns.filter((each) => each.bytes > POINTER_BYTES).sort((a, b) => b.bytes - a.bytes);
    return { bytes, limit: ROW_LIMIT_BYTES, columns: largest.map(({ column }) => column.name) };
  }
  const inPage = pageBytes(table, offRow);
  if (inPage <= PAGE_LIMIT_BYTES) return undefined;
  const local = columns.map(({ column }) => ({ name: column.name, bytes: localBytes(column, offRow) }));
  const largest = local.filter((each) => each.bytes > MAX_LOCAL_BYTES).sort((a, b) => b.bytes - a.bytes);
  return { bytes: inPage, limit: PAGE_LIMIT_BYTES, columns: largest.map(({ name }) => name) };
}

/** Maximum number of bytes that a column takes of a row. */
function rowBytes(column: ColumnModel, offRow: ReadonlySet<string>): number {
  if (offRow.has(column.name) || ['text', 'json'].includes(column.kind)) return POINTER_BYTES;
  const content = charactersOf(column) * 4;
  return content === 0 ? 8 : content + (content > 255 ? 2 : 1);
}

/** Adds a column that is nullable or has a default. */
export function addColumn(table: TableModel, column: ColumnModel): string[] {
  return [`ALTER TABLE ${quote(table.name)} ADD COLUMN ${columnText(table, column)}`];
}

/** Renames the column `renamedFrom`. */
export function renameColumn(table: TableModel, column: ColumnModel): string[] {
  return [`ALTER TABLE ${quote(table.name)} RENAME COLUMN ${quote(column.renamedFrom!)} TO ${quote(column.name)}`];
}

/** Creates an ordinary index. MariaDB has no substring indexes, so full-text indexes are skipped. */
export function createIndex(table: TableModel, index: IndexModel): string[] {
  if (index.fulltext) return [];
  const prefixes = indexPrefixes(table, index, MAX_KEY_BYTES);
  const parts = index.columns.map((name) => {
    const prefix = prefixes.get(name);
    return prefix === undefined ? quote(name) : `${quote(name)}(${prefix})`;
  });
  return [
    `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${quote(index.name)} ON ${quote(table.name)} (${parts.join(', ')})`,
  ];
}

/** Whether an index covers whole values, without prefixes, so that it can serve ORDER BY. */
export function hasNoPrefixes(table: TableModel, index: IndexModel): boolean {
  return indexPrefixes(table, index, MAX_KEY_BYTES).size === 0;
}

/** Removes an index, never rows. */
export function dropIndex(table: TableModel, index: IndexModel): string[] {
  return [`DROP INDEX ${quote(index.name)} ON ${quote(table.name)}`];
}

/** Introspects a table; full-text indexes count as existing. */
export async function inspect(
  table: TableModel,
  read: (sql: string) => Promise<Bound[][]>,
): Promise<LiveTable | undefined> {
  const mine = `TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${literal(table.name)}`;
  const found = await read(
    `SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA FROM information_schema.COLUMNS WHERE ${mine} ORDER BY ORDINAL_POSITION`,
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
