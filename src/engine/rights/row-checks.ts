// The rules about one row, evaluated by the statement that loads it. Determined once per caller, model and kinds of
// operation: many rules have the same condition, and each condition is evaluated once.
import { ruleTimeReads } from '../../model/runtime/clock.js';
import type { Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import type { Predicate, Row } from '../../model/query.js';
import type { OperationKind } from '../../model/schema/schema.js';
import { predicateFor, rulesOf, type RowChecks } from './predicate-for.js';

/** No rules. */
export const NO_CHECKS: RowChecks = { predicates: Object.freeze({}), columns: [], settled: {} };

/** The rules of a model, and the steps of some kinds of operation, for the caller of an operation. */
export function rowChecks({ model, actor }: Operation, kinds: readonly OperationKind[]): RowChecks {
  const known = rulesOf(actor).rowChecks;
  let ofModel = known.get(model);
  if (!ofModel) known.set(model, (ofModel = new Map()));
  const key = kinds.join();
  let checks = ofModel.get(key);
  if (checks) return checks;
  const reads = ruleTimeReads();
  checks = compile(model, actor, kinds);
  // What depends on the time is not cached.
  if (reads === ruleTimeReads()) ofModel.set(key, checks);
  return checks;
}

function compile(model: ResourceModel, actor: Actor, kinds: readonly OperationKind[]): RowChecks {
  const predicates: Record<string, Predicate> = {};
  const columns: [string, string][] = [];
  const settled: Record<string, boolean> = {};
  const byText = new Map<string, string>();
  for (const [name, predicate] of predicatesOf(model, actor, kinds)) {
    if (predicate.op === 'true' || predicate.op === 'false') {
      settled[name] = predicate.op === 'true';
      continue;
    }
    const text = JSON.stringify(predicate);
    let column = byText.get(text);
    if (column === undefined) byText.set(text, (column = `?${byText.size}`));
    predicates[column] = predicate;
    columns.push([name, column]);
  }
  // Frozen, so that the store can cache the text of the statement.
  return { predicates: Object.freeze(predicates), columns, settled };
}

function* predicatesOf(
  model: ResourceModel,
  actor: Actor,
  kinds: readonly OperationKind[],
): Generator<[string, Predicate]> {
  for (const [name, rule] of model.rules) yield [name, predicateFor(rule, actor)];
  for (const kind of kinds) {
    for (const [index, step] of model.policy[kind].entries())
      yield [`${kind}:${index}`, predicateFor(step.needs, actor)];
  }
  for (const kind of ['read', 'write'] as const) {
    for (const right of model.rights?.[kind] ?? []) yield [`${kind}:${right.name}`, predicateFor(right[kind]!, actor)];
  }
  for (const link of model.links) if (link.needs) yield [`link:${link.rel}`, predicateFor(link.needs, actor)];
}

/** Moves the results from the loaded row to the operation. */
export function readChecks(op: Operation, row: Row, { predicates, columns, settled }: RowChecks): void {
  Object.assign(op.ruleResults, settled);
  for (const [name, column] of columns) op.ruleResults[name] = Boolean(row[column]);
  // In reverse order, so that the row regains its original shape.
  for (const column of Object.keys(predicates).reverse()) delete row[column];
}
