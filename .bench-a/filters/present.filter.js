import { fieldOf } from './field-of.js';
export const presentFilter = {
    name: 'present',
    description: 'With true: items whose number `field` is above zero.',
    value: { type: 'boolean', default: false },
    compile(param, model, report) {
        const field = fieldOf(param, model, report);
        if (!field)
            return undefined;
        return (value, plan) => {
            if (value)
                plan.where.push({ op: 'gt', column: field.column, value: 0 });
        };
    },
};
