import { isPlainObject } from './json-value.js';
/** The filter of a value; undefined when every member is shown wherever the value is. */
export function memberFilter(schema) {
    const item = schema.items && memberFilter(schema.items);
    const members = new Map();
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
        const inner = memberFilter(member);
        if (member.contexts || inner)
            members.set(name, { contexts: member.contexts, inner });
    }
    if (!item && members.size === 0)
        return undefined;
    return (value, context) => {
        if (Array.isArray(value))
            return item ? value.map((each) => item(each, context)) : value;
        if (members.size === 0 || !isPlainObject(value))
            return value;
        const shown = {};
        for (const [name, stored] of Object.entries(value)) {
            const { contexts, inner } = members.get(name) ?? {};
            if (!contexts || contexts.includes(context))
                shown[name] = inner ? inner(stored, context) : stored;
        }
        return shown;
    };
}
