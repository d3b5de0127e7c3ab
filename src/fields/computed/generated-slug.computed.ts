// The slug that the title of an item gives, whatever slug it has. The trait `sluggable` makes it unique.
import type { ComputedFunction } from '../../model/registry.js';
import { slugify } from '../../text/slug.js';

export const generatedSlug: ComputedFunction = {
  name: 'generated-slug',
  description: 'The slug that the `from` column gives, unique as slugs are with the trait sluggable.',
  options: { from: { type: 'string', description: 'Column of the text it is made from (default title).' } },
  check(check, { from = 'title' }) {
    check.column(['from'], String(from));
  },
  returns: { type: 'string' },
  reads: ({ from = 'title' }) => ['id', String(from)],
  compile:
    ({ from = 'title' }) =>
    (row) =>
      slugify(String(row[String(from)])) || String(row['id']),
};
