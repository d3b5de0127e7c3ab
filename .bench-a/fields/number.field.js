import { plainValue } from './keywords.js';
import { scalarColumn } from './scalar-column.js';
export const numberField = {
    name: 'number',
    description: 'A number, kept as a double.',
    keys: {},
    value: (field) => plainValue('number', field),
    compile: (field) => scalarColumn(field, { kind: 'double' }, 0),
};
