// Maintained row counts per combination of a table's counted columns. The table typecase_counts has one row per
// combination, and one marker row per table whose counts are complete. Where transactions run side by side, a
// combination has several rows, its stripes: the number is their sum.
import { createHash } from 'node:crypto';
import { conjunctsOf, type Predicate, type Row } from '../../model/query.js';
import { toBound } from './bind-value.js';
import type { Bound, Connection } from './connection.js';
import { STRIPES } from './data-version.js';
import { MAX_BYTES_PER_UNIT } from './statement-size.js';
import type { Statements } from './statements.js';
import { columnOf } from './predicate-sql.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/** Table of the row counts. */
export const COUNTS: TableModel = {
  name: 'typecase_counts',
  columns: new Map<string, ColumnModel>([
    ['scope', { name: 'scope', kind: 'varchar', length: 700, primary: true, binary: true }],
    ['n', { name: 'n', kind: 'integer', default: 0 }],
  ]),
  indexes: new Map(),
  counted: [],
};

const MAX_SCOPES = 64;

/** Longest key of a combination in bytes: with its stripe, it fits into the column and into an index. */
const MAX_KEY_BYTES = 690;
/** Begins the values of a combination that its key names by a digest. */
const DIGEST = '#';

/** Key of a combination, values in the order of `table.counted`. */
export function scopeOf(table: TableModel, values: readonly Bound[]): string {
  const text = JSON.stringify(values);
  const key = `${table.name}:${text}`;
  if (key.length * MAX_BYTES_PER_UNIT <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES) return key;
  return `${table.name}:${DIGEST}${createHash('sha256').update(text).digest('hex')}]`;
}

/** Key of a stripe of a combination; stripe 0 has the key of the combination itself. */
export function stripeOf(scope: string, stripe: number): string {
  return stripe === 0 ? scope : `${scope}#${stripe}`;
}

/** The combination of a stripe: values are JSON, or a digest, and end with a bracket. */
function scopeOfStripe(key: string): string {
  return key.slice(0, key.lastIndexOf(']') + 1);
}

/** Key of the marker row: the counts of exactly these columns are complete. */
export function markerOf(table: TableModel): string {
  return `${table.name}=${table.counted.join(',')}`;
}

/** The combination of a row that is inserted. */
export function combinationOf(table: TableModel, row: Row): Bound[] {
  return table.counted.map((name) => {
    const column = columnOf(table, name);
    return toBound(row[name] ?? (name in row ? row[name] : (column.default ?? null)), column);
  });
}

/** Allowed values of each counted column; an absent column is unrestricted. */
export type Pins = ReadonlyMap<string, readonly Bound[]>;

/**
 * The values that a predicate allows, when it is a conjunction over counted columns only; undefined when row counts
 * cannot be used.
 */
export function pinsOf(table: TableModel, where: Predicate): Pins | undefined {
  if (table.counted.length === 0) return undefined;
  const pins = new Map<string, Bound[]>();
  for (const part of conjunctsOf(where)) {
    if (part.op === 'true') continue;
    if (part.op !== 'eq' && part.op !== 'in' && part.op !== 'null') return undefined;
    if (!table.counted.includes(part.column)) return undefined;
    const column = columnOf(table, part.column);
    const wanted = part.op === 'in' ? part.values : [part.op === 'eq' ? part.value : null];
    const values = [...new Set(wanted.map((value) => toBound(value, column)))];
    const before = pins.get(part.column);
    pins.set(part.column, before ? before.filter((value) => values.includes(value)) : values);
  }
  return pins;
}

/**
 * The sum of the row counts that satisfy `pins`; undefined when the counts of this table were never completed, or do not
 * tell.
 */
export async function sumCounters(
  db: Connection,
  statements: Statements,
  table: TableModel,
  pins: Pins,
): Promise<number | undefined> {
  const marker = markerOf(table);
  const scopes = scopesOf(table, pins);
  const stripes = statements.dialect.locks ? STRIPES : 1;
  const keys = scopes?.flatMap((scope) => Array.from({ length: stripes }, (_, stripe) => stripeOf(scope, stripe)));
  const where: Predicate = keys
    ? { op: 'in', column: 'scope', values: [marker, ...keys] }
    : { op: 'or', of: [{ op: 'eq', column: 'scope', value: marker }, allOf(table)] };
  const query = statements.select({ table: COUNTS.name, columns: ['scope', 'n'], where, order: [] });
  let sum = 0;
  let complete = false;
  for (const [scope, n] of await db.rows(query.sql, query.params)) {
    if (scope === marker) complete = true;
    else if (scopes) sum += Number(n);
    else {
      const values = valuesOf(table, scopeOfStripe(String(scope)));
      if (!values) return undefined;
      if (satisfies(table, values, pins)) sum += Number(n);
    }
  }
  return complete ? sum : undefined;
}

