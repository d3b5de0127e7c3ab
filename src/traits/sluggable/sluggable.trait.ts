// Slugs: generated from a title, unique within a scope, suffixed on collision.
import { ResourceError } from '../../errors/resource-error.js';
import { withDerived } from '../../model/functions/with-derived.js';
import { equals } from '../../model/query.js';
import { slugify } from '../../text/slug.js';
import type { Trait } from '../../model/trait.js';
import { type SlugOptions, freeSlug } from './free-slug.js';
import { isBlank, expectedSlug, parentMoved, wantedSlug } from './wanted-slug.js';
import { generatedSlugs, makeUnique } from './generated-slugs.js';

const SCALARS = ['string', 'number', 'boolean'];
/** Message of a code declared in the schema. */
const TAKEN = 'Another item has this slug. Send another one.';
/** Schema of the value that a scope column is compared with. */
const SCOPE_VALUE = { type: [...SCALARS, 'array'], items: { type: SCALARS } };
/** Types that a slug can be generated from. */
const NAMING = ['string', 'text', 'rendered', 'integer', 'date'];

export const sluggableTrait: Trait<SlugOptions> = {
  name: 'sluggable',
  description: 'Adds slug, made from the field `from` when none is given, unique within `scope`.',
  // Whether an item has a slug depends on its status, and the text it is made of may come from a file or other fields;
  // terms compare the slug that was sent, not the one made unique.
  after: ['trashable', 'published', 'moderated', 'uploaded', 'account', 'term'],
  options: {
    from: { type: 'string', description: 'Field the slug is made from.', required: true },
    scope: {
      type: 'array',
      description: 'Rows among which the slug is unique; $column is a column of the row of the item.',
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
      description: 'Name of the item in URLs.',
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
    name: {
      column: 'slug',
      wanted: (values, op) => expectedSlug(model, options, values, op),
      async free(row, before, tx) {
        if (!row['slug'] || !parentMoved(options, row, before)) return row['slug'];
        return freeSlug(row['slug'], model, { ...options, reserved: [] }, row, { store: tx, tx });
      },
    },
  }),
  codes: (_model, { taken }) => (taken === undefined ? {} : { update: [{ code: taken, status: 400 }] }),
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
      const changes = withDerived(model, { slug }, op, row);
      await op.tx!.update(model.table!.name, changes, equals('id', row['id']));
      Object.assign(row, changes);
    },
  }),
};
