// `_embed`: adds to the items of a response what their embeddable links lead to, as the same caller would get it.
import { listMany } from '../../engine/embed/list-many.js';
import { perform } from '../../engine/perform/perform.js';
import { retrieveMany, type Found } from '../../engine/embed/retrieve-many.js';
import type { ResourceService } from '../../engine/resource.service.js';
import { ResourceError } from '../../errors/resource-error.js';
import { readerFor } from '../../model/functions/reader-for.js';
import { ruleTimeReads } from '../../model/runtime/clock.js';
import type { ResourceModel } from '../../model/model.js';
import { newOperation } from '../../model/new-operation.js';
import type { Operation, View } from '../../model/operation.js';
import type { Context } from '../../model/schema/schema.js';
import type { Requester, Store } from '../../model/store.js';
import type { OperationFactory } from './operation.factory.js';
import { validateParams } from '../validation/validate-params.js';
import type { LinkTarget, LinkTargets } from './link-targets.js';
import type { Relations } from './embed-query.js';
import { type Group, groupOf } from './embed-groups.js';

/** Values by the URL that they were read from. */
type Embedded = Map<string, unknown>;
type Link = { href: string; embeddable?: boolean };
const CONTEXT = 'embed';

/** Embeds into responses. One per application. */
export class Embedding {
  constructor(
    private readonly service: ResourceService,
    private readonly operations: OperationFactory,
    private readonly linkTargets: LinkTargets,
    private readonly store: Store,
  ) {}

  /**
   * Adds `_embedded` to every item of a response that shows its links. Errors of embedded items take their place.
   * @throws ResourceError with a status of 5xx, or when the response becomes too large
   */
  async into(body: unknown, op: Operation, relations: Relations, requester: Requester): Promise<void> {
    const items = (Array.isArray(body) ? body : [body]).filter(hasLinks);
    const wanted = new Set(items.flatMap((item) => linksOf(item, relations).flatMap(([, links]) => hrefsOf(links))));
    if (wanted.size === 0) return;
    const reads = ruleTimeReads();
    // After a write, its transaction has ended.
    const store = op.tx ? readerFor(this.store.reader, requester) : op.store;
    const found = await this.read([...wanted], newOperation({ ...op, store }));
    if (reads !== ruleTimeReads()) op.state.volatile = true;
    for (const item of items) {
      const embedded: Record<string, unknown[]> = {};
      for (const [rel, links] of linksOf(item, relations)) {
        const values = links.map(({ href, embeddable }) => (embeddable ? (found.get(href) ?? []) : []));
        if (values.some((value) => !Array.isArray(value) || value.length > 0)) embedded[rel] = values;
      }
      if (Object.keys(embedded).length > 0) item['_embedded'] = embedded;
    }
  }

  private async read(hrefs: readonly string[], op: Operation): Promise<Embedded> {
    const found: Embedded = new Map();
    const groups = new Map<string, Group>();
    for (const href of hrefs) {
      const target = this.linkTargets.find(href);
      if (!target) continue;
      const member = groupOf(target);
      if (!member) found.set(href, await this.alone(target, op));
      else {
        const { key, id, ...group } = member;
        const all = groups.get(key) ?? { ...group, hrefs: new Map() };
        groups.set(key, all);
        all.hrefs.set(id, href);
      }
    }
    for (const group of groups.values()) {
      for (const [id, value] of await this.group(group, op)) {
        const href = group.hrefs.get(id);
        if (href !== undefined) found.set(href, value instanceof ResourceError ? value.body(op.actor.id > 0) : value);
      }
    }
    return found;
  }

  private async group({ model, param, hrefs }: Group, op: Operation): Promise<Found<unknown>> {
    const ids = [...hrefs.keys()];
    try {
      const kind = param ? 'list' : 'retrieve';
      const params = validateParams(param ? model.listParams : model.itemParams, paramsFor(model, kind));
      const own = below(op, { model, kind, params, context: params['context'] as Context });
      const found = param ? await listMany(own, param, ids) : await retrieveMany(own, ids);
      Object.assign(op.state, cacheRestrictions(own));
      return found;
    } catch (error) {
      const refusal = refusalOf(error, op);
      return new Map(ids.map((id) => [id, refusal]));
    }
  }

  /** Reads one URL as a request for it would. */
  private async alone({ route, kind, segments, query }: LinkTarget, op: Operation): Promise<unknown> {
    try {
      const input = { segments, query: { ...paramsFor(route.model, kind), ...query }, body: undefined, headers: {} };
      const own = this.operations.read(route, kind, { ...input, actor: op.actor }, op.store);
      if (op.budget) own.budget = op.budget;
      const { body } = await perform(this.service, own);
      Object.assign(op.state, cacheRestrictions(own));
      return body;
    } catch (error) {
      return refusalOf(error, op).body(op.actor.id > 0);
    }
  }
}

function hasLinks(item: unknown): item is View {
  return typeof (item as View | null)?.['_links'] === 'object';
}

function linksOf(item: View, relations: Relations): [string, Link[]][] {
  const all = Object.entries(item['_links'] as Record<string, Link[]>);
  return all.filter(([rel]) => relations === 'all' || relations.has(rel));
}

function hrefsOf(links: readonly Link[]): string[] {
  return links.filter(({ embeddable }) => embeddable).map(({ href }) => href);
}

/** Parameters of what is embedded: its context, and the longest page of a list. */
function paramsFor({ list, listParams }: ResourceModel, kind: 'list' | 'retrieve'): Record<string, string> {
  const paged = kind === 'list' && list.paginated && listParams.has('per_page');
  return { context: CONTEXT, ...(paged ? { per_page: String(list.maxPerPage) } : {}) };
}

function below(
  { actor, site, store, budget }: Operation,
  parts: Partial<Operation> & Pick<Operation, 'model' | 'kind'>,
) {
  return newOperation({ ...parts, actor, site, store, ...(budget ? { budget } : {}) });
}

/** What excludes a response from caches also excludes the response that embeds it. */
function cacheRestrictions({ state: { confidential, volatile } }: Operation) {
  return { ...(confidential ? { confidential } : {}), ...(volatile ? { volatile } : {}) };
}

function refusalOf(error: unknown, op: Operation): ResourceError {
  if (!(error instanceof ResourceError) || error.statusFor(op.actor.id > 0) >= 500) throw error;
  // Size limit and timeout concern the response as a whole.
  if (error.code === 'rest_response_too_large' || error.code === 'rest_request_timeout') throw error;
  return error;
}
