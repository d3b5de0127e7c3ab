// Selects the rows of a planned list: a page by its number, with the total, or the one after a cursor.
import type { ListPlan } from '../model/list.js';
import type { Operation, Result } from '../model/operation.js';
import { and, queriesOtherTables, withoutOtherTables, type Predicate, type Query, type Row } from '../model/query.js';
import { CURSOR } from '../model/query-language.js';
import { isDense, spreadOf } from './list-plan.js';
import { present } from './presentation/present.js';
import { selectionOf } from './presentation/selection.js';
import { cursorOf, plainKeys } from './query/cursor.js';
import { neverSeen } from './rights/field-rights.js';
import { ResourceError } from '../errors/resource-error.js';

/**
 * The items of a page by its number, with the totals of the list.
 * @throws ResourceError for a page beyond the last one, if the resource defines an error for it
 */
export async function pageByNumber(op: Operation, plan: ListPlan, where: Predicate): Promise<Result> {
  if (plan.order.some((key) => 'random' in key)) op.state.volatile = true;
  const { total, rows } = await rowsAndTotal(op, plan, where);
  const body = await present(op, rows);
  return { status: 200, body, ...totals(plan, total, op) };
}

/** The items of a page by cursor: one extra row tells whether there is a next page. */
export async function pageBehindCursor(op: Operation, plan: ListPlan, where: Predicate): Promise<Result> {
  const limit = plan.limit!;
  const keys = plainKeys(plan.order, op, CURSOR);
  const counting = op.query?.uncounted ? undefined : op.store.count(op.model.table!.name, where);
  // It is awaited below, where a failed read does not lead.
  counting?.catch(() => undefined);
  const rows: Row[] = [];
  for (const part of plan.after!) {
    const query = queryOf(op, { ...plan, limit: limit + 1 - rows.length }, and(where, part));
    const columns = [...new Set([...query.columns, ...keys.map(({ column }) => column)])];
    if (query.limit! > 0) rows.push(...(await op.store.select({ ...query, columns })));
  }
  const total = await counting;
  const shown = rows.slice(0, limit);
  const body = await present(op, shown);
  const next = rows.length > limit ? cursorOf(shown.at(-1)!, keys, op) : null;
  return {
    status: 200,
    body,
    next,
    ...(total === undefined ? {} : { total, totalPages: Math.ceil(total / limit) }),
  };
}

/**
 * Rows of the page, and the total: queried concurrently, except where the total decides how the page is found.
 */
async function rowsAndTotal(op: Operation, plan: ListPlan, where: Predicate): Promise<{ rows: Row[]; total: number }> {
  const { name } = op.model.table!;
  const counting = op.store.count(name, where);
  const isBehindAll = plan.limit === undefined && plan.offset > 0;
  if (isBehindAll || op.params['search'] || where.op === 'false' || queriesOtherTables(where)) {
    const total = await counting;
    requirePage(op, plan, total);
    const empty = total === 0 || plan.offset >= total;
    if (empty) return { total, rows: [] };
    const all = withoutOtherTables(where);
    const walked = () => (op.store.isCounted(name, all) ? op.store.count(name, all) : undefined);
    const spread = spreadOf(op.store, { table: name, where, order: plan.order }, walked);
    const dense = await isDense(op, plan, total, spread);
    return { total, rows: await op.store.select(queryOf(op, plan, where, dense)) };
  }
  const [total, rows] = await Promise.all([counting, op.store.select(queryOf(op, plan, where))]);
  requirePage(op, plan, total);
  return { total, rows };
}

function queryOf(op: Operation, plan: ListPlan, where: Predicate, dense = false): Query {
  const unseen = neverSeen(op.model, op.actor);
  const { columns, virtualColumns: slots } = selectionOf(op.model, op.context, op.fields, false, unseen);
  return {
    table: op.model.table!.name,
    columns,
    adds: slots,
    where,
    order: plan.order,
    ...(op.budget ? { budget: op.budget } : {}),
    ...(plan.limit === undefined ? {} : { limit: plan.limit }),
    ...(plan.offset > 0 ? { offset: plan.offset } : {}),
    ...(dense && 'column' in (plan.order[0] ?? {}) ? { dense: true } : {}),
  };
}

/** Position in a list. */
export type PageState = Pick<ListPlan, 'limit' | 'offset' | 'page'>;

/** Rejects a page beyond the last one, if the resource defines an error for it. */
export function requirePage(op: Operation, { limit, page }: PageState, total: number): void {
  const beyond = op.model.list.pageOutOfRange;
  const last = limit ? Math.ceil(total / limit) : 1;
  if (beyond && total > 0 && page > last && op.params['offset'] === undefined)
    throw new ResourceError(beyond, { like: 'rest_post_invalid_page_number' });
}

/** Total, number of pages and current page. */
export function totals({ limit, offset, page }: PageState, total: number, op: Operation): Partial<Result> {
  if (limit === undefined) return { total, totalPages: total > 0 ? 1 : 0, page };
  const { pageOutOfRange, linksFromOffset } = op.model.list;
  const derived = linksFromOffset && !pageOutOfRange && op.params['offset'] !== undefined;
  return { total, totalPages: Math.ceil(total / limit), page: derived ? Math.ceil(offset / limit) + 1 : page };
}
