import { slugify } from '../text/slug.js';
import { plainValue } from './keywords.js';
import { scalarColumn } from './scalar-column.js';
export const slugField = {
    name: 'slug',
    description: 'A lower-case name for addresses; whatever is sent is brought into that form (decisions 11.17).',
    keys: {},
    value: (field) => plainValue('string', field),
    compile(field) {
        const length = field.schema.maxLength ?? 200;
        scalarColumn(field, { kind: 'varchar', length, binary: true }, '', {
            toStore: (value) => slugify(value, length),
        });
    },
};
