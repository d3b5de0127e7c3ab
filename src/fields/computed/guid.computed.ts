// The permanent identifier of an item.
import type { ComputedFunction } from '../../model/registry.js';

export const guid: ComputedFunction = {
  name: 'guid',
  description:
    'Identifier that never changes: `{home}/?{query}={id}`, or the URL of a file when `file` names its column. `plain`: a string instead of {rendered, raw}.',
  options: {
    query: { type: 'string', description: 'Parameter of the URL (default p).' },
    file: { type: 'string', description: 'Column with a storage key, whose URL is shown instead.' },
    plain: { type: 'boolean', description: 'A string instead of {rendered, raw}.' },
  },
  check(check, { file }) {
    if (file !== undefined) check.column(['file'], String(file));
  },
  returns: {
    type: 'object',
    properties: {
      raw: { type: 'string', description: 'The identifier as stored.', contexts: ['edit'], readOnly: true },
      rendered: {
        type: 'string',
        description: 'The identifier, ready to show.',
        contexts: ['view', 'edit'],
        readOnly: true,
      },
    } as Record<string, object>,
  },
  reads: ({ file }) => (file ? ['id', String(file)] : ['id']),
  compile({ query = 'p', file, plain }) {
    return (row, { site, context }) => {
      const value =
        file && row[String(file)]
          ? `${site.uploads}/${row[String(file)]}`
          : `${site.home}/?${String(query)}=${row['id']}`;
      if (plain) return value;
      return context === 'edit' ? { rendered: value, raw: value } : { rendered: value };
    };
  },
};
