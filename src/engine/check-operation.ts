// The checks of an operation, and of the parent in its path.
import { itemNotFound } from '../errors/not-found.js';
import { ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import { followingOperation, newOperation } from '../model/new-operation.js';
import type { Operation } from '../model/operation.js';
import { and, equals, type Row } from '../model/query.js';
import { authorize, checkParams } from './rights/policy.js';
import { withUnchangedMeta } from './write-meta.js';
import { NO_CHECKS, readChecks, rowChecks } from './rights/row-checks.js';

/**
 * Runs the hooks and policy steps of an operation, and those of its parent; `current` is the row of an item operation.
 * @throws ResourceError the error of the first that rejects it
 */
export async function checkOperation(op: Operation, current?: Row): Promise<void> {
  try {
    for (const hook of op.model.hooks.authorize) await markErrorsDenied(() => hook.run(op, current));
    if (op.kind !== 'list') await checkParams(op);
    await authorize(op, current && (await withUnchangedMeta(op, current)));
  } catch (error) {
    // The error of the item would reveal that the parent exists.
    await rejectBelowHidden(op);
    throw error;
  }
  await checkParent(op);
}

/**
 * Loads the parent in the path of an operation into `op.parent`.
 * @throws ResourceError when there is none, or when it is hidden from the caller
 */
export async function resolveParent(op: Operation): Promise<void> {
  const { parent } = op.model;
  if (!parent) return;
  const above = retrievalOf(op, parent.model);
  const checks = parent.hides ? rowChecks(above, ['retrieve']) : NO_CHECKS;
  const row =
    op.parentId > 0 &&
    (await op.store.first(
      parent.model.table!.name,
      parent.model.lightColumns,
      and(equals('id', op.parentId), parent.model.rowScope),
      checks.predicates,
    ));
  if (!row) throw noParent(op);
  readChecks(above, row, checks);
  op.parent = row;
  op.above = above;
  if (parent.hides === 'first') await retrieveParent(op);
}

/**
 * Refuses what is below a parent that is hidden from the caller, as it is below one that does not exist.
 * @throws ResourceError that of a missing parent
 */
export async function rejectBelowHidden(op: Operation): Promise<void> {
  if (op.model.parent?.hides !== 'last' || !op.above) return;
  const refusal = await checkOperation(op.above, op.parent).catch((error: unknown) => error);
  if (isHidden(refusal, op)) throw noParent(op);
}

/**
 * The same for another parent, below which an update puts the item.
 * @throws ResourceError when there is none, or when it is hidden from the caller
 */
export async function checkMove(op: Operation, parentId: number): Promise<void> {
  const moved = followingOperation(op, { parentId, parent: undefined, above: undefined });
  await resolveParent(moved);
  await checkParent(moved);
}

/**
 * Whether the caller may retrieve the parent, as far as that is necessary for what is below it.
 * @throws ResourceError that of a missing parent when it is hidden from the caller
 */
export async function mayReadParent(op: Operation): Promise<boolean> {
  try {
    await checkParent(op);
    return true;
  } catch (error) {
    const isRefused = error instanceof ResourceError && error.status !== 503;
    if (isRefused && error.code !== op.model.parent!.notFound) return false;
    throw error;
  }
}

/** Callers who may not retrieve the parent may do nothing below it. */
async function checkParent(op: Operation): Promise<void> {
  if (op.model.parent?.hides === 'last' && op.above) await retrieveParent(op);
}

/** Checks that the caller may retrieve the parent; one that is hidden is refused with the code of a missing one. */
async function retrieveParent(op: Operation): Promise<void> {
  await checkOperation(op.above!, op.parent).catch((error: unknown) => {
    throw isHidden(error, op) ? noParent(op) : error;
  });
}

/** Whether an error of the parent's checks hides it. */
function isHidden(error: unknown, { model: { parent } }: Operation): boolean {
  return error instanceof ResourceError && error.code === parent!.model.errors.notFound;
}

function noParent({ model: { parent }, parentId }: Operation): ResourceError {
  return itemNotFound({ labels: parent!.model.labels, code: parent!.notFound }, parentId);
}

/** The operation of retrieving an operation's parent, for permission checks. */
function retrievalOf(op: Operation, model: ResourceModel): Operation {
  const { actor, site, store, headers } = op;
  const params = Object.fromEntries(
    model.openings.filter((name) => op.params[name] !== undefined).map((name) => [name, op.params[name]]),
  );
  return newOperation({ model, kind: 'retrieve', id: op.parentId, params, actor, site, store, headers });
}

/** Marks an error of an authorize hook as a missing permission. */
async function markErrorsDenied(run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ResourceError) error.denied = true;
    throw error;
  }
}
