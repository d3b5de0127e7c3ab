// Trigram tables: their DDL, and the triggers that synchronize them with their tables.
import type { Bound } from '../sql/connection.js';
import type { IndexModel, TableModel } from '../../model/table.js';
import { quote, literalName, literal } from './column-ddl.js';

/** Suffix of the names of trigram tables. */
export const FTS_ENDING = '_fts';

/** Name of the full-text table over one column. */
export function ftsName(table: string, column: string): string {
  return `${table}_${column}${FTS_ENDING}`;
}

/**
 * Options of trigram tables: they store which rows have a trigram, not where, and no copy of the text. Positions would
 * take twice the size of the text, and half of the time of a write.
 */
const FULLTEXT = `detail=none, columnsize=0, tokenize='trigram case_sensitive 1'`;

/** Creates a trigram table with triggers that synchronize it, replacing an existing one. */
export function createFulltext(table: TableModel, index: IndexModel): string[] {
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

/** The statement that indexes the rows of a table that `where` selects. */
export function fillFulltext(table: string, column: string, text: string, where = ''): string {
  return `INSERT INTO ${quote(ftsName(table, column))} (rowid, ${quote(column)}) SELECT "id", ${text} FROM ${quote(table)}${where}`;
}

/**
 * An FTS5 command for a trigram table: a setting, or `merge`, which merges segments until it has written `value` pages.
 */
export function fulltextCommand(fts: string, command: 'automerge' | 'crisismerge' | 'merge', value: number): string {
  return `INSERT INTO ${quote(fts)} (${quote(fts)}, rank) VALUES ('${command}', ${value})`;
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

/** Statements that refill a trigram table after its table was rewritten; the trigger's SQL has the indexed text. */
export function refillFulltext(table: string, column: string, trigger: string): string[] {
  const fts = quote(ftsName(table, column));
  const text = /VALUES \(new\."id", (.*)\); END$/s.exec(trigger)?.[1] ?? `new.${quote(column)}`;
  return [
    `INSERT INTO ${fts} (${fts}) VALUES ('delete-all')`,
    fillFulltext(table, column, text.replaceAll('new."', `${quote(table)}."`)),
  ];
}

/** Drops the trigger that indexes new rows. */
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

/** Whether a trigram table exists and has the form that `createFulltext` gives it. */
export async function hasFulltext(
  table: TableModel,
  index: IndexModel,
  read: (sql: string) => Promise<Bound[][]>,
): Promise<boolean> {
  const name = ftsName(table.name, columnOf(index));
  const existing = await read(
    `SELECT sql FROM sqlite_master WHERE name IN (${literalName(name)}, ${literalName(`${name}_insert`)}) ORDER BY type`,
  );
  const [ofTable, ofTrigger] = existing.map(([sql]) => String(sql));
  return ofTable?.includes(FULLTEXT) === true && ofTrigger === insertTrigger(table, index);
}
