export const pathLink = {
    name: 'path-link',
    description: 'Public address `{home}/{prefix}/{column}/`.',
    returns: { type: 'string', format: 'uri' },
    reads: ({ column = 'slug' }) => [String(column)],
    compile({ prefix = '', column = 'slug' }) {
        const start = prefix ? `/${String(prefix)}/` : '/';
        const name = String(column);
        return (row, { site }) => `${site.home}${start}${row[name]}/`;
    },
};
