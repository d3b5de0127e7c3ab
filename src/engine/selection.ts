// Which fields, columns and relations one kind of answer needs: worked out once per context and `_fields`. Called by the service.
import { LRUCache } from 'lru-cache';
import type { FieldModel, RelatedModel, ResourceModel } from '../model/model.js';
import type { FieldSelection, View } from '../model/operation.js';
import type { Context } from '../model/schema.js';
import { itemLinks, type ItemLinks } from './item-links.js';

/** What an answer is made of. */
export interface Selection {
  fields: readonly FieldModel[];
  columns: readonly string[];
  many: readonly FieldModel[];
  meta: readonly FieldModel[];
  /** Members of a row that hold them. */
  slots: readonly string[];
  related: readonly RelatedModel[];
  /** A view whose members hold nothing yet. */
  blank: Readonly<View>;
  /** Makes the `_links` of an item; undefined when they were not asked for. */
  links: ItemLinks | undefined;
}

const known = new WeakMap<ResourceModel, LRUCache<string, Selection>>();

/** Selection for a context and the fields asked for; `addressed`: the answer says where the item can be seen, in a header. */
export function selectionOf(
  model: ResourceModel,
  context: Context,
  asked: FieldSelection | undefined,
  addressed = false,
): Selection {
  let cache = known.get(model);
  if (!cache) known.set(model, (cache = new LRUCache({ max: 200 })));
  const key = `${addressed ? 'addressed ' : ''}${asked ? `${context}:${asked.key}` : context}`;
  let selection = cache.get(key);
  if (!selection) cache.set(key, (selection = build(model, context, asked, addressed)));
  return selection;
}

function build(
  model: ResourceModel,
  context: Context,
  asked: FieldSelection | undefined,
  addressed: boolean,
): Selection {
  const fields = [...model.fields.values()].filter(
    (field) => field.contexts.has(context) && (!asked || asked.has(field.name)),
  );
  const links = !asked || asked.has('_links') || asked.has('_embedded');
  const address = addressed ? addressField(model) : undefined;
  const all = [...new Set([...model.columns[context], ...(address?.reads ?? [])])];
  const needed = new Set([
    'id',
    'row_version',
    ...Object.keys(model.discriminator),
    ...model.traitColumns,
    ...fields.flatMap((field) => field.readsIn?.[context] ?? field.reads),
    ...(address?.reads ?? []),
  ]);
  if (model.parent) needed.add(model.parent.field.column!);
  if (links) for (const link of model.links) for (const column of link.reads) needed.add(column);
  // Roles decide capabilities, so a computed field may read a relation that is not shown itself.
  const many = [...model.fields.values()].filter(
    (field) => field.many && (fields.includes(field) || usedByComputed(field, fields)),
  );
  const meta = fields.filter((field) => field.meta && field.meta.keys.length > 0);
  return {
    fields,
    // The store knows a frozen list again.
    columns: Object.freeze(asked ? all.filter((column) => needed.has(column)) : all),
    many,
    meta,
    slots: [...many, ...meta].map((field) => `#${field.name}`),
    related: mergeRelated([
      ...fields.flatMap((field) => field.related ?? []),
      ...(address?.related ?? []),
      ...(links ? model.links.flatMap((link) => link.related ?? []) : []),
    ]),
    blank: blankView([...fields.map((field) => field.name), ...(links ? ['_links'] : [])]),
    links: links ? itemLinks(model, context) : undefined,
  };
}

// Parsed, because V8 gives parsed objects a shape whose copies are cheap, however many members they have.
function blankView(names: readonly string[]): View {
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as View;
}

/** The field with the public address of an item. */
export function addressField(model: ResourceModel): FieldModel | undefined {
  const link = model.fields.get('link');
  return link?.schema.function === 'permalink' ? link : undefined;
}

function usedByComputed(field: FieldModel, fields: readonly FieldModel[]): boolean {
  return fields.some(
    (other) =>
      other.type === 'computed' &&
      (other.schema.options?.['roles'] ?? 'roles') === field.name &&
      other.schema.function === 'granted-capabilities',
  );
}

function mergeRelated(related: readonly RelatedModel[]): RelatedModel[] {
  const merged = new Map<string, RelatedModel>();
  for (const entry of related) {
    const key = `${entry.column} ${entry.table}`;
    const before = merged.get(key);
    const onward = entry.onward ?? before?.onward;
    const columns = [...new Set([...(before?.columns ?? []), ...entry.columns])];
    merged.set(key, { column: entry.column, table: entry.table, columns, ...(onward ? { onward } : {}) });
  }
  return [...merged.values()];
}
