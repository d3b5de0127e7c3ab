// Slugs that no other row of the scope has: the wanted one, or one with a suffix.
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, not, oneOf, or, type Predicate, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { MAX_SLUG_LENGTH, truncateSlug } from '../../text/slug.js';

/** Characters that a number and its hyphen take at most. */
const SUFFIX_ROOM = 12;

/** Options of the trait `sluggable`. */
export interface SlugOptions {
  /** Field the slug is generated from. */
  from: string;
  /** Rows among which it must be unique; `$column` is a column of the item's own row. Default: the resource's rows. */
  scope?: Record<string, Scalar | Scalar[]>[];
  /** Statuses in which an item without a slug stays without one. */
  blank?: string[];
  /** Slugs that always get a suffix; `#` stands for numbers. */
  reserved?: string[];
  /** Reference to the parent, whose slug is the first suffix tried on collision. */
  parent?: string;
  /** Error code for a slug in use on update, instead of a suffix. */
  taken?: string;
  maxLength?: number;
}

/** The item that gets a slug, and what determines the rows whose slugs it must not have. */
interface Item {
  model: ResourceModel;
  options: SlugOptions;
  row: Row;
  op: Pick<Operation, 'store' | 'tx'>;
}

/** The wanted slug if it is free, otherwise one with a suffix; locked until the transaction ends. */
export async function freeSlug(
  base: string,
  model: ResourceModel,
  options: SlugOptions,
  row: Row,
  op: Pick<Operation, 'store' | 'tx'>,
): Promise<string> {
  const item: Item = { model, options, row, op };
  const isFree = async (slug: string): Promise<boolean> => {
    // Sent together: the query runs once the lock is held, so of two items that want one slug the second is checked
    // after the first is stored.
    const locked = op.tx?.lock([`slug ${model.table!.name} ${slug}`]);
    const taken = isReserved(slug, options) || isTaken(slug, item);
    return !(await Promise.all([taken, locked]))[0];
  };
  if (await isFree(base)) return base;
  const start = options.parent ? await withParent(base, item) : base;
  if (start !== base && (await isFree(start))) return start;
  for (const passed = new Set<string>(); ;) {
    const slug = await numberedSlug(start, passed, item);
    if (await isFree(slug)) return slug;
    passed.add(slug);
  }
}

/** Whether a slug always gets a suffix. */
export function isReserved(slug: string, options: SlugOptions): boolean {
  return (options.reserved ?? []).some((word) => (word === '#' ? /^\d+$/.test(slug) : word === slug));
}

/** Whether another row has a slug. */
async function isTaken(slug: string, item: Item): Promise<boolean> {
  const { store, tx } = item.op;
  const table = item.model.table!.name;
  if (tx?.lacks(table, 'slug', slug)) return false;
  return (await store.first(table, ['slug'], and(equals('slug', slug), othersOf(item)))) !== undefined;
}

/** The text with the first number whose slug is free in the rows committed so far and is not in `passed`. */
async function numberedSlug(start: string, passed: ReadonlySet<string>, item: Item): Promise<string> {
  const { model, options, op } = item;
  const max = options.maxLength ?? MAX_SLUG_LENGTH;
  const stem = start.slice(0, max - SUFFIX_ROOM);
  // A longer text is shortened to make room for its number. `:` sorts after the digits.
  const [from, to] = stem === start ? [`${stem}-`, `${stem}-:`] : [stem, `${stem}~`];
  const range: Predicate = and({ op: 'ge', column: 'slug', value: from }, { op: 'lt', column: 'slug', value: to });
  const where = and(range, othersOf(item));
  const found = await op.store.select({ table: model.table!.name, columns: ['slug'], where, order: [] });
  const taken = new Set(found.map((entry) => entry['slug'] as string));
  for (let n = 2; ; n += 1) {
    const slug = truncateSlug(start, `-${n}`, max);
    if (!taken.has(slug) && !passed.has(slug) && !isReserved(slug, options)) return slug;
  }
}

/** The other rows among which a slug must be unique. */
function othersOf(item: Item): Predicate {
  const { row } = item;
  return and(scopeOf(item), ...(row['id'] ? [not(equals('id', row['id']))] : []));
}

function scopeOf({ model, options, row }: Item): Predicate {
  const parts = options.scope ?? [model.discriminator];
  const own = (value: Scalar) => (String(value).startsWith('$') ? (row[String(value).slice(1)] ?? 0) : value);
  return or(
    ...parts.map((part) =>
      and(...Object.entries(part).map(([column, value]) => oneOf(column, [value].flat().map(own)))),
    ),
  );
}

async function withParent(base: string, { model, options, row, op }: Item): Promise<string> {
  const column = model.fields.get(options.parent!)?.column ?? options.parent!;
  const parent = row[column] ? await op.store.first(model.table!.name, ['slug'], equals('id', row[column])) : undefined;
  return parent ? truncateSlug(base, `-${parent['slug']}`, options.maxLength) : base;
}
