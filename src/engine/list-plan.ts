// Builds one query from the parameters of a list: scope, filters, order, page.
import type { ListPlan } from '../model/list.js';
import type { Operation } from '../model/operation.js';
import { chain } from '../model/runtime/chain.js';
import { and, assume, not, oneOf, type Predicate } from '../model/query.js';
import type { Reader, Walk } from '../model/store.js';
import type { Scalar } from '../model/schema/schema.js';
import { guardParam, guardSteps } from './rights/field-guards.js';
import type { SavedView } from '../model/query-language.js';
import { conditionsOf, savedConditions } from './query/conditions.js';
import { behindCursor, plainKeys } from './query/cursor.js';
import { predicateFor } from './rights/predicate-for.js';
import { applySearch } from './search.js';
import { orderOf } from './list-order.js';
import type { PageState } from './list-page.js';

/** Name of the parameter with the number of the page. */
export const PAGE = 'page';

/** Number of matches from which walking in sort order is faster than the full-text index, or than the rows of a term. */
const DENSE_MATCHES = 2000;
/** Most rows that a walk in sort order may pass on its way to the page before the page is found in another way. */
const MOST_PASSED = 65_536;
/** The same for a search, whose texts are read for each row that is passed. */
const MOST_SEARCHED = 8_192;
/** Further rows it may pass for each row up to the end of the page. */
const MOST_PASSED_PER_ROW = 16;
/** Number of matches of a term up to which reading them one by one is faster than any query about the list. */
const FEW_MATCHES = 200;

/**
 * The plan of a list: every part of `where` also applies to the total. Filters and hooks are awaited only when they
 * return a promise: few query the database, and every await costs time.
 */
export async function planList(op: Operation): Promise<ListPlan> {
  const plan: ListPlan = { where: [], known: new Map(), order: [], offset: 0, page: 1 };
  for (const [column, value] of Object.entries(op.model.discriminator)) narrow(plan, column, [value]);
  if (op.model.parent) narrow(plan, op.model.parent.field.column!, [op.parentId]);
  for (const param of op.model.filterParams) {
    const value = op.params[param.name];
    if (value === undefined || value === null) continue;
    guardParam(param, value, plan, op);
    if (!param.filter) continue;
    const pending = param.filter(value, plan, op);
    if (pending) await pending;
  }
  if (op.model.view) plan.where.push(...savedRows(op.model.view, op));
  if (op.query?.conditions) {
    const pending = conditionsOf(op, op.query.conditions);
    plan.where.push(pending instanceof Promise ? await pending : pending);
  }
  applyIds(plan, op);
  if (op.params['search']) applySearch(op.params['search'], plan, op);
  // A filter may have prepended keys to the order, or replaced what follows them.
  plan.order.push(...(plan.ownOrder ?? orderOf(plan, op)));
  guardSteps(plan, op);
  applyPage(plan, op);
  for (const hook of op.model.hooks.scope) {
    const looking = hook.run(plan, op);
    if (looking) await looking;
  }
  applyVisibility(plan, op);
  if (op.query?.cursor !== undefined && plan.limit !== undefined) applyCursor(op.query.cursor, plan, op);
  return plan;
}

/** Restricts a plan to rows whose column equals one of the values, and records that. */
function narrow(plan: ListPlan, column: string, values: Scalar[]): void {
  plan.where.push(oneOf(column, values));
  plan.known.set(column, values);
}

/** The complete condition of a plan. */
export function whereOf(plan: ListPlan): Predicate {
  return and(...plan.where);
}

function applyIds(plan: ListPlan, op: Operation): void {
  const include = op.params['include'] as number[] | undefined;
  const exclude = op.params['exclude'] as number[] | undefined;
  if (include && include.length > 0) plan.where.push(oneOf('id', include));
  if (exclude && exclude.length > 0) plan.where.push(not(oneOf('id', exclude)));
}

/** Items that the caller may not read are excluded from the list and from its totals. */
function applyVisibility(plan: ListPlan, op: Operation): void {
  const rules = [
    ...(plan.readDecided ? [] : ['read']),
    ...(op.context === 'edit' && op.model.contexts.includes('edit') && op.model.editNarrows ? ['edit'] : []),
  ];
  for (const name of rules) {
    let rule = predicateFor(op.model.rules.get(name)!, op.actor);
    for (const [column, values] of plan.known) rule = assume(rule, column, values);
    plan.where.push(rule);
  }
}

function applyPage(plan: ListPlan, op: Operation): void {
  if (!op.model.list.paginated) return;
  const limit = op.params['per_page'] as number | undefined;
  plan.page = (op.params['page'] as number | undefined) ?? 1;
  if (limit === undefined) {
    // All items are on the first page.
    if (plan.page > 1) plan.offset = Number.MAX_SAFE_INTEGER;
    return;
  }
  plan.limit = limit;
  plan.offset = (op.params['offset'] as number | undefined) ?? offsetOf(plan.page, limit);
}

/** Number of rows before a page, at most the largest integer that is exact: pages beyond that are empty anyway. */
export function offsetOf(page: number, limit: number): number {
  return Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
}

/** The rows of a saved query for its caller. */
function savedRows({ where, needs }: SavedView, op: Operation): Predicate[] {
  return [savedConditions(op, where), ...(needs ? [predicateFor(needs, op.actor)] : [])];
}

/** A page by cursor has no number and skips nothing. */
function applyCursor(cursor: string, plan: ListPlan, op: Operation): void {
  plan.after = behindCursor(cursor, plainKeys(plan.order, op, 'cursor'), op);
  plan.offset = 0;
  plan.page = 1;
}

/** What is known of the rows of a list when it is decided how a page of it is found. */
export interface Spread {
  /**
   * Number of rows walked over, those of the list without the conditions on other tables; undefined where they would
   * have to be counted.
   */
  walked: () => number | undefined | Promise<number | undefined>;
  /** Whether a walk finds so many rows before it has passed a number of others. */
  finds: (rows: number, passed: number) => boolean | Promise<boolean>;
  /** Rows that a walk passes in the time it takes to read a match and sort it. */
  passedPerMatch: number;
}

/** The spread of a list that is read from a store. */
export function spreadOf(store: Reader, list: Walk, walked: Spread['walked']): Spread {
  return {
    walked,
    finds: (rows, passed) => store.findsWithin?.(list, rows, passed) ?? true,
    passedPerMatch: store.passedPerMatch?.(list) ?? 1,
  };
}

/** Whether a page is found sooner by walking in sort order. */
export function isDense(
  op: Operation,
  { offset, limit = Infinity }: PageState,
  total: number,
  { walked, finds, passedPerMatch }: Spread,
): boolean | Promise<boolean> {
  const isSearch = Boolean(op.params['search']);
  const rows = offset + limit;
  const worth = passedPerMatch * total;
  const most = (isSearch ? MOST_SEARCHED : MOST_PASSED) + MOST_PASSED_PER_ROW * rows;
  // All matches may lie far from where the list begins.
  const isNear = () => finds(rows, Math.min(worth, most));
  if (isSearch) return total > DENSE_MATCHES && (rows > DENSE_MATCHES || isNear());
  if (total > DENSE_MATCHES && rows <= DENSE_MATCHES) return isNear();
  if (total <= FEW_MATCHES || rows >= total) return false;
  // Where matches are evenly distributed, one in `all / total`.
  return chain(walked(), (all = Infinity) => rows * (all / total) <= worth && isNear());
}
