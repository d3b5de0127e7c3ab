// A page of results: items of several resources, as the lists of those resources would show them to the same caller.
import { invalidParams, searchTermTooLong, ResourceError } from '../../errors/resource-error.js';
import { ruleTimeReads } from '../../model/runtime/clock.js';
import type { FoundSource, FoundType } from '../../model/list.js';
import type { Operation, Result } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import { foldSearchTerm, MAX_SEARCH_TERM } from '../../text/search-term.js';
import { authorize, checkParams } from '../rights/policy.js';
import { present } from '../presentation/present.js';
import { predicateFor } from '../rights/predicate-for.js';
import { planSources, type Planned } from './plan-sources.js';
import { resultsOf } from './results.js';

/**
 * A page of the items found of one type, with exact totals. The rules of their resources apply before anything is
 * counted; resources that the caller may not list contribute nothing.
 * @throws ResourceError for an invalid parameter or page
 */
export async function listFound(op: Operation): Promise<Result> {
  const reads = ruleTimeReads();
  const result = await pageOf(op);
  if (reads !== ruleTimeReads()) op.state.volatile = true;
  return result;
}

async function pageOf(op: Operation): Promise<Result> {
  await checkParams(op);
  await authorize(op);
  const text = String(op.params['search'] ?? '').trim();
  if (foldSearchTerm(text) === undefined) throw searchTermTooLong('search', MAX_SEARCH_TERM);
  const type = op.model.found!.types.get(String(op.params['type']));
  const sources = type ? sourcesOf(op, type) : [];
  const parts = mayRead(op) ? await planSources(op, sources, text) : [];
  const totals = await Promise.all(parts.map(({ op: own, where }) => own.store.count(tableOf(own), where)));
  const total = totals.reduce((sum, each) => sum + each, 0);
  const page = (op.params['page'] as number | undefined) ?? 1;
  const limit = (op.params['per_page'] as number | undefined) ?? op.model.list.maxPerPage;
  const totalPages = Math.ceil(total / limit);
  if (page > totalPages) return { status: 200, body: beyond(op, total), total, totalPages, page };
  const found = await op.store.merge({
    parts: parts.map(({ op: own, where, order }) => ({ table: tableOf(own), where, order })),
    limit,
    offset: (page - 1) * limit,
  });
  const rows = await rowsOf(op, type!, parts, found);
  return { status: 200, body: await present(op, rows), total, totalPages, page };
}

/** Whether the rule of the results themselves holds; it depends on the caller alone. */
function mayRead({ model, actor }: Operation): boolean {
  return predicateFor(model.rules.get('read')!, actor).op === 'true';
}

/** The resources of a type that the parameter names. */
function sourcesOf(op: Operation, { sources }: FoundType): readonly FoundSource[] {
  const every = op.model.listParams.get('subtype')!.schema.default;
  const wanted = [op.params['subtype'] ?? every].flat();
  if (wanted.length === 0 || wanted.includes(every)) return sources;
  const known = sources.map(({ subtype }) => subtype);
  const strange = wanted.find((subtype) => !known.includes(subtype));
  if (strange !== undefined) {
    const allowed = [...known, every].join(', ');
    const message = `subtype: "${strange}" is not a subtype of "${op.params['type']}". Allowed: ${allowed}.`;
    throw invalidParams([{ param: 'subtype', code: 'rest_not_in_enum', message }]);
  }
  return sources.filter(({ subtype }) => wanted.includes(subtype));
}

/** The body of a page beyond the last one: empty, or an error if the resource defines one. */
function beyond(op: Operation, total: number): [] {
  const code = op.model.list.pageOutOfRange;
  if (code && total > 0) throw new ResourceError(code, { like: 'rest_post_invalid_page_number' });
  return [];
}

/** The results in the order found; items that no longer match when they are read are left out. */
async function rowsOf(
  op: Operation,
  type: FoundType,
  parts: readonly Planned[],
  found: readonly { part: number; id: number }[],
): Promise<Row[]> {
  const places = new Map<string, Row>();
  for (const [part, planned] of parts.entries()) {
    const ids = found.filter((row) => row.part === part).map(({ id }) => id);
    for (const [id, row] of await resultsOf(op, type, planned, ids)) places.set(`${part} ${id}`, row);
  }
  return found.flatMap(({ part, id }) => places.get(`${part} ${id}`) ?? []);
}

function tableOf({ model }: Operation): string {
  return model.table!.name;
}
