// Public URL made of a prefix and a stored path: `{home}/category/parent/child/`.
import type { ComputedFunction } from '../../model/registry.js';

export const pathLink: ComputedFunction = {
  name: 'path-link',
  description: 'Public URL `{home}/{prefix}/{column}/`.',
  options: {
    prefix: { type: 'string', description: 'Path before it.' },
    column: { type: 'string', description: 'Column with the path (default slug).' },
  },
  check: (check, { column = 'slug' }) => check.column(['column'], String(column)),
  returns: { type: 'string', format: 'uri' },
  reads: ({ column = 'slug' }) => [String(column)],
  shows: ({ column = 'slug' }) => [String(column)],
  compile({ prefix = '', column = 'slug' }) {
    const start = prefix ? `/${String(prefix)}/` : '/';
    const name = String(column);
    return (row, { site }) => `${site.home}${start}${row[name]}/`;
  },
};
