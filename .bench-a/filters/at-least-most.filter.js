import { fieldOf } from './field-of.js';
function bound(name, op, words) {
    return {
        name,
        description: `Items whose \`field\` is ${words} the value.`,
        value: { type: 'number' },
        compile(param, model, report) {
            const field = fieldOf(param, model, report);
            if (!field)
                return undefined;
            return (value, plan) => void plan.where.push({ op, column: field.column, value });
        },
    };
}
export const atLeastFilter = bound('at-least', 'ge', 'at least');
export const atMostFilter = bound('at-most', 'le', 'at most');
