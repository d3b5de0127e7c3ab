// The lists whose items are found together, and one order for all of them.
import { ResourceError } from '../../errors/resource-error.js';
import type { FoundSource } from '../../model/list.js';
import { followingOperation } from '../../model/new-operation.js';
import type { Operation } from '../../model/operation.js';
import { FALSE, type MergeKey, type Predicate } from '../../model/query.js';
import { permit } from '../embed/list-many.js';
import { mayOrderAsUsual } from '../rights/field-guards.js';
import { planList, whereOf } from '../list-plan.js';
import { relevanceOrder } from '../search.js';

/** Parameters that say which page a list shows, and in which order. */
const PAGE_PARAMS = ['context', 'page', 'per_page', 'order', 'orderby'];

/** The list of one resource. */
export interface Planned {
  source: FoundSource;
  op: Operation;
  where: Predicate;
  order: readonly MergeKey[];
}

/** The lists of the resources that the caller may list, narrowed by a search text where there is one. */
export async function planSources(op: Operation, sources: readonly FoundSource[], text: string): Promise<Planned[]> {
  const planned: Planned[] = [];
  const usual = sources.every(({ model }) => mayOrderAsUsual(model, op.actor));
  for (const source of sources) {
    const own = listOf(op, source, text);
    if (!(await isPermitted(own))) continue;
    const where = whereOf(await planList(own));
    planned.push({ source, op: own, where, order: orderOf(own, text, usual) });
  }
  return planned;
}

/** The list with the defaults of its parameters. */
function listOf(op: Operation, { model }: FoundSource, text: string): Operation {
  const params: Operation['params'] = {};
  for (const [name, { schema }] of model.listParams)
    if (schema.default !== undefined && !PAGE_PARAMS.includes(name)) params[name] = schema.default;
  if (text !== '') params['search'] = text;
  const context = model.contexts.includes('view') ? 'view' : model.contexts[0]!;
  return followingOperation(op, { model, params, context, fields: undefined });
}

async function isPermitted(own: Operation): Promise<boolean> {
  try {
    await permit(own);
    return true;
  } catch (error) {
    if (error instanceof ResourceError && error.statusFor(own.actor.id > 0) < 500) return false;
    throw error;
  }
}

/** By relevance where every word is searched, then in the usual order. */
function orderOf(own: Operation, text: string, usual: boolean): MergeKey[] {
  const { list, search } = own.model;
  const relevance = text !== '' && search?.mode === 'terms' ? [relevanceOf(text, own)] : [];
  const column = usual ? list.orderings.get(list.defaultOrderby) : undefined;
  const direction = list.defaultOrder;
  return [
    ...relevance,
    ...(column !== undefined && column !== 'id' ? [{ column, direction }] : []),
    { column: 'id', direction },
  ];
}

/** Resources that search a single text have no order by relevance: their items rank equally. */
function relevanceOf(text: string, own: Operation): MergeKey {
  const [key] = relevanceOrder(text, own);
  return key && 'cases' in key ? key : { cases: [FALSE], direction: 'asc' };
}
