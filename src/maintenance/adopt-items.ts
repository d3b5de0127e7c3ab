// Lets new traits complete existing items: slugs, dates, keys, states. Works in batches and stores its progress, so
// that an interrupted run resumes.
import { commandLine } from '../errors/command-line.js';
import type { Problem } from '../errors/problem.js';
import { rowsOf } from '../engine/shared-table.js';
import type { Adoption } from '../model/faces.js';
import { withDerived } from '../model/functions/with-derived.js';
import type { ResourceModel } from '../model/model.js';
import { and, equals, type Row } from '../model/query.js';
import type { Reader, Store, Transaction } from '../model/store.js';
import { DERIVED } from './backfill-derived.js';
import { fixFindings } from './fix-findings.js';
import { recorded, type Recorded } from './recorded-rules.js';
import type { SiteSettings } from '../model/site/site-settings.js';

/** Rows per transaction. */
const BATCH = 100;
const ALL = -1;

/** A trait that is new for a resource with items. */
export interface Newcomer {
  model: ResourceModel;
  trait: string;
  adoption: Adoption;
  had(field: string): boolean;
}

/**
 * Traits that are new for a resource with items, in the order in which they process them. `before`: the records of the
 * last start; read from the database by default.
 */
export async function newcomers(
  models: Iterable<ResourceModel>,
  reader: Reader,
  before?: ReadonlyMap<string, Recorded>,
): Promise<Newcomer[]> {
  before ??= await recorded(reader);
  const found: Newcomer[] = [];
  for (const model of models) {
    const previous = before.get(model.name);
    const added = [...model.adoptions].filter(([trait]) => previous && !previous.adopted.includes(trait));
    if (!previous || added.length === 0 || !(await hasItems(model, reader))) continue;
    found.push(...added.map(([trait, adoption]) => ({ model, trait, adoption, had: hadIn(previous) })));
  }
  return found;
}

async function hasItems(model: ResourceModel, reader: Reader): Promise<boolean> {
  if (!model.table) return false;
  const rows = await reader.select({
    table: model.table.name,
    columns: ['id'],
    where: rowsOf(model),
    order: [],
    limit: 1,
  });
  return rows.length > 0;
}

function hadIn({ fields }: Recorded): (name: string) => boolean {
  return (name) => Object.hasOwn(fields, name);
}

/** Why new traits cannot process the existing items, as problems that stop a start. `file` is named by the problems. */
export async function obstacles(found: readonly Newcomer[], reader: Reader, file: string): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { model, trait, adoption, had } of found) {
    const obstacle = await adoption.obstacle?.(reader, had);
    if (obstacle) problems.push({ file, path: `${model.name}.traits.${trait}`, ...obstacle });
  }
  return problems;
}

/** The traits that have not processed their items yet, as problems for a start that must not change items. */
export function unadopted(found: readonly Newcomer[], file: string): Problem[] {
  return found.map(({ model, trait }) => ({
    file,
    path: `${model.name}.traits.${trait}`,
    message: 'what this trait needs has not been computed for the existing items',
    hint: `Run: ${commandLine('migrate')}`,
  }));
}

/**
 * Lets new traits process the existing items. `onProgress` is called when a trait begins and after each thousand items,
 * `onBatch` after each batch.
 */
export async function adoptItems(
  found: readonly Newcomer[],
  store: Store,
  settings: Readonly<SiteSettings>,
  onProgress: (resource: string, trait: string, done: number) => void = () => undefined,
  onBatch: (items: number) => void = () => undefined,
): Promise<void> {
  for (const newcomer of found) {
    const { model, trait, adoption } = newcomer;
    onProgress(model.name, trait, 0);
    if (adoption.row) {
      for (let done = 0; await store.transaction((tx) => adoptSome(newcomer, tx, settings));) {
        done += BATCH;
        onBatch(BATCH);
        if (done % (10 * BATCH) === 0) onProgress(model.name, trait, done);
      }
    }
    await fixFindings((await adoption.finish?.(store.reader)) ?? [], store);
  }
  await forgetProgress(found, store);
}

/** Returns whether items are left. Processes that start together share the work: each transaction reads the progress. */
async function adoptSome(newcomer: Newcomer, tx: Transaction, settings: Readonly<SiteSettings>): Promise<boolean> {
  const { model, adoption, had } = newcomer;
  const name = markOf(newcomer);
  const mark = await tx.first(DERIVED.name, ['done'], equals('name', name));
  if (mark?.['done'] === ALL) return false;
  const rows = await rowsAfter(Number(mark?.['done'] ?? 0), model, BATCH, tx);
  const now = new Date().toISOString().slice(0, 19);
  let isStale = false;
  for (const row of rows) {
    const set = await adoption.row!(row, { tx, settings, now, had });
    if (Object.keys(set).length === 0) continue;
    await tx.update(model.table!.name, set, equals('id', row['id']));
    isStale ||= Object.keys(withDerived(model, set, {}, row)).some((column) => !(column in set));
  }
  // What is computed from these columns is computed again afterwards, for all items: unique values may be among it.
  if (isStale) await tx.delete(DERIVED.name, equals('name', model.name));
  const done = rows.length < BATCH ? ALL : (rows.at(-1)!['id'] as number);
  if (mark) await tx.update(DERIVED.name, { done }, equals('name', name));
  else await tx.insert(DERIVED.name, { name, done });
  return done !== ALL;
}

function markOf({ model, trait }: Newcomer): string {
  return `${model.name} ${trait}`;
}

/** Deletes the progress, so that a trait that is removed and added again starts over. */
async function forgetProgress(found: readonly Newcomer[], store: Store): Promise<void> {
  if (found.length === 0) return;
  await store.transaction(async (tx) => {
    for (const newcomer of found) await tx.delete(DERIVED.name, equals('name', markOf(newcomer)));
  });
}

function rowsAfter(id: number, model: ResourceModel, limit: number, reader: Reader): Promise<Row[]> {
  if (!model.table) return Promise.resolve([]);
  return reader.select({
    table: model.table.name,
    columns: [...model.table.columns.keys()],
    where: and(rowsOf(model), { op: 'gt', column: 'id', value: id }),
    order: [{ column: 'id', direction: 'asc' }],
    limit,
  });
}
