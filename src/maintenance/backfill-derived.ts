// Computes sort keys, search texts and rendered texts of items that existed before the schema required them.
// Progress is stored per resource with the checksum of its schema, so that an interrupted run resumes.
import { createHash } from 'node:crypto';
import type { ModelSet, ResourceModel } from '../model/model.js';
import { and, equals, oneOf, TRUE, type Row } from '../model/query.js';
import type { Scalar } from '../model/schema/schema.js';
import type { Reader, Store, Transaction } from '../model/store.js';
import { StartupError } from '../errors/problem.js';
import { isDuplicate } from '../engine/writes/duplicate.js';
import { staleColumns } from '../engine/derive-row.js';
import { rowsOf } from '../engine/shared-table.js';
import type { TableModel } from '../model/table.js';

/** Table of the progress. `done` is the highest id processed, or -1 when all are. */
export const DERIVED: TableModel = {
  name: 'typecase_derived',
  columns: new Map([
    ['name', { name: 'name', kind: 'varchar', length: 191, primary: true, binary: true }],
    ['checksum', { name: 'checksum', kind: 'varchar', length: 64, default: '', nullable: false }],
    ['done', { name: 'done', kind: 'integer', default: 0, nullable: false }],
  ]),
  indexes: new Map(),
  counted: [],
  progress: true,
  small: true,
};

/** Rows per transaction. */
const BATCH = 100;
const ALL = -1;

/** Resources whose derived columns were not computed for their current schemas. The tables must exist. */
export async function staleModels(models: ModelSet, reader: Reader): Promise<ResourceModel[]> {
  const marks = await reader.select({
    table: DERIVED.name,
    columns: ['name', 'checksum', 'done'],
    where: TRUE,
    order: [],
  });
  const done = new Set(
    marks.filter((mark) => mark['done'] === ALL).map((mark) => `${mark['name']}:${mark['checksum']}`),
  );
  return derivingModels(models).filter((model) => !done.has(`${model.name}:${checksumOf(model)}`));
}

/** Resources with derived columns. */
export function derivingModels(models: ModelSet): ResourceModel[] {
  return [...models.byName.values()].filter((model) => model.table && model.derive.length > 0);
}

/**
 * Computes stale columns. Dates, versions and revisions do not change. `onBegin` is called for each resource that has
 * items, `onBatch` after each batch of them.
 */
export async function recomputeDerived(
  models: ModelSet,
  store: Store,
  onBegin: (resource: string) => void = () => undefined,
  onBatch: (items: number) => void = () => undefined,
): Promise<void> {
  await forgetDerived(models, store);
  const stale = await staleModels(models, store.reader);
  if (stale.length === 0) return;
  const filled = await store.transaction(async (tx) => {
    const full: ResourceModel[] = [];
    for (const model of stale) {
      if ((await rowsAfter(0, model, 1, tx)).length > 0) full.push(model);
      else await mark(model, ALL, tx);
    }
    return full;
  });
  for (const model of filled) {
    onBegin(model.name);
    while (await store.transaction((tx) => deriveSome(model, tx, store))) onBatch(BATCH);
  }
}

/**
 * Deletes the progress of resources that no longer have derived columns. Their former columns are no longer updated, so
 * that a later schema that needs them again must recompute them.
 */
export async function forgetDerived(models: ModelSet, store: Store): Promise<void> {
  const marks = await store.reader.select({ table: DERIVED.name, columns: ['name'], where: TRUE, order: [] });
  const names = marks
    .map(({ name }) => String(name))
    .filter((name) => models.byName.get(name)?.table && models.byName.get(name)!.derive.length === 0);
  if (names.length > 0) await store.transaction((tx) => tx.delete(DERIVED.name, oneOf('name', names)));
}

/** Returns whether items are left. Processes that start together share the work: each transaction reads the progress. */
async function deriveSome(model: ResourceModel, tx: Transaction, site: Store): Promise<boolean> {
  const last = await progressOf(model, tx);
  if (last === ALL) return false;
  const rows = await rowsAfter(last, model, BATCH, tx);
  const sets = rows.map((row) => ({ id: row['id'] as number, set: staleColumns(model, row, site) }));
  await clearUniques(model, sets, tx);
  for (const { id, set } of sets) {
    if (Object.keys(set).length === 0) continue;
    await tx.update(model.table!.name, set, equals('id', id)).catch((error: unknown) => {
      throw isDuplicate(error) ? sharedValue(model, error, id) : error;
    });
  }
  await mark(model, rows.length < BATCH ? ALL : rows.at(-1)!['id'], tx);
  return rows.length === BATCH;
}

