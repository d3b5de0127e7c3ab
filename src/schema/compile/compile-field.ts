// Compiles one field (stage "compile" of a schema file).
import { draft04, argSchema } from '../../values/json-schema.js';
import { fieldTypes } from '../../fields/registry.js';
import { GENERATED, generatorOf, isGenerated } from '../../values/generated-value.js';
import { compileRule } from '../../values/compile-value-rule.js';
import { codesOf, withException, walkedRule } from '../../values/rule.js';
import type { Checked, Rule } from '../../model/value.js';
import { isPlainObject } from '../../values/json-value.js';
import { CONTEXTS, type Context } from '../../model/schema/schema.js';
import type { MemberSchema, ValueSchema } from '../../model/schema/value-schema.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { FieldModel } from '../../model/field.js';

/** Compiles a field; undefined when its type is unknown, which the grammar check has reported. */
export function compileField(
  name: string,
  source: FieldSchema,
  owner: { table: string; resource: string },
): FieldModel | undefined {
  const type = fieldTypes.get(source.customType ?? source.type);
  if (!type) return undefined;
  const { schema, generates } = withGenerator(type.neverNull ? { ...source, nullable: false } : source);
  const value = type.value(schema);
  const contexts = schema.hidden ? [] : (schema.contexts ?? CONTEXTS);
  const field: FieldModel = {
    name,
    schema,
    type: schema.type,
    readOnly: schema.readOnly ?? false,
    hidden: schema.hidden ?? false,
    required: schema.required ?? false,
    contexts: new Set(contexts),
    readers: 'everyone',
    columns: [],
    reads: [],
    rule: compileRule(value),
    json: {},
    arg: {},
    ...(generates ? { generates } : {}),
  };
  type.compile(field, owner);
  const plain = plainDefault(field);
  if (plain !== undefined) return compileField(name, { ...source, default: plain }, owner);
  field.rule = acceptingEmpty(field, value);
  if (showsNoMembers(field)) {
    field.createRule = field.rule;
    field.rule = withException(field.rule, isEmptyObject);
  }
  if (schema.allowStored) {
    field.createRule = schema.allowStored.includes('*') ? reportingAsInvalid(field.rule) : field.rule;
    field.rule = acceptingStored(field.rule, schema.allowStored);
  }
  describe(field, value, contexts);
  return field;
}

/** A field that the engine fills has no constant default: it is empty until then. */
function withGenerator(source: FieldSchema): { schema: FieldSchema; generates?: FieldModel['generates'] } {
  const { default: initial, onUpdate } = source;
  const create =
    isGenerated(initial) && GENERATED[initial]!.includes(source.type) ? generatorOf(initial, source) : undefined;
  const update = onUpdate ? generatorOf(onUpdate, source) : undefined;
  if (!create && !update) return { schema: source };
  const { default: _default, ...rest } = source;
  const schema: FieldSchema = {
    ...(create ? rest : source),
    nullable: source.nullable ?? (!source.required && source.type !== 'reference'),
  };
  return { schema, generates: { ...(create ? { create } : {}), ...(update ? { update } : {}) } };
}

/** A default in another form than values have, such as a list as text with commas, as requests may send it. */
function plainDefault({ schema, rule, name }: FieldModel): unknown {
  const { default: initial } = schema;
  if (initial === undefined || initial === null) return undefined;
  const checked = rule(initial, name);
  if ('issue' in checked) return undefined;
  const isPlainer = Array.isArray(checked.value) ? !Array.isArray(initial) : typeof initial === 'object';
  return isPlainer && typeof checked.value !== typeof initial ? checked.value : undefined;
}

/** Keywords that restrict a text further than its format. */
const LIMITS = ['enum', 'pattern', 'minLength', 'anyOf', 'oneOf'] as const;

/** An optional text of a certain form is empty until one is sent: it may be sent back so, and emptied again. */
function acceptingEmpty({ name, schema, required, defaultValue, rule }: FieldModel, { format }: ValueSchema): Rule {
  if (format === undefined || required || schema.alwaysFilled || defaultValue !== '') return rule;
  const isFree = LIMITS.every((key) => schema[key] === undefined);
  return isFree && 'issue' in rule('', name) ? withException(rule, (value) => value === '') : rule;
}

/** An object with required members that nobody has sent is shown without them: an update may send it back so. */
function showsNoMembers({ type, name, schema, required, defaultValue, rule }: FieldModel): boolean {
  if (type !== 'object' || required || schema.default !== undefined || !isEmptyObject(defaultValue)) return false;
  const checked = rule({}, name);
  return 'issue' in checked && checked.issue.code === 'rest_property_required';
}

/** The schema of a body does not apply to read-only fields. */
function markReadOnly(member: MemberSchema): void {
  member.readOnly = true;
  delete member.default;
  delete member.maxLength;
  delete member.additionalProperties;
}

/** Reports a value outside an `enum` beside which any stored value is allowed as `rest_invalid_param`. */
function reportingAsInvalid(rule: Rule): Rule {
  const check = (value: unknown, param: string): Checked => {
    const checked = rule(value, param);
    if (!('issue' in checked) || checked.issue.code !== 'rest_not_in_enum') return checked;
    return { issue: { ...checked.issue, code: 'rest_invalid_param' } };
  };
  return walkedRule(
    check,
    codesOf(rule).map((code) => (code === 'rest_not_in_enum' ? 'rest_invalid_param' : code)),
  );
}

/** Accepts values that are only valid if stored already; the draft checks them. */
function acceptingStored(rule: Rule, stored: readonly unknown[]): Rule {
  if (!stored.includes('*')) return withException(rule, (value) => stored.includes(value));
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

function isEmptyObject(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length === 0;
}
