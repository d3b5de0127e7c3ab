// The lists that one parameter selects for several ids, read together: the comments of every post of a page.
import { ResourceError } from '../../errors/resource-error.js';
import type { ListPlan, ParamModel } from '../../model/list.js';
import { followingOperation } from '../../model/new-operation.js';
import type { Operation, View } from '../../model/operation.js';
import { and, oneOf, type Row } from '../../model/query.js';
import { planList, whereOf } from '../list-plan.js';
import { authorize, checkParams } from '../rights/policy.js';
import { present } from '../presentation/present.js';
import { neverSeen } from '../rights/field-rights.js';
import { selectionOf } from '../presentation/selection.js';
import type { Found } from './retrieve-many.js';

/**
 * The first page of the list for each id, as `param=<id>` would give it; the operation is a list without that parameter.
 * The number of statements does not depend on the number of ids, as long as none of them is refused. For resources with
 * a table and no parent, and parameters with `groups`.
 */
export async function listMany(op: Operation, param: ParamModel, ids: readonly number[]): Promise<Found<View[]>> {
  try {
    return 'column' in param.groups! ? await byColumn(op, param, ids) : await byPairs(op, param, ids);
  } catch (error) {
    if (!(error instanceof ResourceError) || error.statusFor(op.actor.id > 0) >= 500) throw error;
    // Bisects to find which of the ids was refused.
    if (ids.length === 1) return new Map([[ids[0]!, error]]);
    const middle = ids.length >> 1;
    const halves = [await listMany(op, param, ids.slice(0, middle)), await listMany(op, param, ids.slice(middle))];
    return new Map(halves.flatMap((half) => [...half]));
  }
}

async function byColumn(op: Operation, param: ParamModel, ids: readonly number[]): Promise<Found<View[]>> {
  const { column: by } = param.groups as { column: string };
  const own = followingOperation(op, { params: { ...op.params, [param.name]: [...ids] } });
  await permit(own);
  const plan = await planList(own);
  const where = whereOf(plan);
  const each = sizeOf(op);
  const { name: table } = op.model.table!;
  const first = await op.store.firstOfEach({ table, by, where, order: plan.order, each });
  const { rows, views } = await show(own, op, plan, first, [by]);
  const lists: Found<View[]> = new Map(ids.map((id) => [id, [] as View[]]));
  rows.forEach((row, index) => (lists.get(row[by] as number) as View[] | undefined)?.push(views[index]!));
  return lists;
}

async function byPairs(op: Operation, param: ParamModel, ids: readonly number[]): Promise<Found<View[]>> {
  const groups = param.groups as { table: string; inner: string; refusals: Refusals };
  const lists: Found<View[]> = new Map();
  for (const [id, error] of await groups.refusals(ids, op)) lists.set(id, error as ResourceError);
  const owners = ids.filter((id) => !lists.has(id));
  for (const id of owners) lists.set(id, []);
  if (owners.length === 0) return lists;
  const own = followingOperation(op, { params: { ...op.params, [param.name]: owners[0] } });
  await permit(own);
  delete own.params[param.name];
  const plan = await planList(own);
  const pairs = await op.store.select({
    table: groups.table,
    columns: ['owner_id', groups.inner],
    where: oneOf('owner_id', owners),
    order: [],
    ...(op.budget ? { budget: op.budget } : {}),
  });
  const targets = [...new Set(pairs.map((pair) => pair[groups.inner] as number))];
  const { rows, views } = await show(own, op, plan, targets, []);
  const shown = new Map(rows.map((row, index) => [row['id'] as number, { index, view: views[index]! }]));
  const each = sizeOf(op);
  for (const owner of owners) {
    const members = pairs
      .filter((pair) => pair['owner_id'] === owner)
      .flatMap((pair) => shown.get(pair[groups.inner]) ?? [])
      .sort((a, b) => a.index - b.index);
    lists.set(
      owner,
      members.slice(0, each).map(({ view }) => view),
    );
  }
  return lists;
}

type Refusals = (ids: readonly number[], op: Operation) => Promise<Map<number, Error>>;

/** The checks of a list, in the order of the service. */
export async function permit(op: Operation): Promise<void> {
  await checkParams(op);
  for (const hook of op.model.hooks.authorize) await hook.run(op);
  await authorize(op);
}

/** The rows with these ids that the plan admits, in its order, with their views. */
async function show(
  own: Operation,
  op: Operation,
  plan: ListPlan,
  ids: readonly number[],
  more: readonly string[],
): Promise<{ rows: Row[]; views: View[] }> {
  if (plan.order.some((key) => 'random' in key)) op.state.volatile = true;
  if (own.state.confidential) op.state.confidential = true;
  if (ids.length === 0) return { rows: [], views: [] };
  const { columns, virtualColumns } = selectionOf(
    own.model,
    own.context,
    undefined,
    false,
    neverSeen(own.model, own.actor),
  );
  const rows = await own.store.select({
    table: own.model.table!.name,
    columns: [...new Set([...columns, ...more])],
    adds: virtualColumns,
    where: and(oneOf('id', ids), whereOf(plan)),
    order: plan.order,
    ...(own.budget ? { budget: own.budget } : {}),
  });
  return { rows, views: await present(own, rows) };
}

/** Items of one list. */
function sizeOf({ params, model }: Operation): number {
  return (params['per_page'] as number | undefined) ?? model.list.maxPerPage;
}
