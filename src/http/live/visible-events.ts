// What one caller may know of events: the events of items that they may read now, with the fields that they see; and
// the removal of items that were public.
import { retrieveMany } from '../../engine/embed/retrieve-many.js';
import { neverSeen } from '../../engine/rights/field-rights.js';
import { predicateFor } from '../../engine/rights/predicate-for.js';
import type { ResourceService } from '../../engine/resource.service.js';
import { ResourceError } from '../../errors/resource-error.js';
import { inScope, type Actor } from '../../model/actor.js';
import type { SiteEvent } from '../../model/audit.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { newOperation } from '../../model/new-operation.js';
import { and, oneOf } from '../../model/query.js';
import type { Site } from '../../model/site/site.js';
import type { Store } from '../../model/store.js';

/** What is sent of an event. */
export interface VisibleEvent {
  /** `order.updated`. */
  type: string;
  resource: string;
  id: number;
  action: SiteEvent['action'];
  /** Names of the fields that were sent or changed, as far as the caller sees them. */
  fields: string[];
  /** ISO 8601, UTC. */
  date: string;
}

/** Dependencies of the checks. */
export interface ReadParts {
  models: ModelSet;
  store: Store;
  site: Site;
  service: ResourceService;
}

/** Actions that remove an item. */
const ENDS: readonly SiteEvent['action'][] = ['deleted', 'trashed'];

/** What a caller gets to see of some events, by their id. */
export async function visibleEvents(
  actor: Actor,
  events: readonly SiteEvent[],
  reads: ReadParts,
): Promise<ReadonlyMap<number, VisibleEvent>> {
  const seen = new Map<number, VisibleEvent>();
  const byResource = new Map<string, SiteEvent[]>();
  for (const event of events) byResource.set(event.resource, [...(byResource.get(event.resource) ?? []), event]);
  for (const [resource, some] of byResource) {
    const model = reads.models.byName.get(resource);
    if (!model?.table || !model.operations.has('retrieve') || !inScope(actor, model.path, 'retrieve')) continue;
    const ids = [...new Set(some.map(({ item }) => item))];
    const readable = await readableOf(model, ids, actor, reads);
    const closed = some.filter(({ item, open }) => !open.before && !open.after && readable.has(item));
    const editable = await editableOf(model, [...new Set(closed.map(({ item }) => item))], actor, reads);
    for (const event of some) {
      const visible = visibleEvent(event, model, actor, {
        readable: readable.has(event.item),
        editable: editable.has(event.item),
      });
      if (visible) seen.set(event.id, visible);
    }
  }
  return seen;
}

/** What a caller may do with an item now. */
interface Access {
  readable: boolean;
  /** Determined only for events from when the item was not public. */
  editable: boolean;
}

function visibleEvent(
  event: SiteEvent,
  model: ResourceModel,
  actor: Actor,
  { readable, editable }: Access,
): VisibleEvent | undefined {
  const { resource, item, action, open, at } = event;
  const date = new Date(at).toISOString();
  const eventOf = (as: SiteEvent['action'], fields: string[]): VisibleEvent => ({
    type: `${resource}.${as}`,
    resource,
    id: item,
    action: as,
    fields,
    date,
  });
  // Logins are not part of live updates.
  if (action === 'login') return undefined;
  if (!readable || ENDS.includes(action)) {
    if (readable && action === 'trashed') return eventOf(action, []);
    // Callers who cannot read the item must not learn what became of it.
    return (open.before && dependsOnItsRow(model)) || readsAll(model, actor) ? eventOf('deleted', []) : undefined;
  }
  // Callers who read the published item must not learn when its drafts were written.
  if (!open.before && !open.after && !editable && !readsAll(model, actor)) return undefined;
  const fields = visibleFields(event, model, actor);
  // Changes of nothing but fields that the caller does not see are left out.
  return action === 'updated' && fields.length === 0 ? undefined : eventOf(action, fields);
}

/** Whether the row of an item alone decides who reads it: neither a parent nor a hook. */
function dependsOnItsRow({ parent, hooks }: ResourceModel): boolean {
  return !parent && !hooks.authorize.some(({ kinds }) => !kinds || kinds.includes('retrieve'));
}

/** Whether a caller reads every item of a resource, whatever its row. */
function readsAll(model: ResourceModel, actor: Actor): boolean {
  if (!dependsOnItsRow(model)) return false;
  return model.policy.retrieve.every(
    ({ field, param, needs }) => field || param !== undefined || predicateFor(needs, actor).op === 'true',
  );
}

/** Fields of the context `view` without those that are seen only in some rows, or only by some callers. */
function visibleFields({ fields }: SiteEvent, model: ResourceModel, actor: Actor): string[] {
  const unseen = neverSeen(model, actor);
  return fields.filter((name) => {
    const field = model.fields.get(name);
    if (!field || field.hidden || !field.contexts.has('view') || field.type === 'password') return false;
    return (
      !unseen?.has(name) &&
      (!field.readRules || field.readRules.every((rule) => predicateFor(rule, actor).op === 'true'))
    );
  });
}

/** Ids of the items that a caller may change now. */
async function editableOf(
  model: ResourceModel,
  ids: readonly number[],
  actor: Actor,
  { store }: ReadParts,
): Promise<Set<number>> {
  if (ids.length === 0 || !model.operations.has('update')) return new Set();
  const steps = model.policy.update.filter(({ field, param }) => !field && param === undefined);
  const rule = and(...steps.map(({ needs }) => predicateFor(needs, actor)));
  if (rule.op === 'false') return new Set();
  const rows = await store.reader.judge(model.table!.name, ['id'], and(oneOf('id', ids), model.rowScope), {
    may: rule,
  });
  return new Set(rows.filter(({ may }) => Boolean(may)).map(({ id }) => id as number));
}

/** Ids of the items that a caller may retrieve now. */
async function readableOf(
  model: ResourceModel,
  ids: readonly number[],
  actor: Actor,
  reads: ReadParts,
): Promise<Set<number>> {
  const { store, site } = reads;
  const request = { model, kind: 'retrieve', actor, site, store: store.reader, params: { context: 'view' } } as const;
  if (model.integerKey && !model.parent && !model.singleton) {
    const found = await retrieveMany(newOperation({ ...request, context: 'view' }), ids);
    return new Set(ids.filter((id) => found.has(id) && !(found.get(id) instanceof ResourceError)));
  }
  return oneByOne(model, ids, request, reads);
}

async function oneByOne(
  model: ResourceModel,
  ids: readonly number[],
  request: Parameters<typeof newOperation>[0],
  { store, service }: ReadParts,
): Promise<Set<number>> {
  const key = model.key.column!;
  const parent = model.parent?.field.column;
  const columns = ['id', key, ...(parent ? [parent] : [])];
  const where = and(oneOf('id', ids), model.rowScope);
  const rows = await store.reader.select({ table: model.table!.name, columns, where, order: [] });
  const readable = new Set<number>();
  for (const row of rows) {
    const id = row[key] as number | string;
    const op = newOperation({ ...request, id, parentId: parent ? (row[parent] as number) : 0 });
    const found = await service.retrieve(op).catch((error: unknown) => {
      if (error instanceof ResourceError && error.statusFor(op.actor.id > 0) < 500) return undefined;
      throw error;
    });
    if (found) readable.add(row['id'] as number);
  }
  return readable;
}
