// `explain <resource> --plan`: the database's query plan for each order and filter of a list.
import { planList, whereOf } from '../engine/list-plan.js';
import { ANONYMOUS, type Actor } from '../model/actor.js';
import type { ResourceModel } from '../model/model.js';
import { newOperation } from '../model/new-operation.js';
import type { Operation } from '../model/operation.js';
import type { Query } from '../model/query.js';
import type { OpenSite } from '../server/start-site.js';

/** One line per step of each list: by every order, and with every filter. */
export async function queryPlans(
  model: ResourceModel,
  site: OpenSite,
  explain: (query: Query) => Promise<string[]>,
  actor: Actor = ANONYMOUS,
): Promise<string[]> {
  const lines: string[] = [];
  for (const [label, params] of shapes(model)) {
    const op = operation(model, site, actor, params);
    const plan = await planList(op).catch(() => undefined);
    if (!plan) continue;
    const query = {
      table: model.table!.name,
      columns: model.columns.view,
      where: whereOf(plan),
      order: plan.order,
      limit: 10,
    };
    lines.push(label, ...(await explain(query)).map((line) => `  ${line}`));
  }
  return lines;
}

function shapes(model: ResourceModel): [string, Record<string, unknown>][] {
  const orders = [...model.list.orderings]
    .filter(([, column]) => column)
    .map(([name]): [string, Record<string, unknown>] => [`orderby=${name}`, { orderby: name }]);
  const filters = [...model.listParams.values()]
    .filter((param) => param.filter && !param.opaque)
    .map((param): [string, Record<string, unknown>] => [param.name, { [param.name]: sample(param.schema.type) }]);
  return [...orders, ...filters];
}

function sample(type: string | string[] | undefined): unknown {
  const values: Record<string, unknown> = { array: [1], integer: 1, number: 1, boolean: true };
  return values[[type ?? ''].flat()[0] ?? ''] ?? '2024-01-01T00:00:00';
}

function operation(
  model: ResourceModel,
  { site, store }: OpenSite,
  actor: Actor,
  params: Record<string, unknown>,
): Operation {
  const request = { model, kind: 'list', parentId: 1, params: { per_page: 10, ...params } } as const;
  return newOperation({ ...request, actor, site, store: store.reader });
}