/**
 * Sets unique columns to null in the items that are about to change, and in later items that have one of the new values:
 * their values are those of an earlier schema, and would conflict with equal new values of other items.
 */
async function clearUniques(
  model: ResourceModel,
  sets: readonly { id: number; set: Record<string, Scalar> }[],
  tx: Transaction,
): Promise<void> {
  for (const { column } of model.uniques) {
    const changed = sets.filter(({ set }) => column in set);
    if (changed.length === 0) continue;
    const ids = changed.map(({ id }) => id);
    const values = changed.flatMap(({ set }) => set[column] ?? []);
    const later = and(rowsOf(model), { op: 'gt', column: 'id', value: sets.at(-1)!.id }, oneOf(column, values));
    for (const where of [oneOf('id', ids), later]) await tx.update(model.table!.name, { [column]: null }, where);
  }
}

/** The error where two existing items share a value that the schema makes unique. */
function sharedValue(model: ResourceModel, { columns }: { columns: readonly string[] }, id: number): StartupError {
  const fields = model.uniques.find(({ column }) => columns.includes(column))?.fields ?? [];
  const names = fields.map(({ name }) => name).join(' and ');
  const message = `item ${id} has the same ${names} as another item, which the schema does not allow`;
  const hint = `Give one of them another value with the schema as it was before, or leave out "unique".`;
  return new StartupError([{ file: 'database', path: model.table!.name, message, hint }]);
}

async function progressOf(model: ResourceModel, tx: Transaction): Promise<number> {
  const found = await tx.first(DERIVED.name, ['checksum', 'done'], equals('name', model.name));
  return found?.['checksum'] === checksumOf(model) ? found['done'] : 0;
}

async function mark(model: ResourceModel, done: number, tx: Transaction): Promise<void> {
  const row = { checksum: checksumOf(model), done };
  const known = await tx.first(DERIVED.name, ['name'], equals('name', model.name));
  if (known) await tx.update(DERIVED.name, row, equals('name', model.name));
  else await tx.insert(DERIVED.name, { name: model.name, ...row });
}

function rowsAfter(id: number, model: ResourceModel, limit: number, reader: Reader): Promise<Row[]> {
  return reader.select({
    table: model.table!.name,
    columns: [...model.table!.columns.keys()],
    where: and(rowsOf(model), { op: 'gt', column: 'id', value: id }),
    order: [{ column: 'id', direction: 'asc' }],
    limit,
  });
}

/** Whether a unique index on a digest covers a column alone. */
function hasDigest({ uniques }: ResourceModel, column: string | undefined): boolean {
  return uniques.some(({ digest, fields }) => digest && fields.length === 1 && fields[0]!.column === column);
}

/** The values that digests treat as missing, by column. */
function absentValues({ indexes }: TableModel): unknown[] {
  const sources = [...indexes.values()].flatMap(({ digests = [] }) => digests.flatMap((digest) => digest.sources));
  return sources.filter(({ absent }) => absent.length > 0).map(({ column, absent }) => [column, ...absent]);
}

/** Changes with every part of a schema that derived columns depend on. */
function checksumOf(model: ResourceModel): string {
  const fields = [...model.fields.values()].map(({ name, type, column, sortColumn, searchColumn, schema }) => [
    name,
    type,
    column,
    sortColumn,
    searchColumn,
    schema.pipeline,
    schema.from,
    schema.nullable,
    ...(typeof schema.unique === 'object' ? [schema.unique] : []),
    ...(schema.unique === true && hasDigest(model, column) ? ['unique'] : []),
  ]);
  const { table, discriminator, list, search } = model;
  const inputs = JSON.stringify([
    table!.name,
    discriminator,
    [...list.orderings],
    search?.columns,
    model.schema.search?.fields,
    fields,
    // Fields with read rules have search columns of their own and are not part of the common search text.
    ...(search?.ruled ? [search.ruled.map(({ column }) => column)] : []),
    ...(model.schema.unique ?? []),
    ...absentValues(table!),
  ]);
  return createHash('sha256').update(inputs).digest('hex');
}
