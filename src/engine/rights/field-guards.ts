// Prevents lists from revealing values that the caller may not read: filtering or sorting by a guarded field is
// rejected or restricted to rows in which the caller may read it.
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { ListPlan, ParamModel } from '../../model/list.js';
import type { Operation } from '../../model/operation.js';
import type { Actor } from '../../model/actor.js';
import { listConditions } from './policy.js';
import { predicateFor } from './predicate-for.js';

/**
 * Narrows a plan to the rows whose value the caller may read.
 * @throws ResourceError `rest_forbidden_param` when there are none
 */
export function guardParam({ name, guard, schema }: ParamModel, value: unknown, plan: ListPlan, op: Operation): void {
  if (!guard || isIdle(value, schema.default)) return;
  const rows = predicateFor(guard, op.actor);
  if (rows.op === 'false') throw forbidden('rest_forbidden_param', name);
  plan.where.push(rows);
}

/** Whether a value has no effect: the default, or an empty list. */
function isIdle(value: unknown, usual: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || JSON.stringify(value) === JSON.stringify(usual);
}

/**
 * The ordering to use: the one given, or none when a default ordering would reveal values that the caller may not read.
 * @throws ResourceError `rest_forbidden_orderby` for a requested ordering
 */
export function guardOrder(name: string, plan: ListPlan, op: Operation): string | undefined {
  const { list } = op.model;
  const guard = list.orderingGuards.get(name);
  if (!guard) return name;
  const rows = predicateFor(guard, op.actor);
  if (name === list.defaultOrderby) return rows.op === 'true' ? name : undefined;
  if (rows.op === 'false') throw forbidden('rest_forbidden_orderby', `orderby=${name}`);
  plan.where.push(rows);
  return name;
}

/** Whether the default order of a resource reveals no values that the caller may not read. */
export function mayOrderAsUsual({ list }: ResourceModel, actor: Actor): boolean {
  const guard = list.orderingGuards.get(list.defaultOrderby);
  return !guard || predicateFor(guard, actor).op === 'true';
}

/**
 * Narrows a plan by the row conditions of steps about its parameters; below a parent, the parent has been checked for
 * all rows.
 */
export function guardSteps(plan: ListPlan, op: Operation): void {
  const conditions = listConditions(op);
  plan.where.push(...(op.model.parent ? conditions.filter(({ op: kind }) => kind === 'false') : conditions));
}

function forbidden(code: string, what: string): ResourceError {
  const message = `You may not read the field that ${what} looks at, so you may not list by it. Leave it out.`;
  return new ResourceError(code, { message, denied: true });
}
