// One written field turned into its model (stage "compile" of a schema file). Called by compile.
import { draft04, argSchema } from '../fields/json-schema.js';
import { fieldTypes } from '../fields/registry.js';
import { compileRule } from '../fields/value-rule.js';
import type { FieldModel } from '../model/model.js';
import type { Rule } from '../model/value.js';
import type { Context, FieldSchema, MemberSchema, ValueSchema } from '../model/schema.js';

const ALL: Context[] = ['view', 'embed', 'edit'];

/** Compiles a field; undefined when its type is unknown (the grammar check has said so). */
export function compileField(
  name: string,
  schema: FieldSchema,
  owner: { table: string; resource: string },
): FieldModel | undefined {
  const type = fieldTypes.get(schema.type);
  if (!type) return undefined;
  const value = type.value(schema);
  const contexts = schema.internal ? [] : (schema.contexts ?? ALL);
  const field: FieldModel = {
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
  if (schema.keeps) {
    field.createRule = field.rule;
    field.rule = keeping(field.rule, schema.keeps);
  }
  describe(field, value, contexts);
  return field;
}

/** What a client may send says nothing about a field it cannot send. */
function markReadOnly(member: MemberSchema): void {
  member.readOnly = true;
  delete member.default;
  delete member.maxLength;
  delete member.additionalProperties;
}

/** Lets values through that only the stored row can justify; the draft checks them (decisions 11.5, 11.33). */
function keeping(rule: Rule, keeps: readonly unknown[]): Rule {
  if (!keeps.includes('*')) return (value, param) => (keeps.includes(value) ? { value } : rule(value, param));
  return (value, param) => {
    const checked = rule(value, param);
    return 'issue' in checked && checked.issue.code === 'rest_not_in_enum' ? { value } : checked;
  };
}

function describe(field: FieldModel, value: ValueSchema, contexts: Context[]): void {
  const member: MemberSchema = { ...value, contexts: field.type === 'password' ? [] : contexts };
  if (field.schema.default !== undefined) member.default = field.schema.default;
  if (field.readOnly) markReadOnly(member);
  field.json = draft04(member) as FieldModel['json'];
  field.arg = argSchema({ ...value, ...(field.schema.default === undefined ? {} : { default: field.schema.default }) });
}
