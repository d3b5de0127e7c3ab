import { fieldOf, holdsNone } from './field-of.js';
export const noneFilter = {
    name: 'none',
    description: 'Items whose `field` holds none of the values.',
    value: { type: 'array', items: { type: 'integer' } },
    compile(param, model, report) {
        const field = fieldOf(param, model, report, 'any');
        if (!field)
            return undefined;
        return (values, plan) => {
            if (values.length > 0)
                plan.where.push(holdsNone(field, values));
        };
    },
};
