// URL of a stored file.
import type { ComputedFunction } from '../../model/registry.js';

export const fileUrl: ComputedFunction = {
  name: 'file-url',
  description: 'URL of the file whose storage key is in `column`; for a file behind rules a signed one that expires.',
  options: { column: { type: 'string', description: 'Column with the storage key (default file).' } },
  check: (check, { column = 'file' }) => check.column(['column'], String(column)),
  returns: { type: 'string', format: 'uri' },
  reads: ({ column = 'file' }) => [String(column)],
  shows: ({ column = 'file' }) => [String(column)],
  compile({ column = 'file' }) {
    const name = String(column);
    return (row, { site, op }) => {
      const signed = site.signFile?.(String(row[name]));
      // A signed URL expires: it changes without a change of the data.
      if (signed !== undefined) op.state.volatile = true;
      return signed ?? `${site.uploads}/${row[name]}`;
    };
  },
};
