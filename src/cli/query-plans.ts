// `explain <resource> --plan`: the database's query plan for each order and filter of a list.
import { planList, whereOf } from '../engine/list-plan.js';
import { readRequest } from '../engine/query/read-request.js';
import { ResourceError } from '../errors/resource-error.js';
import { parseQuery, type Parameters } from '../http/request/parse-query.js';
import { validateParams } from '../http/validation/validate-params.js';
import { ANONYMOUS, type Actor } from '../model/actor.js';
import type { ResourceModel } from '../model/model.js';
import { newOperation } from '../model/new-operation.js';
import type { Operation } from '../model/operation.js';
import { and, or, type Query } from '../model/query.js';
import type { OpenSite } from '../server/open-site.js';
import { predicateText } from './predicate-text.js';

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

/** How a list with a query string is read: its condition, its order, and the query plan of the database. */
export async function planOf(
  model: ResourceModel,
  site: OpenSite,
  explain: (query: Query) => Promise<string[]>,
  text: string,
  actor: Actor = ANONYMOUS,
): Promise<string[]> {
  const sent = parseQuery(text.replace(/^\?/, ''));
  const { plan } = await planned(model, site, sent, actor).catch(inDetail);
  const where = and(whereOf(plan), ...(plan.after ? [or(...plan.after)] : []));
  const query = {
    table: model.table!.name,
    columns: model.columns.view,
    where,
    order: plan.order,
    limit: plan.limit ?? 10,
  };
  return [`where ${predicateText(where)}`, ...(await explain(query)).map((line) => `  ${line}`)];
}

async function planned(model: ResourceModel, site: OpenSite, sent: Parameters, actor: Actor) {
  const divided = readRequest(model, 'list', sent, actor);
  const op = operation(model, site, actor, validateParams(model.listParams, divided?.rest ?? sent));
  if (divided) op.query = divided.query;
  return { plan: await planList(op) };
}

/** Rethrows an error with the reasons of each parameter in its message, which are otherwise only in its data. */
function inDetail(error: unknown): never {
  const params = error instanceof ResourceError ? error.details.data?.['params'] : undefined;
  throw params ? new Error(Object.values(params as object).join(' ')) : error;
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
