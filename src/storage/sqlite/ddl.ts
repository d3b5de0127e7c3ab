// DDL for SQLite, and introspection of existing tables. The half of the dialect that runs at boot.
import type { Bound } from '../sql/connection.js';
import type { ColumnType, LiveColumn, LiveTable } from '../sql/dialect.js';
import { shapeOf, toBound } from '../sql/bind-value.js';
import type { ColumnModel, IndexModel, TableModel } from '../../model/table.js';

const quoted = new Map<string, string>();

/** Quotes an identifier; results are cached, because all names come from the models. */
export function quote(name: string): string {
  let known = quoted.get(name);
  if (known === undefined) quoted.set(name, (known = `"${name.replaceAll('"', '""')}"`));
  return known;
}

/** What the names of trigram tables end with. */
export const FTS_ENDING = '_fts';

/** Name of the full-text table over one column. */
export function ftsName(table: string, column: string): string {
  return `${table}_${column}${FTS_ENDING}`;
}

/** Date-times are stored as text of 19 characters, whose order is chronological. */
export function columnType(column: ColumnModel): ColumnType {
  switch (column.kind) {
    case 'varchar':
      return column.length === undefined ? { type: 'varchar' } : { type: 'varchar', length: column.length };
    case 'datetime':
      return { type: 'varchar', length: 19 };
    case 'json':
      return { type: 'text' };
    case 'boolean':
      return { type: 'boolean' };
    case 'decimal':
      return { type: 'decimal', ...shapeOf(column) };
    default:
      return { type: column.kind };
  }
}

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

/** A column definition for CREATE and ALTER TABLE. */
export function columnText(column: ColumnModel): string {
  const fallback =
    column.default === undefined || column.default === null ? '' : ` DEFAULT ${literal(column, column.default)}`;
  return `${quote(column.name)} ${typeText(column)}${column.nullable ? '' : ' NOT NULL'}${fallback}`;
}

/** SQL type of a column with its length or digits. */
export function typeText(column: ColumnModel): string {
  const { type, length, precision, scale } = columnType(column);
  if (precision !== undefined) return `${type}(${precision},${scale})`;
  return length === undefined ? type : `${type}(${length})`;
}

/** The text of a decimal that is stored as a whole number of its last digit. */
export function decimalText(column: string, scale: number): string {
  const step = `1${'0'.repeat(scale)}`;
  const fraction = scale > 0 ? `.%0${scale}d', ` : `', `;
  const parts = `ABS(${column}) / ${step}${scale > 0 ? `, ABS(${column}) % ${step}` : ''}`;
  return `CASE WHEN ${column} IS NOT NULL THEN printf('%s%d${fraction}CASE WHEN ${column} < 0 THEN '-' ELSE '' END, ${parts}) END`;
}

