// Loads the item of an operation with the results of its row rules.
import { itemNotFound } from '../errors/not-found.js';
import { ResourceError } from '../errors/resource-error.js';
import type { Operation, OutputBudget } from '../model/operation.js';
import { and, equals, type Row } from '../model/query.js';
import type { OperationKind } from '../model/schema/schema.js';
import { checkOperation, rejectBelowHidden } from './check-operation.js';
import { stepsHold } from './rights/policy-results.js';
import { rejectAnonymous } from './rights/policy.js';
import type { RowChecks } from './rights/predicate-for.js';
import { readChecks, rowChecks } from './rights/row-checks.js';
import { WriteMemory } from './writes/write-memory.js';

/**
 * The row of an item operation, with the results of its row rules for `kinds` in `op.ruleResults`; sets `op.id`.
 * @throws ResourceError when there is none, or when it is below another parent
 */
export async function loadItem(
  op: Operation,
  columns: readonly string[],
  kinds: readonly OperationKind[],
): Promise<Row> {
  const { model, store } = op;
  const checks = rowChecks(op, kinds);
  const where = and(equals(model.key.column!, op.id), model.rowScope);
  const find = (names: readonly string[], budget?: OutputBudget) =>
    op.id === 0 ? undefined : store.first(model.table!.name, names, where, checks.predicates, budget);
  const budget =
    op.budget &&
    beforeTexts(op.budget, async () => {
      const light = await requireFound(op, await find(model.lightColumns), checks);
      if (kinds.includes(op.kind) && !stepsHold(op, op.kind)) await checkOperation(op, light);
    });
  return requireFound(op, await find(columns, budget), checks);
}

/** The row that was loaded. Throws when there is none, or when it is below another parent. */
async function requireFound(op: Operation, row: Row | undefined, checks: RowChecks): Promise<Row> {
  const { model } = op;
  const misplaced = row !== undefined && model.parent && row[model.parent.field.column!] !== op.parentId;
  if (!row || misplaced) {
    await rejectBelowHidden(op);
    await rejectAnonymous(op);
    await runMissingHooks(op);
  }
  if (!row) throw itemNotFound({ labels: model.labels, code: model.errors.notFound }, op.id);
  setRuleResults(op, row, checks);
  if (misplaced && model.parent) {
    const code = model.parent.mismatch ?? model.errors.notFound;
    if (code === model.errors.notFound) throw itemNotFound({ labels: model.labels, code }, op.id);
    throw new ResourceError(code, { like: 'rest_post_invalid_id' });
  }
  op.state.sought ??= op.id;
  op.id = row['id'] as number;
  return row;
}

async function runMissingHooks(op: Operation): Promise<void> {
  if (op.kind === 'delete') for (const hook of op.model.hooks.missing) await hook.run(op);
}

/** The row as the transaction of a write has left it, with the same results; undefined when it no longer exists. */
export async function reloadItem(op: Operation): Promise<Row | undefined> {
  const checks = rowChecks(op, ['retrieve', 'update', 'delete']);
  const { name } = op.model.table!;
  // Measuring a row before it is loaded costs as much as loading a small one.
  const budget = op.budget instanceof WriteMemory && op.budget.isLarge ? op.budget : undefined;
  const row = await op.store.first(name, op.model.allColumns, equals('id', op.id as number), checks.predicates, budget);
  if (row) setRuleResults(op, row, checks);
  return row;
}

/** Sets `op.ruleResults` to the results of the row rules; an item that stays may not be deleted by anyone. */
function setRuleResults(op: Operation, row: Row, checks: RowChecks): void {
  const { policy, faces } = op.model;
  readChecks(op, row, checks);
  if (!faces.stays?.(row, op.site)) return;
  for (const index of policy.delete.keys()) op.ruleResults[`delete:${index}`] = false;
}

/** A budget that first checks whether the caller may read the row whose texts are about to be loaded. */
function beforeTexts(budget: OutputBudget, check: () => Promise<void>): OutputBudget {
  return {
    get bytes() {
      return budget.bytes;
    },
    take: (bytes) => check().then(() => budget.take(bytes)),
  };
}
