// One written field turned into its model (stage "compile" of a schema file). Called by compile.
import { draft04, argSchema } from '../fields/json-schema.js';
import { fieldTypes } from '../fields/registry.js';
import { compileRule } from '../fields/value-rule.js';
const ALL = ['view', 'embed', 'edit'];
/** Compiles a field; undefined when its type is unknown (the grammar check has said so). */
export function compileField(name, schema, owner) {
    const type = fieldTypes.get(schema.type);
    if (!type)
        return undefined;
    const value = type.value(schema);
    const contexts = schema.internal ? [] : (schema.contexts ?? ALL);
    const field = {
        name,
        schema,
        type: schema.type,
        readOnly: schema.readOnly ?? false,
        internal: schema.internal ?? false,
        required: schema.required ?? false,
        contexts: new Set(contexts),
        columns: [],
        reads: [],
        rule: compileRule(value),
        json: {},
        arg: {},
    };
    type.compile(field, owner);
    if (schema.keeps)
        field.rule = keeping(field.rule, schema.keeps);
    describe(field, value, contexts);
    return field;
}
/** Lets values through that only the stored row can justify; the draft checks them (decisions 11.5). */
function keeping(rule, keeps) {
    return (value, param) => (keeps.includes(value) ? { value } : rule(value, param));
}
function describe(field, value, contexts) {
    const member = { ...value, contexts: field.type === 'password' ? [] : contexts };
    if (field.readOnly)
        member.readOnly = true;
    if (field.schema.default !== undefined)
        member.default = field.schema.default;
    field.json = draft04(member);
    field.arg = argSchema({ ...value, ...(field.schema.default === undefined ? {} : { default: field.schema.default }) });
}
