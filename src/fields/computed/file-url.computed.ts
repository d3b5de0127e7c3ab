// Public URL of a stored file.
import type { ComputedFunction } from '../../model/registry.js';

export const fileUrl: ComputedFunction = {
  name: 'file-url',
  description: 'Public address of the file whose storage key is in `column`.',
  options: { column: { type: 'string', description: 'Column with the storage key (default file).' } },
  check: (check, { column = 'file' }) => check.column(['column'], String(column)),
  returns: { type: 'string', format: 'uri' },
  reads: ({ column = 'file' }) => [String(column)],
  shows: ({ column = 'file' }) => [String(column)],
  compile({ column = 'file' }) {
    const name = String(column);
    return (row, { site }) => `${site.uploads}/${row[name]}`;
  },
};
