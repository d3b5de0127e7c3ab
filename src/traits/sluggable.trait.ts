// Slugs: generated from a title, unique within a scope, suffixed on collision.
import { ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import type { Operation, View, Draft } from '../model/operation.js';
import { and, equals, not, oneOf, or, type Predicate, type Row } from '../model/query.js';
import type { Scalar } from '../model/schema/schema.js';
import { slugify, truncateSlug } from '../text/slug.js';
import type { Trait } from '../model/trait.js';

interface Options {
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

const SCALARS = ['string', 'number', 'boolean'];
/** Message of a code declared in the schema. */
const TAKEN = 'Another item has this slug. Send another one.';
/** Schema of the value that a scope column is compared with. */
const SCOPE_VALUE = { type: [...SCALARS, 'array'], items: { type: SCALARS } };
/** Types that a slug can be generated from. */
const NAMING = ['string', 'text', 'rendered', 'integer', 'date'];

export const sluggableTrait: Trait<Options> = {
  name: 'sluggable',
  description: 'Adds slug, made from the field `from` when none is given, unique within `scope`.',
  // Whether an item has a slug depends on its status, and the text it is made of may come from a file or other fields;
  // terms compare the slug that was sent, not the one made unique.
  after: ['trashable', 'published', 'moderated', 'uploaded', 'account', 'term'],
  options: {
    from: { type: 'string', description: 'Field the slug is made from.', required: true },
    scope: {
      type: 'array',
      description: 'Rows among which the slug is unique; $column is a column of our own row.',
      items: { type: 'object', additionalProperties: SCOPE_VALUE, minProperties: 1 },
      minItems: 1,
    },
    blank: {
      type: 'array',
      items: { type: 'string' },
      description: 'Statuses in which an item may be without a slug.',
    },
    reserved: {
      type: 'array',
      items: { type: 'string' },
      description: 'Slugs that always get a suffix; # stands for numbers.',
    },
    parent: { type: 'string', description: 'Reference whose slug is appended first on collision.' },
    taken: { type: 'string', format: 'code', description: 'Error code that refuses a slug in use on update.' },
    maxLength: { type: 'integer', minimum: 16, maximum: 255, description: 'Longest slug (default 200).' },
  },
  extend(schema, { maxLength }) {
    schema.fields['slug'] = {
      type: 'slug',
      description: 'Name of the item in addresses.',
      ...(maxLength ? { columnLength: maxLength } : {}),
      ...schema.fields['slug'],
    };
    // The stored slug of trashed items has the same length.
    const trashed = schema.fields['trashed_slug'];
    if (trashed) trashed.columnLength = Math.max(trashed.columnLength ?? 0, maxLength ?? 0);
  },
  check(check, { from, scope = [], blank, parent }) {
    check.own('slug', ['slug', 'string']);
    check.field(['from'], from, NAMING);
    for (const [index, part] of scope.entries()) {
      for (const [column, value] of Object.entries(part)) {
        check.column(['scope', index, column], column);
        for (const [place, each] of [value].flat().entries()) {
          const at = ['scope', index, column, ...(Array.isArray(value) ? [place] : [])];
          if (typeof each === 'string' && each.startsWith('$')) check.column(at, each.slice(1));
          else check.compared(at, column, each);
        }
      }
    }
    if (blank && check.own('status', ['string'], 'slugs are left out by status'))
      check.words(['blank'], blank, 'status');
    if (parent !== undefined) check.referenceTo(['parent'], parent, check.schema);
  },
  link(model) {
    const kinds = Object.keys(model.discriminator);
    const { name: table, indexes } = model.table!;
    const add = (name: string, columns: string[]) => indexes.set(name, { name, columns });
    add(`ix_${table}_slug`, ['slug', ...kinds]);
    // Discriminator and slug range: with the slug first, a planner may prefer to read every row of the discriminator.
    if (kinds.length > 0) add(`ix_${table}_${kinds.join('_')}_slug`, [...kinds, 'slug']);
  },
  adopt: (model, options) => ({
    async row(row, { tx }) {
      if (row['slug'] || isBlank(model, options, row['status'])) return {};
      const column = model.fields.get(options.from)?.column ?? options.from;
      const wanted = slugify(String(row[column] ?? ''), options.maxLength);
      if (wanted !== '') return { slug: await freeSlug(wanted, model, options, row, { store: tx, tx }) };
      return { slug: await freeSlug(String(row['id']), model, { ...options, reserved: [] }, row, { store: tx, tx }) };
    },
  }),
  faces: (model, options) => ({
    name: { column: 'slug', wanted: (values, op) => expectedSlug(model, options, values, op) },
  }),
  sideBySide: true,
  hooks: (model, options) => ({
    async input(draft, op, current) {
      const wanted = wantedSlug(model, options, draft.row, op, current);
      if (wanted === undefined) return;
      const row = { ...current, ...draft.row };
      const explicit = typeof draft.values['slug'] === 'string' && draft.values['slug'] !== '';
      // A slug that the item has, or had before it was in the trash, is not reserved: it may be the id of an item
      // without a title.
      const known = wanted === current?.['slug'] || wanted === op.state.restoredSlug;
      const rules = known ? { ...options, reserved: [] } : options;
      const free = wanted === '' ? '' : await freeSlug(wanted, model, rules, row, op);
      if (options.taken && current && explicit && free !== wanted)
        throw new ResourceError(options.taken, { like: 'rest_user_invalid_slug', wording: TAKEN });
      draft.row['slug'] = free;
    },
    present(views, rows, op) {
      if (op.context !== 'edit') return undefined;
      const names = generatedSlugs(model);
      return names.length > 0 ? makeUnique(names, views, rows, model, options, op) : undefined;
    },
    async saved(row, op) {
      // The id, the slug of an item without a usable title, is only known after the insert.
      if (row['slug'] !== '' || isBlank(model, options, row['status'])) return;
      const slug = await freeSlug(String(row['id']), model, { ...options, reserved: [] }, row, op);
      await op.tx!.update(model.table!.name, { slug }, equals('id', row['id']));
      row['slug'] = slug;
    },
  }),
};

/** The slug for values that no trait has changed. */
function expectedSlug(
  model: ResourceModel,
  { from, maxLength }: Options,
  values: Readonly<Record<string, unknown>>,
  op: Operation,
): string {
  const stored = (name: string): string => {
    const field = model.fields.get(name);
    if (!field?.toStore || values[name] === undefined) return '';
    const draft: Draft = { values: {}, row: {}, many: {}, meta: {} };
    try {
      field.toStore(values[name], draft, op);
    } catch {
      // The create tells what is wrong with the value.
      return '';
    }
    return String(draft.row[field.column ?? name] ?? '');
  };
  return stored('slug') || slugify(stored(from), maxLength);
}

/** Fields that show the slug which an item would get. */
function generatedSlugs(model: ResourceModel): string[] {
  return [...model.fields.values()].flatMap(({ name, schema }) => (schema.function === 'generated-slug' ? [name] : []));
}

/** One statement finds the slugs that others have; only for these another one is looked for. */
async function makeUnique(
  names: readonly string[],
  views: readonly View[],
  rows: readonly Row[],
  model: ResourceModel,
  options: Options,
  { store }: Operation,
): Promise<void> {
  const table = model.table!.name;
  const shown = views.flatMap((view, at) =>
    names.filter((name) => view[name] !== undefined).map((name) => ({ view, name, id: rows[at]!['id'] as number })),
  );
  if (shown.length === 0) return;
  const wanted = [...new Set(shown.map(({ view, name }) => view[name] as string))];
  const taken = await store.select({ table, columns: ['id', 'slug'], where: oneOf('slug', wanted), order: [] });
  for (const { view, name, id } of shown) {
    const slug = view[name] as string;
    const isTaken = taken.some((other) => other['slug'] === slug && other['id'] !== id);
    if (!isTaken && (slug === String(id) || !isReserved(slug, options))) continue;
    const row = await store.first(table, [...model.table!.columns.keys()], equals('id', id));
    if (row) view[name] = await freeSlug(slug, model, options, row, { store });
  }
}

/** An item without a slug has none in the trash either, and is restored unchanged. */
function isBlank(model: ResourceModel, options: Options, status: unknown): boolean {
  const { trash } = model.faces;
  if (trash && status === trash.status) return true;
  return options.blank?.includes(String(status)) ?? false;
}

/** The requested or generated slug before it is made unique; undefined when the stored one is kept. */
function wantedSlug(
  model: ResourceModel,
  options: Options,
  row: Row,
  op: Operation,
  current?: Row,
): string | undefined {
  const status = row['status'] ?? current?.['status'];
  const given = row['slug'] as string | undefined;
  // Writers who may not publish leave the slug undecided.
  if (!op.trusted && model.faces.publication?.isUndecided(status, op.actor)) return '';
  const stored = current?.['slug'] as string | undefined;
  if (given && given === stored) return parentMoved(options, row, current) ? given : undefined;
  if (given) return given;
  if (current && given === undefined && stored) return parentMoved(options, row, current) ? stored : undefined;
  if (isBlank(model, options, status)) return '';
  const column = model.fields.get(options.from)?.column ?? options.from;
  return slugify(String(row[column] ?? current?.[column] ?? ''), options.maxLength);
}

/** A new parent changes the siblings among which a slug is unique. */
function parentMoved(options: Options, row: Row, current?: Row): boolean {
  const columns = (options.scope ?? [])
    .flatMap((part) => Object.values(part).flat())
    .filter((value) => String(value).startsWith('$'));
  return columns.some((value) => {
    const column = String(value).slice(1);
    return row[column] !== undefined && row[column] !== current?.[column];
  });
}

async function freeSlug(
  base: string,
  model: ResourceModel,
  options: Options,
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
  options: Options,
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

function isReserved(slug: string, options: Options): boolean {
  return (options.reserved ?? []).some((word) => (word === '#' ? /^\d+$/.test(slug) : word === slug));
}

/** Slugs in use that have this prefix. */
async function takenSlugs(
  base: string,
  model: ResourceModel,
  options: Options,
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

function scopeOf(model: ResourceModel, options: Options, row: Row): Predicate {
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
  options: Options,
  model: ResourceModel,
  row: Row,
  op: Pick<Operation, 'store'>,
): Promise<string> {
  const column = model.fields.get(options.parent!)?.column ?? options.parent!;
  const parent = row[column] ? await op.store.first(model.table!.name, ['slug'], equals('id', row[column])) : undefined;
  return parent ? truncateSlug(base, `-${parent['slug']}`, options.maxLength ?? 200) : base;
}
