// Rows of a result, made from the lists of values that a connection returns.
import type { Query, Row } from '../../model/query.js';
import type { Bound } from '../sql/connection.js';

const blanks = new WeakMap<readonly string[], Readonly<Row>>();

/**
 * Template that rows of many columns are copied from: adding many computed names to an object turns it into a slow
 * dictionary. It is parsed, because V8 gives JSON-parsed objects a shape that is cheap to copy. Only frozen column
 * lists are reused.
 */
export function blankOf({ columns, adds = [] }: Query): Readonly<Row> {
  let blank = blanks.get(columns);
  if (blank) return blank;
  if (!Object.isFrozen(columns)) return {};
  blank = JSON.parse(JSON.stringify(Object.fromEntries([...columns, ...adds].map((name) => [name, null])))) as Row;
  blanks.set(columns, blank);
  return blank;
}

const bare = new WeakMap<readonly string[], Readonly<Row>>();

/** The same for single rows, to which the results of checks are added. */
export function bareOf(columns: readonly string[]): Readonly<Row> {
  let blank = bare.get(columns);
  if (blank) return blank;
  if (!Object.isFrozen(columns)) return {};
  blank = JSON.parse(JSON.stringify(Object.fromEntries(columns.map((name) => [name, null])))) as Row;
  bare.set(columns, blank);
  return blank;
}

/** A row of the values of some columns, copied from a template. */
export function rowOf(columns: readonly string[], values: readonly Bound[], blank: Readonly<Row>): Row {
  const row: Row = { ...blank };
  for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i];
  return row;
}
