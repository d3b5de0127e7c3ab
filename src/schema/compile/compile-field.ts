// Compiles one field (stage "compile" of a schema file).
import { draft04, argSchema } from '../../values/json-schema.js';
import { fieldTypes } from '../../fields/registry.js';
import { compileRule } from '../../values/compile-rule.js';
import { codesOf, exempting, walkedRule } from '../../values/rule.js';
import type { FieldModel } from '../../model/model.js';
import type { Checked, Rule } from '../../model/value.js';
import { CONTEXTS, type Context, type FieldSchema, type MemberSchema, type ValueSchema } from '../../model/schema.js';

/** Compiles a field; undefined when its type is unknown, which the grammar check has reported. */
export function compileField(
  name: string,
  schema: FieldSchema,
  owner: { table: string; resource: string },
): FieldModel | undefined {
  const type = fieldTypes.get(schema.type);
  if (!type) return undefined;
  const value = type.value(schema);
  const contexts = schema.internal ? [] : (schema.contexts ?? CONTEXTS);
  const field: FieldModel = {
    name,
    schema,
    type: schema.type,
    readOnly: schema.readOnly ?? false,
    internal: schema.internal ?? false,
    required: schema.required ?? false,
    contexts: new Set(contexts),
    readers: 'everyone',
    columns: [],
    reads: [],
    rule: compileRule(value),
    json: {},
    arg: {},
  };
  type.compile(field, owner);
  if (schema.keeps) {
    field.createRule = field.rule;
    field.rule = keeping(field.rule, schema.keeps);
  }
  describe(field, value, contexts);
  return field;
}

/** The schema of a body does not apply to read-only fields. */
function markReadOnly(member: MemberSchema): void {
  member.readOnly = true;
  delete member.default;
  delete member.maxLength;
  delete member.additionalProperties;
}

/** Accepts values that are only valid if stored already; the draft checks them. */
function keeping(rule: Rule, keeps: readonly unknown[]): Rule {
  if (!keeps.includes('*')) return exempting(rule, (value) => keeps.includes(value));
  const check = (value: unknown, param: string): Checked => {
    const checked = rule(value, param);
    return 'issue' in checked && checked.issue.code === 'rest_not_in_enum' ? { value } : checked;
  };
  return walkedRule(
    check,
    codesOf(rule).filter((code) => code !== 'rest_not_in_enum'),
  );
}

function describe(field: FieldModel, value: ValueSchema, contexts: readonly Context[]): void {
  const member: MemberSchema = { ...value, contexts: field.type === 'password' ? [] : contexts };
  if (field.schema.default !== undefined) member.default = field.schema.default;
  if (field.readOnly) markReadOnly(member);
  field.json = draft04(member) as FieldModel['json'];
  field.arg = argSchema({ ...value, ...(field.schema.default === undefined ? {} : { default: field.schema.default }) });
}
