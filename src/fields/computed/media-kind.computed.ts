// Whether a file is an image.
import type { ComputedFunction } from '../../model/registry.js';

export const mediaKind: ComputedFunction = {
  name: 'media-kind',
  description: '`image` or `file`, by the MIME type in `column`.',
  options: { column: { type: 'string', description: 'Column with the MIME type (default mime_type).' } },
  check: (check, { column = 'mime_type' }) => check.column(['column'], String(column)),
  returns: { type: 'string', enum: ['image', 'file'] },
  reads: ({ column = 'mime_type' }) => [String(column)],
  compile({ column = 'mime_type' }) {
    const name = String(column);
    return (row) => (String(row[name]).startsWith('image/') ? 'image' : 'file');
  },
};
