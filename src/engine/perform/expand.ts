// Replaces the ids of references with their items: `expand=author,author.company`. Each item is read as by a request of
// its own; the id of one that the caller may not read stays.
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import { newOperation } from '../../model/new-operation.js';
import type { Operation, View } from '../../model/operation.js';
import { QUERY_LIMITS } from '../../model/query-language.js';
import { ruleTimeReads } from '../../model/runtime/clock.js';
import { retrieveMany } from '../embed/retrieve-many.js';
import { wrong } from '../query/query-errors.js';
import { neverSeen } from '../rights/field-rights.js';
import { WITHOUT_LINKS } from './without-links.js';
import type { FieldModel } from '../../model/field.js';
import { withReferenceIds, pickExpanded } from './expanded-fields.js';

const EXPAND = 'expand';

/** Names of fields to expand, with those of the items that they lead to. */
type Tree = Map<string, Tree>;

/** Items by the resource that they are of: fields of one name may lead to different ones. */
type Views = Map<ResourceModel, View[]>;

/** The expansion that one request asks for. */
export class Expansion {
  private readonly tree: Tree = new Map();
  private count = 0;

  /** @throws ResourceError 400 for a path that does not exist, or not for this caller */
  constructor(
    private readonly op: Operation,
    paths: readonly (readonly string[])[],
  ) {
    for (const path of paths) this.add(path);
  }

  /** Runs a read whose items include the ids to be replaced, even if `_fields` leaves them out. */
  async withIds<T>(read: () => Promise<T>): Promise<T> {
    const selection = this.op.fields;
    if (!selection) return read();
    this.op.fields = withReferenceIds(selection, [...this.tree.keys()]);
    try {
      return await read();
    } finally {
      this.op.fields = selection;
    }
  }

  /**
   * The body of the response with the items in it.
   * @throws ResourceError 400 when there would be too many
   */
  async expandBody(body: unknown): Promise<unknown> {
    const views = (Array.isArray(body) ? body : [body]) as View[];
    const { model, fields, state } = this.op;
    const reads = ruleTimeReads();
    await this.level(new Map([[model, views]]), this.tree);
    // Rules about the items put in decide by the time.
    if (reads !== ruleTimeReads()) state.volatile = true;
    const shown = fields ? views.map((view) => pickExpanded(view, fields, model)) : views;
    return Array.isArray(body) ? shown : shown[0];
  }

  private add(path: readonly string[]): void {
    let models: readonly ResourceModel[] = [this.op.model];
    let tree = this.tree;
    for (const [at, name] of path.entries()) {
      const fields = models.flatMap((model) => this.reference(model, name) ?? []);
      if (fields.length === 0) throw this.unknown(path.slice(0, at + 1).join('.'), models);
      const below = tree.get(name) ?? (new Map() as Tree);
      tree.set(name, below);
      tree = below;
      models = [...new Set(fields.flatMap(targetsOf))];
    }
  }

  private reference(model: ResourceModel, name: string): FieldModel | undefined {
    const field = this.visibleField(model, name);
    return field && targetsOf(field).length > 0 ? field : undefined;
  }

  private visibleField(model: ResourceModel, name: string): FieldModel | undefined {
    const field = model.fields.get(name);
    return field && field.contexts.size > 0 && !neverSeen(model, this.op.actor)?.has(name) ? field : undefined;
  }

  private unknown(path: string, models: readonly ResourceModel[]): ResourceError {
    const names = models.flatMap((model) => [...model.fields.keys()].filter((name) => this.reference(model, name)));
    const allowed = [...new Set(names)].join(', ') || 'none';
    const last = path.slice(path.lastIndexOf('.') + 1);
    const isNested = models.some((model) => this.visibleField(model, last)?.targets?.some(({ parent }) => parent));
    const why = isNested ? 'leads to items of a nested resource, which are not expanded' : 'is not a reference';
    return wrong(EXPAND, 'rest_not_in_enum', `: "${path}" ${why}. Allowed there: ${allowed}.`);
  }

  private async level(items: Views, tree: Tree): Promise<void> {
    for (const [name, below] of tree)
      for (const [model, views] of items) {
        const field = this.reference(model, name);
        if (field) await this.expand(views, field, below);
      }
  }

  private async expand(views: readonly View[], field: FieldModel, below: Tree): Promise<void> {
    const ids = [...new Set(views.flatMap((view) => idsIn(view[field.name])))];
    this.count += ids.length;
    if (this.count > QUERY_LIMITS.expandedItems)
      throw wrong(
        EXPAND,
        'rest_too_many_items',
        `leads to more than ${QUERY_LIMITS.expandedItems} items. Request fewer with per_page.`,
      );
    if (ids.length === 0) return;
    const items = new Map<number, View>();
    await this.level(await this.items(field, ids, items), below);
    await this.put(views, field.name, items);
  }

  /** Reads items into `found`, by their ids. */
  private async items(field: FieldModel, ids: readonly number[], found: Map<number, View>): Promise<Views> {
    const views: Views = new Map();
    for (const model of targetsOf(field)) {
      const left = ids.filter((id) => !found.has(id));
      if (left.length === 0) break;
      const op = retrievalOf(this.op, model);
      const own: View[] = [];
      for (const [id, view] of await retrieveMany(op, left)) {
        if (view instanceof ResourceError) continue;
        found.set(id, view);
        own.push(view);
      }
      if (own.length > 0) views.set(model, own);
      if (op.state.confidential) this.op.state.confidential = true;
      if (op.state.volatile) this.op.state.volatile = true;
    }
    return views;
  }

  /** An item that is shown several times is loaded once, but sent each time. */
  private async put(views: readonly View[], name: string, items: ReadonlyMap<number, View>): Promise<void> {
    const sizes = new Map<number, number>();
    let repeated = 0;
    const place = (id: unknown): unknown => {
      const item = items.get(id as number);
      if (!item) return id;
      const size = sizes.get(id as number);
      if (size === undefined) sizes.set(id as number, 0);
      else {
        const known = size || JSON.stringify(item).length;
        sizes.set(id as number, known);
        repeated += known;
      }
      return item;
    };
    for (const view of views)
      if (Object.hasOwn(view, name)) view[name] = Array.isArray(view[name]) ? view[name].map(place) : place(view[name]);
    await this.op.budget?.take(repeated);
  }
}

/** Resources whose items can be put in the place of the ids of a field. */
export function targetsOf(field: FieldModel): readonly ResourceModel[] {
  const targets = field.targets ?? (field.many?.target ? [field.many.target] : []);
  return targets.filter(({ table, parent, operations }) => {
    return table !== undefined && !parent && operations.has('retrieve');
  });
}

function retrievalOf({ actor, site, store, budget, headers }: Operation, model: ResourceModel): Operation {
  const context = model.contexts.includes('view') ? 'view' : model.defaultContext;
  const params: Record<string, unknown> = {};
  for (const [name, { schema }] of model.itemParams) if (schema.default !== undefined) params[name] = schema.default;
  return newOperation({
    model,
    kind: 'retrieve',
    params: { ...params, context },
    context,
    fields: WITHOUT_LINKS,
    actor,
    site,
    store,
    headers: { ...headers },
    ...(budget ? { budget } : {}),
  });
}

function idsIn(value: unknown): number[] {
  return [value].flat().filter((id): id is number => typeof id === 'number' && id > 0);
}
