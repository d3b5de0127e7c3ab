// Orders by several keys.
import type { ResourceModel } from '../../model/model.js';
import type { ListPlan } from '../../model/list.js';
import type { Operation } from '../../model/operation.js';
import type { OrderKey } from '../../model/query.js';
import type { SortKey } from '../../model/query-language.js';
import { predicateFor } from '../rights/predicate-for.js';
import { wrong } from './query-errors.js';

/**
 * The requested order; equal items by id, in the direction of the last key. Narrows the plan to rows in which the
 * caller may read what they are ordered by.
 * @throws ResourceError 400 for a key that does not exist, or not for this caller
 */
export function sortOrder(keys: readonly SortKey[], plan: ListPlan, op: Operation): OrderKey[] {
  const { model, actor } = op;
  const order: OrderKey[] = [];
  for (const { name, direction } of keys) {
    const column = model.list.orderings.get(name);
    const guard = model.list.orderingGuards.get(name);
    const rows = guard && predicateFor(guard, actor);
    if (column === undefined || rows?.op === 'false') throw unknownKey(name, op);
    if (rows) plan.where.push(rows);
    // No two items share an id: what comes after it decides nothing, and a position ends with it.
    if (!hasId(order)) order.push({ column, direction });
  }
  return model.table && !hasId(order) ? [...order, { column: 'id', direction: keys.at(-1)!.direction }] : order;
}

function hasId(order: readonly OrderKey[]): boolean {
  return order.some((key) => 'column' in key && key.column === 'id');
}

function unknownKey(name: string, { model, actor }: Operation): Error {
  const allowed = sortNames(model).filter((each) => {
    const guard = model.list.orderingGuards.get(each);
    return !guard || predicateFor(guard, actor).op !== 'false';
  });
  // Relevance and the like order a list alone.
  const isAlone = model.list.orderings.has(name) && model.list.orderings.get(name) === undefined;
  const why = isAlone ? 'has no direction, and cannot be combined with others' : 'is no sort key of this list';
  return wrong('orderby', 'rest_not_in_enum', `: "${name}" ${why}. Allowed: ${allowed.join(', ')}.`);
}

/** Orderings that can be one of several keys. */
export function sortNames({ list }: ResourceModel): string[] {
  return [...list.orderings].filter(([, column]) => column !== undefined).map(([name]) => name);
}
