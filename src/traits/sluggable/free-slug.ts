// Slugs that no other row of the scope has: the wanted one, or one with a suffix.
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, not, oneOf, or, type Predicate, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { truncateSlug } from '../../text/slug.js';

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

/** The wanted slug if it is free, otherwise one with a suffix; locked until the transaction ends. */
export async function freeSlug(
  base: string,
  model: ResourceModel,
  options: SlugOptions,
  row: Row,
  op: Pick<Operation, 'store' | 'tx'>,
): Promise<string> {
  // Of two items that want one slug the second is checked when the first is stored.
  const lock = (slug: string) => op.tx?.lock([`slug ${model.table!.name} ${slug}`]);
  for (let wanted = base; ;) {
    // Sent together: the question is answered once the lock is held.
    const [, slug] = await Promise.all([lock(wanted), candidate(base, model, options, row, op)]);
    if (slug === wanted) return slug;
    wanted = slug;
  }
}

/** The first slug that nobody has, as committed at this moment. */
async function candidate(
  base: string,
  model: ResourceModel,
  options: SlugOptions,
  row: Row,
  op: Pick<Operation, 'store' | 'tx'>,
): Promise<string> {
  if (!isReserved(base, options) && op.tx?.lacks(model.table!.name, 'slug', base)) return base;
  const taken = await takenSlugs(base, model, options, row, op);
  const free = (slug: string) => !taken.has(slug) && !isReserved(slug, options);
  if (free(base)) return base;
  const start = options.parent ? await withParent(base, options, model, row, op) : base;
  if (start !== base) {
    const others = await takenSlugs(start, model, options, row, op);
    for (const slug of others) taken.add(slug);
    if (free(start)) return start;
  }
  for (let n = 2; ; n += 1) {
    const slug = truncateSlug(start, `-${n}`, options.maxLength ?? 200);
    if (free(slug)) return slug;
  }
}

/** Whether a slug always gets a suffix. */
export function isReserved(slug: string, options: SlugOptions): boolean {
  return (options.reserved ?? []).some((word) => (word === '#' ? /^\d+$/.test(slug) : word === slug));
}

/** Slugs in use that have this prefix. */
async function takenSlugs(
  base: string,
  model: ResourceModel,
  options: SlugOptions,
  row: Row,
  op: Pick<Operation, 'store'>,
): Promise<Set<string>> {
  const max = options.maxLength ?? 200;
  const stem = base.slice(0, max - 12);
  // The range includes the base itself; without an OR a single index scan suffices.
  const like: Predicate = and(
    { op: 'ge', column: 'slug', value: stem },
    { op: 'lt', column: 'slug', value: `${stem}~` },
  );
  const where = and(like, scopeOf(model, options, row), ...(row['id'] ? [not(equals('id', row['id']))] : []));
  const found = await op.store.select({ table: model.table!.name, columns: ['slug'], where, order: [] });
  return new Set(found.map((entry) => entry['slug'] as string));
}

function scopeOf(model: ResourceModel, options: SlugOptions, row: Row): Predicate {
  const parts = options.scope ?? [model.discriminator];
  const own = (value: Scalar) => (String(value).startsWith('$') ? (row[String(value).slice(1)] ?? 0) : value);
  return or(
    ...parts.map((part) =>
      and(...Object.entries(part).map(([column, value]) => oneOf(column, [value].flat().map(own)))),
    ),
  );
}

async function withParent(
  base: string,
  options: SlugOptions,
  model: ResourceModel,
  row: Row,
  op: Pick<Operation, 'store'>,
): Promise<string> {
  const column = model.fields.get(options.parent!)?.column ?? options.parent!;
  const parent = row[column] ? await op.store.first(model.table!.name, ['slug'], equals('id', row[column])) : undefined;
  return parent ? truncateSlug(base, `-${parent['slug']}`, options.maxLength ?? 200) : base;
}
