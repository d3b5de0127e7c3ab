import { plainValue } from './keywords.js';
import { scalarColumn } from './scalar-column.js';
export const booleanField = {
    name: 'boolean',
    description: 'True or false.',
    keys: {},
    value: (field) => plainValue('boolean', field),
    compile: (field) => scalarColumn(field, { kind: 'boolean' }, false, {
        toStore: (value) => (value ? 1 : 0),
        toView: (stored) => Boolean(stored),
    }),
};