/** Counts every combination and marks the table complete. Runs inside a transaction. */
export async function rebuildCounters(db: Connection, statements: Statements, table: TableModel): Promise<void> {
  const old = statements.delete(COUNTS.name, { op: 'or', of: [allMarkersOf(table), allOf(table)] });
  await db.run(old.sql, old.params);
  const counted = statements.count(table.name, table.counted, { op: 'true' });
  const rows: Row[] = [{ scope: markerOf(table), n: 1 }];
  for (const row of await db.rows(counted.sql, counted.params)) {
    rows.push({ scope: scopeOf(table, row.slice(0, -1)), n: row.at(-1) });
  }
  for (let i = 0; i < rows.length; i += 500) {
    const insertion = statements.insert(COUNTS.name, rows.slice(i, i + 500));
    await db.run(insertion.sql, insertion.params);
  }
}

/** Maximum number of tables whose markers one statement reads. */
const MAX_TABLES = 100;

/** Deletes the markers of tables whose rows are no longer counted: their counts are no longer updated. */
export async function deleteUnusedMarkers(
  db: Connection,
  statements: Statements,
  tables: readonly TableModel[],
): Promise<void> {
  const uncounted = tables.filter(({ counted }) => counted.length === 0);
  for (let at = 0; at < uncounted.length; at += MAX_TABLES) {
    const where: Predicate = { op: 'or', of: uncounted.slice(at, at + MAX_TABLES).map(allMarkersOf) };
    // Usually there are none, and a DELETE would wait for writers of counts.
    const query = statements.select({ table: COUNTS.name, columns: ['scope'], where, order: [] });
    const found = (await db.rows(query.sql, query.params)).map(([scope]) => String(scope));
    if (found.length === 0) continue;
    const deletion = statements.delete(COUNTS.name, { op: 'in', column: 'scope', values: found });
    await db.run(deletion.sql, deletion.params);
  }
}

/** Differences between the row counts of a table and its actual rows. */
export async function wrongCounters(
  db: Connection,
  statements: Statements,
  table: TableModel,
): Promise<{ table: string; message: string }[]> {
  const count = statements.count(table.name, table.counted, { op: 'true' });
  const real = new Map(
    (await db.rows(count.sql, count.params)).map((row) => [scopeOf(table, row.slice(0, -1)), Number(row.at(-1))]),
  );
  const selection = statements.select({ table: COUNTS.name, columns: ['scope', 'n'], where: allOf(table), order: [] });
  const stored = new Map<string, number>();
  for (const [key, n] of await db.rows(selection.sql, selection.params)) {
    const scope = scopeOfStripe(String(key));
    stored.set(scope, (stored.get(scope) ?? 0) + Number(n));
  }
  return [...new Set([...real.keys(), ...stored.keys()])]
    .filter((scope) => (real.get(scope) ?? 0) !== (stored.get(scope) ?? 0))
    .map((scope) => ({
      table: table.name,
      message: `row count of ${scope} is ${stored.get(scope) ?? 0} and should be ${real.get(scope) ?? 0}`,
    }));
}

// All keys, when every column is restricted to few values.
function scopesOf(table: TableModel, pins: Pins): string[] | undefined {
  let combinations: Bound[][] = [[]];
  for (const name of table.counted) {
    const values = pins.get(name);
    if (!values || combinations.length * values.length > MAX_SCOPES) return undefined;
    combinations = combinations.flatMap((head) => values.map((value) => [...head, value]));
  }
  return combinations.map((values) => scopeOf(table, values));
}

/** The values of a combination; undefined where its key does not tell. */
function valuesOf(table: TableModel, scope: string): Bound[] | undefined {
  const text = scope.slice(table.name.length + 1);
  return text.startsWith(DIGEST) ? undefined : (JSON.parse(text) as Bound[]);
}

function satisfies(table: TableModel, values: readonly Bound[], pins: Pins): boolean {
  return table.counted.every((name, i) => pins.get(name)?.includes(values[i]!) ?? true);
}

function allOf(table: TableModel): Predicate {
  return between(`${table.name}:`, `${table.name};`);
}

function allMarkersOf(table: TableModel): Predicate {
  return between(`${table.name}=`, `${table.name}>`);
}

function between(from: string, to: string): Predicate {
  const bounds: Predicate[] = [
    { op: 'ge', column: 'scope', value: from },
    { op: 'lt', column: 'scope', value: to },
  ];
  return { op: 'and', of: bounds };
}
