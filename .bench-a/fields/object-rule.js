import { anyJson, isPlainObject, refuseUnstorable, safeKeys } from './json-value.js';
import { compilePattern, LONGEST_MATCHED } from './pattern.js';
import { choices, counted, memberName, refuse, refuseType } from './value-issue.js';
/** `type: object`. `compile` makes the rules of its members. */
export function objectRule(schema, compile) {
    const ruleOf = memberRules(schema, compile);
    const required = requiredMembers(schema);
    const { minProperties = 0, maxProperties = Infinity } = schema;
    const known = Object.keys(schema.properties ?? {});
    const hint = known.length > 0 ? ` Allowed: ${choices(known)}.` : '';
    return (value, param) => {
        if (value === '')
            value = {};
        if (!isPlainObject(value))
            return refuseType(param, 'must be an object.');
        const kept = {};
        let count = 0;
        for (const key of safeKeys(value)) {
            const rule = ruleOf(key);
            if (rule === 'ignored')
                continue;
            const name = memberName(param, key);
            if (rule === 'forbidden')
                return refuse('rest_additional_properties_forbidden', name, `is not allowed.${hint}`);
            if (++count > maxProperties) {
                return refuse('rest_too_many_properties', param, `must have at most ${counted(maxProperties, 'property')}.`);
            }
            const checked = refuseUnstorable(key, name) ?? rule(value[key], name);
            if ('issue' in checked)
                return checked;
            kept[key] = checked.value;
        }
        if (count < minProperties) {
            return refuse('rest_too_few_properties', param, `must have at least ${counted(minProperties, 'property')}.`);
        }
        const missing = required.find((key) => !Object.hasOwn(kept, key));
        return missing === undefined
            ? { value: kept }
            : refuse('rest_property_required', memberName(param, missing), 'is required.');
    };
}
/** Names an object must have: the list of draft 4, or the members' own `required` of draft 3. */
export function requiredMembers(schema) {
    const names = new Set(Array.isArray(schema.required) ? schema.required : []);
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
        if (member.required === true)
            names.add(name);
    }
    // A member that clients cannot write cannot be asked of them either.
    return [...names].filter((name) => schema.properties?.[name]?.readOnly !== true);
}
function memberRules(schema, compile) {
    const declared = new Map();
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
        // A fetched item may be sent back whole (decisions 0.16).
        declared.set(name, member.readOnly ? 'ignored' : compile(member));
    }
    const patterned = Object.entries(schema.patternProperties ?? {}).map(([pattern, member]) => ({
        pattern: compilePattern(pattern),
        rule: compile(member),
    }));
    const additional = additionalRule(schema.additionalProperties, compile);
    return (key) => {
        const rule = declared.get(key);
        if (rule || key.length > LONGEST_MATCHED)
            return rule ?? additional;
        return patterned.find(({ pattern }) => pattern.test(key))?.rule ?? additional;
    };
}
function additionalRule(additional, compile) {
    if (additional === false)
        return 'forbidden';
    return typeof additional === 'object' ? compile(additional) : anyJson;
}
