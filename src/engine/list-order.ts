// The order of a list: the one requested, or the default of the resource.
import { ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { ListPlan } from '../model/list.js';
import type { Operation } from '../model/operation.js';
import type { OrderKey } from '../model/query.js';
import { guardOrder, mayOrderAsUsual } from './rights/field-guards.js';
import { sortOrder } from './query/sorting.js';
import { relevanceOrder } from './search.js';

/**
 * The order of a list.
 * @throws ResourceError for an ordering that the caller may not use, or that lacks what it orders by
 */
export function orderOf(plan: ListPlan, op: Operation): OrderKey[] {
  if (op.model.view?.order) return sortOrder(op.model.view.order, plan, op);
  if (op.query?.order) return sortOrder(op.query.order, plan, op);
  const { list } = op.model;
  const orderby = guardOrder((op.params['orderby'] as string | undefined) ?? list.defaultOrderby, plan, op);
  const direction = (op.params['order'] as 'asc' | 'desc' | undefined) ?? list.defaultOrder;
  if (orderby === undefined) return fieldOrder(op.model, 'id', direction);
  if (orderby === 'include') return includeOrder(op);
  if (orderby === 'relevance') {
    if (!op.params['search']) throw new ResourceError('rest_no_search_term_defined');
    return [...relevanceOrder(op.params['search'], op), ...usualOrder(op, 'desc')];
  }
  if (orderby === 'include_slugs') return slugOrder(op, direction);
  return fieldOrder(op.model, orderby, direction);
}

/** The default order of a list. */
function usualOrder(op: Operation, direction: 'asc' | 'desc'): OrderKey[] {
  return fieldOrder(op.model, mayOrderAsUsual(op.model, op.actor) ? op.model.list.defaultOrderby : 'id', direction);
}

/** A column, with the id as tie-break in the same direction. */
function fieldOrder(model: ResourceModel, name: string, direction: 'asc' | 'desc'): OrderKey[] {
  const column = model.list.orderings.get(name);
  const keys: OrderKey[] = column && column !== 'id' ? [{ column, direction }] : [];
  return model.table ? [...keys, { column: 'id', direction }] : keys;
}

function includeOrder(op: Operation): OrderKey[] {
  const include = (op.params['include'] ?? []) as number[];
  if (include.length > 0) return [{ list: include, column: 'id' }];
  if (op.model.list.pageOutOfRange) throw new ResourceError('rest_orderby_include_missing_include');
  return usualOrder(op, op.model.list.defaultOrder);
}

function slugOrder(op: Operation, direction: 'asc' | 'desc'): OrderKey[] {
  const slugs = (op.params['slug'] ?? []) as string[];
  const column = op.model.fields.get('slug')?.column;
  return column && slugs.length > 0 ? [{ list: slugs, column }] : usualOrder(op, direction);
}
