export const mediaKind = {
    name: 'media-kind',
    description: '`image` or `file`, by the MIME type in `column`.',
    returns: { type: 'string', enum: ['image', 'file'] },
    reads: ({ column = 'mime_type' }) => [String(column)],
    compile({ column = 'mime_type' }) {
        const name = String(column);
        return (row) => (String(row[name]).startsWith('image/') ? 'image' : 'file');
    },
};