/** A value of a column as a literal. */
export function literal(column: ColumnModel, said: unknown): string {
  const value = toBound(said, column);
  if (typeof value === 'string' && column.kind === 'decimal') return String(BigInt(value.replace('.', '')));
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** Adds a column that is nullable or has a default. */
export function addColumn(table: TableModel, column: ColumnModel): string[] {
  return [`ALTER TABLE ${quote(table.name)} ADD COLUMN ${columnText(column)}`];
}

/** Renames the column `renamedFrom`. */
export function renameColumn(table: TableModel, column: ColumnModel): string[] {
  return [`ALTER TABLE ${quote(table.name)} RENAME COLUMN ${quote(column.renamedFrom!)} TO ${quote(column.name)}`];
}

/**
 * How trigram tables are made: which rows have a trigram, not where, and no copy of the text. Positions would take twice
 * the text, and to write them half of the time of a write.
 */
const FULLTEXT = `detail=none, columnsize=0, tokenize='trigram case_sensitive 1'`;

/** Creates an ordinary index, or a trigram table with triggers that synchronize it, in place of one made otherwise. */
export function createIndex(table: TableModel, index: IndexModel): string[] {
  if (index.fulltext) return createFulltext(table, index);
  const columns = index.columns.map(quote).join(', ');
  return [`CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${quote(index.name)} ON ${quote(table.name)} (${columns})`];
}

function createFulltext(table: TableModel, index: IndexModel): string[] {
  const name = ftsName(table.name, columnOf(index));
  const [t, c, fts] = [quote(table.name), quote(columnOf(index)), quote(name)];
  const text = (row: 'new' | 'old'): string => searchedText(table, index, row);
  const put = putStatement(table, index);
  const take = `INSERT INTO ${fts} (${fts}, rowid, ${c}) VALUES ('delete', old."id", ${text('old')});`;
  const changed = `AFTER UPDATE OF ${textColumns(index).map(quote).join(', ')} ON ${t}`;
  return [
    ...dropFulltext(table.name, columnOf(index)),
    `CREATE VIRTUAL TABLE ${fts} USING fts5(${c}, content=${literalName(table.name)}, content_rowid='id', ${FULLTEXT})`,
    insertTrigger(table, index),
    `CREATE TRIGGER ${quote(`${name}_delete`)} AFTER DELETE ON ${t} BEGIN ${take} END`,
    `CREATE TRIGGER ${quote(`${name}_update`)} ${changed} WHEN ${text('old')} IS NOT ${text('new')} BEGIN ${take} ${put} END`,
    fillFulltext(table.name, columnOf(index), searchedText(table, index, t)),
  ];
}

/** The statement that puts the rows of a table that `where` chooses into its trigram table. */
export function fillFulltext(table: string, column: string, text: string, where = ''): string {
  return `INSERT INTO ${quote(ftsName(table, column))} (rowid, ${quote(column)}) SELECT "id", ${text} FROM ${quote(table)}${where}`;
}

/** The indexed text of a row: that of the column, or the texts that stand for an empty one. */
export function searchedText(table: TableModel, index: IndexModel, row: string): string {
  const column = `${row}.${quote(columnOf(index))}`;
  const cases = (index.joins ?? []).map(({ where, columns }) => {
    const texts = columns.map((name) => {
      const text = `${row}.${quote(name)}`;
      return table.columns.get(name)?.nullable ? `COALESCE(${text}, '')` : text;
    });
    const rows = Object.entries(where).map(
      ([name, value]) => ` AND ${row}.${quote(name)} = ${literal(table.columns.get(name)!, value)}`,
    );
    return `WHEN ${column} = ''${rows.join('')} THEN LOWER(${texts.join(' || char(10) || ')})`;
  });
  return cases.length === 0 ? column : `CASE ${cases.join(' ')} ELSE ${column} END`;
}

/** Columns that the indexed text is made of. */
function textColumns(index: IndexModel): string[] {
  const joined = (index.joins ?? []).flatMap(({ where, columns }) => [...Object.keys(where), ...columns]);
  return [...new Set([columnOf(index), ...joined])];
}

/** The column of a full-text index. */
function columnOf(index: IndexModel): string {
  return index.columns[0]!;
}

/** The trigger that puts new rows into a trigram table. */
export function insertTrigger(table: TableModel, index: IndexModel): string {
  const name = insertTriggerName(table.name, columnOf(index));
  return `CREATE TRIGGER ${name} AFTER INSERT ON ${quote(table.name)} BEGIN ${putStatement(table, index)} END`;
}

/** What a trigram table must be filled with again after all of its table was written; from the text of its trigger. */
export function refillFulltext(table: string, column: string, trigger: string): string[] {
  const fts = quote(ftsName(table, column));
  const text = /VALUES \(new\."id", (.*)\); END$/s.exec(trigger)?.[1] ?? `new.${quote(column)}`;
  return [
    `INSERT INTO ${fts} (${fts}) VALUES ('delete-all')`,
    fillFulltext(table, column, text.replaceAll('new."', `${quote(table)}."`)),
  ];
}

/** Removes that trigger. */
export function dropInsertTrigger(table: string, column: string): string {
  return `DROP TRIGGER ${insertTriggerName(table, column)}`;
}

function insertTriggerName(table: string, column: string): string {
  return quote(`${ftsName(table, column)}_insert`);
}

function putStatement(table: TableModel, index: IndexModel): string {
  const name = quote(ftsName(table.name, columnOf(index)));
  return `INSERT INTO ${name} (rowid, ${quote(columnOf(index))}) VALUES (new."id", ${searchedText(table, index, 'new')});`;
}

/** Removes a trigram table and its triggers. */
export function dropFulltext(table: string, column: string): string[] {
  const name = ftsName(table, column);
  const triggers = ['insert', 'delete', 'update'].map((event) => `DROP TRIGGER IF EXISTS ${quote(`${name}_${event}`)}`);
  return [...triggers, `DROP TABLE IF EXISTS ${quote(name)}`];
}

function literalName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** Removes an index, never rows. */
export function dropIndex(_table: TableModel, index: IndexModel): string[] {
  return [`DROP INDEX ${quote(index.name)}`];
}

/** Introspects a table; full-text tables that are made as now appear under the names of the model's full-text indexes. */
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

async function hasFulltext(
  table: TableModel,
  index: IndexModel,
  read: (sql: string) => Promise<Bound[][]>,
): Promise<boolean> {
  const name = ftsName(table.name, columnOf(index));
  const made = await read(
    `SELECT sql FROM sqlite_master WHERE name IN (${literalName(name)}, ${literalName(`${name}_insert`)}) ORDER BY type`,
  );
  const [ofTable, ofTrigger] = made.map(([sql]) => String(sql));
  return ofTable?.includes(FULLTEXT) === true && ofTrigger === insertTrigger(table, index);
}

/** SQLite has affinities, not types: widening a varchar changes nothing. */
export function fits(live: LiveColumn, column: ColumnModel): boolean {
  return affinity(live.type) === affinity(columnType(column).type);
}

function affinity(type: string): string {
  if (/int/i.test(type)) return 'integer';
  if (/char|clob|text/i.test(type)) return 'text';
  if (/real|floa|doub/i.test(type)) return 'real';
  return /bool/i.test(type) ? 'boolean' : 'numeric';
}
