import { plainValue } from './keywords.js';
import { jsonColumn } from './json-column.js';
export const arrayField = {
    name: 'array',
    description: 'A list of values described by `items`.',
    keys: {},
    value: (field) => plainValue('array', field, { items: field.items ?? {} }),
    compile: (field) => jsonColumn(field, []),
};
