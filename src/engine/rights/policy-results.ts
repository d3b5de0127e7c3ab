// Whether the steps of a policy pass: the methods that a caller may use, the contexts in which they may retrieve an item.
import { inScope } from '../../model/actor.js';
import { newOperation } from '../../model/new-operation.js';
import type { Operation } from '../../model/operation.js';
import type { Context, OperationKind } from '../../model/schema/schema.js';
import { evaluate } from './evaluate.js';
import { predicateFor } from './predicate-for.js';
import { stepApplies, virtualRow } from './policy-steps.js';

/** Methods of a route that the caller may use, in route order. */
export async function allowedMethods(op: Operation, route: 'collection' | 'item'): Promise<string[]> {
  const offers = (kind: OperationKind) => op.model.operations.has(kind) && inScope(op.actor, op.model.path, kind);
  if (route === 'collection') {
    return [
      ...(offers('list') && (await passes(op, 'list')) ? ['GET'] : []),
      ...(offers('create') && (await passes(op, 'create')) ? ['POST'] : []),
    ];
  }
  return [
    ...(offers('retrieve') && stepsHold(op, 'retrieve') ? ['GET'] : []),
    ...(offers('update') && stepsHold(op, 'update') ? ['POST', 'PUT', 'PATCH'] : []),
    ...(offers('delete') && stepsHold(op, 'delete') ? ['DELETE'] : []),
  ];
}

/** Whether `retrieve` would return the item in a context, by the results of `rowChecks`. */
export function readsIn(op: Operation, context: Context): boolean {
  const retrieval = newOperation({ ...op, kind: 'retrieve', params: { context } });
  return op.model.policy.retrieve.every(
    (step, index) =>
      !stepApplies(step, retrieval) ||
      (op.ruleResults[`retrieve:${index}`] ?? predicateFor(step.needs, op.actor).op === 'true'),
  );
}

/** Whether the unconditional steps of an item operation pass, by the results of `rowChecks`. */
export function stepsHold(op: Operation, kind: OperationKind): boolean {
  return op.model.policy[kind].every((step, index) => {
    if (step.field || (step.param && (kind !== op.kind || !stepApplies(step, op)))) return true;
    return op.ruleResults[`${kind}:${index}`] ?? predicateFor(step.needs, op.actor).op === 'true';
  });
}

/** Whether a caller passes the unconditional steps of an operation on a collection. */
export async function passes(op: Operation, kind: OperationKind): Promise<boolean> {
  for (const step of op.model.policy[kind]) {
    if (step.field || step.asParameterError || (step.param && (kind !== op.kind || !stepApplies(step, op)))) continue;
    const predicate = predicateFor(step.needs, op.actor);
    if (predicate.op === 'false') return false;
    // For a list the rows decide, for a new item the values sent.
    const dependsOnRow = kind === 'create' || op.model.parent !== undefined;
    if (predicate.op !== 'true' && dependsOnRow && !(await evaluate(predicate, virtualRow(op), op.store))) return false;
  }
  return true;
}
