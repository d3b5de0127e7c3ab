export const fileUrl = {
    name: 'file-url',
    description: 'Public address of the file whose storage key is in `column`.',
    returns: { type: 'string', format: 'uri' },
    reads: ({ column = 'file' }) => [String(column)],
    compile({ column = 'file' }) {
        const name = String(column);
        return (row, { site }) => `${site.uploads}/${row[name]}`;
    },
};
