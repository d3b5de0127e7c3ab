// Items whose field equals the value.
import { equals } from '../model/query.js';
import { fieldOf, holdsAny } from './field-of.js';
export const equalsFilter = {
    name: 'equals',
    description: 'Items whose `field` equals the value.',
    value: {},
    compile(param, model, report) {
        const field = fieldOf(param, model, report, 'any');
        if (!field)
            return undefined;
        return (value, plan) => {
            const stored = typeof value === 'boolean' ? (value ? 1 : 0) : value;
            plan.where.push(field.many ? holdsAny(field, [stored]) : equals(field.column, stored));
        };
    },
};
