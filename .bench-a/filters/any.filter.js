import { fieldOf, holdsAny } from './field-of.js';
export const anyFilter = {
    name: 'any',
    description: 'Items whose `field` holds any of the values; no value, no restriction.',
    value: { type: 'array', items: { type: 'integer' } },
    compile(param, model, report) {
        const field = fieldOf(param, model, report, 'any');
        if (!field)
            return undefined;
        return (values, plan) => {
            if (values.length > 0)
                plan.where.push(holdsAny(field, values));
        };
    },
};
