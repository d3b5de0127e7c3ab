// DDL for SQLite, and introspection of existing tables. The half of the dialect that runs at start.
import type { Bound } from '../sql/connection.js';
import type { LiveColumn, LiveTable } from '../sql/dialect.js';
import type { ColumnModel, IndexModel, TableModel } from '../../model/table.js';
import { quote, columnText, literalName } from './column-ddl.js';
import { createFulltext, hasFulltext } from './fulltext-ddl.js';

/** `id` is never reused; tables without it are clustered on their primary columns. */
export function createTable(table: TableModel): string[] {
  const columns = [...table.columns.values()];
  const primary = columns.filter((column) => column.primary).map((column) => quote(column.name));
  const lines = columns.map((column) =>
    column.name === 'id' ? '"id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL' : columnText(column),
  );
  if (!table.columns.has('id')) lines.push(`PRIMARY KEY (${primary.join(', ')})`);
  const clustered = table.columns.has('id') ? '' : ' WITHOUT ROWID';
  return [`CREATE TABLE ${quote(table.name)} (${lines.join(', ')})${clustered}`];
}

/** Adds a column that is nullable or has a default. */
export function addColumn(table: TableModel, column: ColumnModel): string[] {
  return [`ALTER TABLE ${quote(table.name)} ADD COLUMN ${columnText(column)}`];
}

/** Renames the column `renamedFrom`. */
export function renameColumn(table: TableModel, column: ColumnModel): string[] {
  return [`ALTER TABLE ${quote(table.name)} RENAME COLUMN ${quote(column.renamedFrom!)} TO ${quote(column.name)}`];
}

/** Creates an ordinary index, or a trigram table with triggers that synchronize it, replacing an existing one. */
export function createIndex(table: TableModel, index: IndexModel): string[] {
  if (index.fulltext) return createFulltext(table, index);
  const columns = index.columns.map(quote).join(', ');
  return [`CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${quote(index.name)} ON ${quote(table.name)} (${columns})`];
}

/** Removes an index, never rows. */
export function dropIndex(_table: TableModel, index: IndexModel): string[] {
  return [`DROP INDEX ${quote(index.name)}`];
}

/**
 * Introspects a table; full-text tables of the current form appear under the names of the model's full-text indexes.
 */
export async function inspect(
  table: TableModel,
  read: (sql: string) => Promise<Bound[][]>,
): Promise<LiveTable | undefined> {
  const name = literalName(table.name);
  const found = await read(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(${name})`);
  if (found.length === 0) return undefined;
  const columns = new Map<string, LiveColumn>();
  for (const [column, type, notnull, fallback, pk] of found) {
    columns.set(String(column), {
      name: String(column),
      type: String(type),
      nullable: notnull === 0 && pk === 0,
      hasDefault: fallback !== null || pk !== 0,
    });
  }
  const indexes: LiveTable['indexes'] = new Map();
  for (const [index, unique] of await read(`SELECT name, "unique" FROM pragma_index_list(${name})`)) {
    const parts = await read(`SELECT name FROM pragma_index_info(${literalName(String(index))}) ORDER BY seqno`);
    indexes.set(String(index), { columns: parts.map(([part]) => String(part)), unique: unique === 1 });
  }
  for (const index of table.indexes.values()) {
    if (index.fulltext && (await hasFulltext(table, index, read))) {
      indexes.set(index.name, { columns: index.columns, unique: false });
    }
  }
  return { columns, indexes };
}
