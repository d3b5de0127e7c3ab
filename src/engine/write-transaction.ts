// Runs a write in one transaction, after the slow work that is not SQL.
import { isUndecided, ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation, Result } from '../model/operation.js';
import { followingOperation } from '../model/new-operation.js';
import type { TextPoolRunner } from '../model/runtime/texts.js';
import { equals, type Row } from '../model/query.js';
import type { Store, Transaction } from '../model/store.js';
import { checkOperation, resolveParent } from './check-operation.js';
import { loadItem } from './load-item.js';
import { storeResult, replay, type Rechecks } from './replays/replay.js';
import { couldEver } from './rights/coarse-policy.js';
import { compensate } from './writes/compensate.js';
import { duplicateError, isDuplicate } from './writes/duplicate.js';
import { requireEncodable } from './writes/encodable.js';
import { failedWrite } from './writes/failed-write.js';
import { blameHook } from './writes/hook-values.js';
import { PreparedTexts } from './writes/prepared-texts.js';
import { checkTexts } from './writes/text-sizes.js';
import { locksOf } from './writes/write-locks.js';
import { WriteMemory } from './writes/write-memory.js';

/**
 * Checks the sizes of the values sent and does what is slow: hashing, storing a file. Undoes that when it fails.
 * @throws ResourceError when the write is rejected already
 */
export async function prepareWrite(op: Operation): Promise<void> {
  try {
    // Before the transaction: what cannot be stored must not block other writers.
    checkTexts(op);
    await prepareValues(op);
  } catch (error) {
    await compensate(op);
    throw error;
  }
}

/** Slow non-SQL work runs before the transaction, and only for callers who may write at all. */
async function prepareValues(op: Operation): Promise<void> {
  const slow = [...op.model.fields.values()].filter(
    (field) => field.prepare && typeof op.values[field.name] === 'string',
  );
  const hooks = op.model.hooks.prepare;
  if (slow.length === 0 && hooks.length === 0) return;
  const { id } = op;
  if (op.kind === 'update') await loadItem(op, op.model.allColumns, ['update']).then((row) => checkOperation(op, row));
  else await checkOperation(op);
  for (const field of slow) op.values[field.name] = await field.prepare!(op.values[field.name], op);
  for (const hook of hooks) await hook.run(op);
  // The transaction looks for the item by its key.
  op.id = id;
}

/** What the writes of a service share. */
export interface WriteParts {
  readonly store: Store;
  /** Results of text functions of writes in one transaction. */
  readonly texts: PreparedTexts | undefined;
  readonly rechecks: Rechecks;
}

type Work = (tx: Transaction) => Promise<Result>;

/**
 * Runs `work` in a transaction that holds the locks of the operation, and again from its start when the database or a
 * large text requires it; a stored response to the same `Idempotency-Key` takes its place.
 * @throws ResourceError when the write is rejected; what it did outside the database is undone
 */
export async function writeInTransaction(op: Operation, parts: WriteParts, work: Work): Promise<Result> {
  const { store, rechecks } = parts;
  const { values, context, fields, id, state } = op;
  const needs = locksOf(op);
  const texts = parts.texts ?? new PreparedTexts(op.site.textsOf?.(op.actor) ?? atOnce);
  op.runText = texts.run;
  const memory = op.budget && new WriteMemory(op.budget);
  let isReplay = false;
  const attempt = () =>
    store.transaction(async (tx) => {
      op.tx = tx;
      op.store = tx;
      if (memory) op.budget = memory;
      memory?.restart();
      op.related.clear();
      op.values = { ...values };
      op.context = context;
      op.fields = fields;
      op.id = id;
      op.state = { ...state };
      const caller = callerIn(op, tx);
      const first = await replay(op, tx, rechecks);
      isReplay = first !== undefined;
      if (first) return first;
      const result = await work(tx);
      requireEncodable(op, result);
      // Deleted since it was identified: items would have an author that does not exist.
      if (caller && (await caller).length === 0) throw new ResourceError('rest_not_logged_in');
      await storeResult(op, result, tx, rechecks);
      return result;
    }, needs);
  try {
    if (!couldEver(op.model, op.kind, op.actor)) await permitWrite(op);
    // A duplicate missed by the checks was written in the meantime; on the second attempt they reject it with their
    // specific error.
    const retry = () => {
      state.repeats = true;
      return attempt();
    };
    const result = await texts.complete(
      () => attempt().catch((error) => (isDuplicate(error) ? retry() : Promise.reject(error))),
      memory,
    );
    // The file of this request was stored before its key was looked up, and belongs to no item.
    if (isReplay) await compensate(op);
    await store.noteWrite(op.actor);
    return result;
  } catch (error) {
    // Otherwise the sweep of files decides by what it finds in the database.
    if (!isUndecided(error)) await compensate(op);
    throw await errorFor(error, op, store);
  }
}

/** The table of the accounts that items of a resource refer to; null where they do not. */
const accountTables = new WeakMap<ResourceModel, string | null>();

function accountTable(model: ResourceModel): string | null {
  let table = accountTables.get(model);
  if (table === undefined) {
    const targets = [...model.fields.values()].flatMap((field) => field.targets ?? []);
    table = targets.find(({ faces }) => faces.accounts)?.table?.name ?? null;
    accountTables.set(model, table);
  }
  return table;
}

/**
 * Looks for the account of a caller with credentials, where items refer to accounts; sent together with what comes next.
 */
function callerIn({ model, kind, actor, trusted }: Operation, tx: Transaction): Promise<Row[]> | undefined {
  if (kind === 'delete' || trusted || actor.via === undefined || !(actor.id > 0)) return undefined;
  const table = accountTable(model);
  if (table === null) return undefined;
  const query = { table, columns: ['id'], where: equals('id', actor.id), order: [] };
  // Often the presented item refers to the same account, which is then read once.
  tx.ahead(query);
  const found = tx.select(query);
  // A failure is reported where the result is awaited.
  found.catch(() => undefined);
  return found;
}

/** The error that the caller gets for one that ended the transaction. */
async function errorFor(error: unknown, op: Operation, store: Store): Promise<unknown> {
  const duplicate = isDuplicate(error) ? await duplicateError(error, op, store.reader) : undefined;
  return duplicate ?? failedWrite(error, op) ?? blameHook(error, op);
}

/** Rejects a write of a caller without permission; leaves the operation as it is. */
export async function permitWrite(write: Operation): Promise<void> {
  const op = followingOperation(write, { values: { ...write.values } });
  await resolveParent(op);
  const current = op.kind === 'create' ? undefined : await loadItem(op, op.model.allColumns, [op.kind]);
  await checkOperation(op, current);
}

/** Without a pool, text functions run in process. */
const atOnce: TextPoolRunner = async (work, ...texts) => work(...texts);
