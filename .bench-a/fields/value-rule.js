import { toBoolean, toInteger, toList, toNumber } from './coerce.js';
import { anyOfRule, oneOfRule } from './combined-rule.js';
import { anyJson, isPlainObject } from './json-value.js';
import { listRule } from './list-rule.js';
import { objectRule } from './object-rule.js';
import { booleanRule, nullRule, numberCoercion, numberLimits, stringCoercion, stringLimits } from './scalar-rule.js';
import { choices, refuse, refuseType } from './value-issue.js';
/** The rule of a schema (decisions 2.9 to 2.12). Throws at boot for a pattern that cannot be used, never afterwards. */
export function compileRule(schema) {
    const forms = [];
    if (schema.anyOf)
        forms.push(anyOfRule(branches(schema, schema.anyOf)));
    if (schema.oneOf)
        forms.push(oneOfRule(branches(schema, schema.oneOf)));
    if (schema.type !== undefined || forms.length === 0)
        forms.push(typesRule(schema));
    const rule = forms.length === 1 ? forms[0] : inTurn(forms);
    return schema.type === undefined && schema.enum ? inTurn([rule, enumRule(schema.enum)]) : rule;
}
// Forms without a type of their own are about the type beside them.
function branches(schema, forms) {
    return forms.map((form) => compileRule(form.type === undefined && schema.type ? { ...form, type: schema.type } : form));
}
function inTurn(rules) {
    return (value, param) => {
        let checked = { value };
        for (const rule of rules) {
            checked = rule(checked.value, param);
            if ('issue' in checked)
                return checked;
        }
        return checked;
    };
}
function typesRule(schema) {
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
    if (types.length === 0)
        return anyJson;
    const rules = new Map(types.map((type) => [type, typeRule(type, schema)]));
    if (rules.size === 1)
        return rules.get(types[0]);
    const must = `must be ${choices([...rules.keys()].map((type) => NOUNS[type] ?? type))}.`;
    return (value, param) => {
        const type = chooseType(types, value);
        return type === undefined ? refuseType(param, must) : rules.get(type)(value, param);
    };
}
const NOUNS = {
    string: 'a string',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
};
// A value that already has one of the types keeps it; else the first type in the schema's order that can be made of it.
function chooseType(types, value) {
    const own = types.find((type) => hasType(type, value));
    if (own !== undefined && (own !== 'string' || value === ''))
        return own;
    return types.find((type) => canBecome(type, value));
}
function hasType(type, value) {
    switch (type) {
        case 'null':
            return value === null;
        case 'array':
            return Array.isArray(value);
        case 'object':
            return isPlainObject(value);
        case 'integer':
            return Number.isInteger(value);
        default:
            return typeof value === type;
    }
}
function canBecome(type, value) {
    switch (type) {
        case 'integer':
            return toInteger(value) !== undefined;
        case 'number':
            return toNumber(value) !== undefined;
        case 'boolean':
            return toBoolean(value) !== undefined;
        case 'array':
            return toList(value) !== undefined;
        case 'object':
            return value === '' || isPlainObject(value);
        default:
            return hasType(type, value);
    }
}
function typeRule(type, schema) {
    switch (type) {
        case 'string':
            return limited(schema, stringCoercion(schema), stringLimits(schema));
        case 'integer':
        case 'number':
            return limited(schema, numberCoercion(type), numberLimits(schema));
        case 'boolean':
            return limited(schema, booleanRule, []);
        case 'null':
            return nullRule;
        case 'array':
            return listRule(schema, schema.items ? compileRule(schema.items) : anyJson);
        case 'object':
            return objectRule(schema, compileRule);
        default:
            throw new Error(`There is no JSON type "${type}".`);
    }
}
// Coercion, then enum, then limits. Limits only look; they change nothing.
function limited(schema, coerce, limits) {
    const rule = schema.enum ? inTurn([coerce, enumRule(coercedEnum(schema.enum, coerce))]) : coerce;
    if (limits.length === 0)
        return rule;
    return (value, param) => {
        const checked = rule(value, param);
        if ('issue' in checked)
            return checked;
        for (const limit of limits) {
            const refused = limit(checked.value, param);
            if (refused)
                return refused;
        }
        return checked;
    };
}
function coercedEnum(allowed, coerce) {
    return allowed.flatMap((value) => {
        const checked = coerce(value, '');
        return 'issue' in checked ? [] : [checked.value];
    });
}
function enumRule(allowed) {
    const set = new Set(allowed);
    const must = `must be ${allowed.length > 1 ? 'one of ' : ''}${choices(allowed.map((value) => JSON.stringify(value)))}.`;
    return (value, param) => (set.has(value) ? { value } : refuse('rest_not_in_enum', param, must));
}
