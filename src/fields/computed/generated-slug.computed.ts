// The slug that an item has or would get from its title. The trait `sluggable` makes it unique.
import type { ComputedFunction } from '../../model/registry.js';
import { slugify } from '../../text/slug.js';

export const generatedSlug: ComputedFunction = {
  name: 'generated-slug',
  description: 'The slug of a published item, else the one its `from` column would give.',
  options: { from: { type: 'string', description: 'Column of the text it is made from (default title).' } },
  check(check, { from = 'title' }) {
    for (const [option, column] of Object.entries({ from, slug: 'slug', status: 'status' }))
      check.column([option], String(column));
  },
  returns: { type: 'string' },
  reads: ({ from = 'title' }, model) => [
    'id',
    'slug',
    'status',
    String(from),
    ...(model.table?.columns.has('trashed_slug') ? ['trashed_slug'] : []),
  ],
  compile({ from = 'title' }) {
    const published = new Set(['publish', 'private', 'future', 'inherit']);
    return (row) =>
      row['status'] === 'trash' && row['trashed_slug']
        ? row['trashed_slug']
        : row['slug'] && published.has(row['status'])
          ? row['slug']
          : slugify(String(row[String(from)])) || String(row['id']);
  },
};
