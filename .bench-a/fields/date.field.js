import { plainValue } from './keywords.js';
import { scalarColumn } from './scalar-column.js';
export const dateField = {
    name: 'date',
    description: 'A calendar day, YYYY-MM-DD.',
    keys: {},
    value: (field) => plainValue('string', field, { format: 'date' }),
    compile: (field) => scalarColumn(field, { kind: 'varchar', length: 10 }, ''),
};
