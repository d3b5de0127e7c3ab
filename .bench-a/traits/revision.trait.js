// A stored former state of an item of another resource; deleting it keeps the item's count right (decisions 18.6).
import { and, equals, oneOf } from '../model/query.js';
export const revisionTrait = {
    name: 'revision',
    description: 'Items are revisions of their parent: it knows how many there are and which is the latest.',
    options: {},
    hooks: (model) => ({
        async removed(row, op) {
            const table = model.table.name;
            const column = model.parent.field.column;
            const kinds = Object.entries(model.discriminator).map(([name, value]) => oneOf(name, [value]));
            const left = await op.tx.select({
                table,
                columns: ['id'],
                where: and(...kinds, equals(column, row[column])),
                order: [{ column: 'date', direction: 'desc' }, { column: 'id', direction: 'desc' }],
            });
            const changes = { revision_count: left.length, latest_revision: left[0]?.['id'] ?? 0 };
            await op.tx.update(table, changes, equals('id', row[column]));
        },
    }),
};
