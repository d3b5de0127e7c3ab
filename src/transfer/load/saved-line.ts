// Lines that a migration wrote before it dropped data: rows as they were stored.
import { commandLine } from '../../errors/command-line.js';
import type { Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { missingForm } from '../stored-form.js';
import { BrokenLine, type Place } from './load-problems.js';
import { isObject, plainValue } from './load-values.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/** Members of a saved line besides the columns. */
const TABLE = '$table';
const ROW = '$row';
const UPDATE = '$update';

/** Derived columns, which need no restoring. */
const DERIVED = /^search_text$|_(sort|search|rendered)$/;

/** A row to restore. */
export interface SavedRow extends Place {
  table: TableModel;
  /** Whether it is a complete row, or only columns of an existing one. */
  whole: boolean;
  /** The saved values of columns that the table has now, except derived ones. */
  row: Row;
}

/** Whether a line has this format. */
export function isSaved(text: string): boolean {
  return text.startsWith(`{"${TABLE}":`);
}

/** The saved row of a line. Throws BrokenLine where it does not fit the current tables. */
export function parseSaved(text: string, place: Place, tables: ReadonlyMap<string, TableModel>): SavedRow {
  const line = objectOf(text);
  const table = tables.get(String(line[TABLE]));
  if (!table)
    throw new BrokenLine(
      `no schema has the table "${String(line[TABLE])}": put its resource or field back and run ${commandLine('migrate')} first`,
    );
  const whole = ROW in line;
  const saved = line[whole ? ROW : UPDATE];
  if (!isObject(saved)) throw new BrokenLine(`a line of a dropped table has ${ROW} or ${UPDATE}`);
  const row: Row = {};
  for (const [name, value] of Object.entries(saved)) {
    const column = table.columns.get(name);
    if (!column && DERIVED.test(name)) continue;
    if (!column)
      throw new BrokenLine(
        `the table ${table.name} has no column "${name}": put its field back and run ${commandLine('migrate')} first`,
      );
    if (!column.derived) row[name] = storedValue(column, value);
  }
  if (!whole && typeof row['id'] !== 'number') throw new BrokenLine('it has no id');
  return { ...place, table, whole, row };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && TABLE in value) return value;
  } catch {
    // Reported below without the parser's message, which may quote a password.
  }
  throw new BrokenLine('this line is not one of a dropped table, as those before it are');
}

function storedValue(column: ColumnModel, value: unknown): Scalar {
  const refuse = (reason: string): never => {
    throw new BrokenLine(`${column.name} ${reason}`);
  };
  if (value === null) return column.nullable ? null : refuse('must not be null any more');
  if (column.kind === 'boolean') return value === 0 || value === 1 ? value : refuse('must be 0 or 1');
  const plain = plainValue(column, value, column.kind === 'datetime' ? 19 : column.length, refuse);
  const missing = missingForm(column, column.kind === 'json' ? structureOf(String(plain), refuse) : plain);
  return missing === undefined ? plain : refuse(`must be ${missing}`);
}

/** The structure of a JSON text; null for an empty text. */
function structureOf(text: string, refuse: (reason: string) => never): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return refuse('must be JSON');
  }
}
