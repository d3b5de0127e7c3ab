// The fields, columns and relations needed for a representation, determined once per context and `_fields`.
import { LRUCache } from 'lru-cache';
import type { ResourceModel } from '../../model/model.js';
import type { AggregateModel, RelatedModel, FieldSelection } from '../../model/shown.js';
import type { View } from '../../model/operation.js';
import type { Context } from '../../model/schema/schema.js';
import { itemLinks, type ItemLinks } from './item-links.js';
import type { FieldModel } from '../../model/field.js';

/** The parts of a representation. */
export interface Selection {
  fields: readonly FieldModel[];
  columns: readonly string[];
  many: readonly FieldModel[];
  meta: readonly FieldModel[];
  /** Computed from rows of other tables. */
  aggregates: readonly AggregateModel[];
  /** Members of a row that hold `many`, `meta` and `aggregates`. */
  virtualColumns: readonly string[];
  related: readonly RelatedModel[];
  /** An object with all members unset, to be copied. */
  template: Readonly<View>;
  /** Builds the `_links` of an item; undefined when they were not requested. */
  links: ItemLinks | undefined;
}

/** Maximum size of the cached selections of one model, in bytes: their keys are as long as callers make them. */
const MAX_CACHE_BYTES = 2 * 1024 * 1024;
const sizeCalculation = (_selection: Selection, key: string): number => 2 * key.length + 4_000;

const selectionCaches = new WeakMap<ResourceModel, LRUCache<string, Selection>>();

/**
 * Selection for a context and the requested fields; `withPermalink`: the response has the item's URL in a header; `unseen`:
 * fields that the caller may not see.
 */
export function selectionOf(
  model: ResourceModel,
  context: Context,
  fieldSelection: FieldSelection | undefined,
  withPermalink = false,
  unseen?: ReadonlySet<string>,
): Selection {
  let cache = selectionCaches.get(model);
  if (!cache)
    selectionCaches.set(model, (cache = new LRUCache({ max: 200, maxSize: MAX_CACHE_BYTES, sizeCalculation })));
  const part = unseen ? `-${[...unseen].join()} ` : '';
  const key = `${withPermalink ? 'withPermalink ' : ''}${part}${fieldSelection ? `${context}:${fieldSelection.key}` : context}`;
  let selection = cache.get(key);
  if (!selection) cache.set(key, (selection = build(model, context, fieldSelection, withPermalink, unseen)));
  return selection;
}

function build(
  model: ResourceModel,
  context: Context,
  fieldSelection: FieldSelection | undefined,
  withPermalink: boolean,
  unseen?: ReadonlySet<string>,
): Selection {
  const fields = [...model.fields.values()].filter(
    (field) =>
      field.contexts.has(context) &&
      (!fieldSelection || fieldSelection.has(field.name)) &&
      unseen?.has(field.name) !== true,
  );
  const links = !fieldSelection || fieldSelection.has('_links') || fieldSelection.has('_embedded');
  const permalink = withPermalink ? model.permalink : undefined;
  const all = [...new Set([...model.columns[context], ...(permalink?.reads ?? [])])];
  const needed = neededColumns(model, fields, permalink, links);
  // A computed field may read a relation that is not returned itself: capabilities depend on roles.
  const relations = new Set(fields.flatMap((field) => field.relations ?? []));
  const many = [...model.fields.values()].filter(
    (field) => field.many && (fields.includes(field) || relations.has(field.name)),
  );
  const bySlot = new Map(fields.flatMap((field) => field.aggregates ?? []).map((each) => [each.slot, each]));
  const aggregates = [...bySlot.values()];
  const meta = fields.filter((field) => field.meta && field.meta.keys.length > 0);
  return {
    fields,
    // Frozen, so that the store can cache by identity.
    columns: Object.freeze(fieldSelection || unseen ? all.filter((column) => needed.has(column)) : all),
    many,
    meta,
    aggregates,
    virtualColumns: [...[...many, ...meta].map((field) => `#${field.name}`), ...bySlot.keys()],
    related: mergeRelated([
      ...fields.flatMap((field) => field.related ?? []),
      ...(permalink?.related ?? []),
      ...(links ? model.links.flatMap((link) => link.related ?? []) : []),
    ]),
    template: blankView([...fields.map((field) => field.name), ...(links ? ['_links'] : [])]),
    links: links ? itemLinks(model, context) : undefined,
  };
}

/** Columns that the fields and links of a representation are made of, and those of every row. */
function neededColumns(
  model: ResourceModel,
  fields: readonly FieldModel[],
  permalink: FieldModel | undefined,
  links: boolean,
): Set<string> {
  const needed = new Set([
    'id',
    'row_version',
    ...Object.keys(model.discriminator),
    ...model.traitColumns,
    ...fields.flatMap((field) => field.reads),
    ...(permalink?.reads ?? []),
  ]);
  const { parent } = model.listOf ?? model;
  if (parent) needed.add(parent.field.column!);
  if (links) for (const link of model.links) for (const column of link.reads) needed.add(column);
  return needed;
}

// Parsed, because V8 gives parsed objects a shape that is cheap to copy, however many members they have.
function blankView(names: readonly string[]): View {
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as View;
}

function mergeRelated(related: readonly RelatedModel[]): RelatedModel[] {
  const merged = new Map<string, RelatedModel>();
  for (const entry of related) {
    const key = `${entry.column} ${entry.table}`;
    const before = merged.get(key);
    const onward = entry.onward ?? before?.onward;
    const columns = [...new Set([...(before?.columns ?? []), ...entry.columns])];
    const judged = (entry.judged ?? false) || (before?.judged ?? false);
    merged.set(key, { column: entry.column, table: entry.table, columns, judged, ...(onward ? { onward } : {}) });
  }
  return [...merged.values()];
}
