// The checks of an operation, and of the parent in its path.
import { itemNotFound } from '../errors/not-found.js';
import { ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import { followingOperation, newOperation } from '../model/new-operation.js';
import type { Operation } from '../model/operation.js';
import { and, equals, type Row } from '../model/query.js';
import { authorize, checkParams } from './rights/policy.js';
import { NO_CHECKS, readChecks, rowChecks } from './rights/row-checks.js';

/**
 * Runs the hooks and policy steps of an operation, and those of its parent; `current` is the row of an item operation.
 * @throws ResourceError the error of the first that rejects it
 */
export async function checkOperation(op: Operation, current?: Row): Promise<void> {
  for (const hook of op.model.hooks.authorize) await denying(() => hook.run(op, current));
  if (op.kind !== 'list') await checkParams(op);
  await authorize(op, current);
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
      checks.asked,
    ));
  if (!row) throw itemNotFound({ labels: parent.model.labels, code: parent.notFound }, op.parentId);
  readChecks(above, row, checks);
  op.parent = row;
  op.above = above;
  if (parent.hides === 'first') await checkOperation(above, row);
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

/** Callers who may not retrieve the parent may do nothing below it. */
async function checkParent(op: Operation): Promise<void> {
  if (op.model.parent?.hides === 'last' && op.above) await checkOperation(op.above, op.parent);
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
async function denying(run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ResourceError) error.denied = true;
    throw error;
  }
}
