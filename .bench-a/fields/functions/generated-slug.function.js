import { slugify } from '../../text/slug.js';
export const generatedSlug = {
    name: 'generated-slug',
    description: 'The slug of a published item, else the one its `from` column would give.',
    returns: { type: 'string' },
    reads: ({ from = 'title' }) => ['id', 'slug', 'status', String(from)],
    compile({ from = 'title' }) {
        const published = new Set(['publish', 'private', 'future', 'inherit']);
        return (row) => row['slug'] && published.has(row['status']) ? row['slug'] : slugify(String(row[String(from)])) || String(row['id']);
    },
};
