// Compiles JSON Schema keywords into one rule per value: coercion, then constraints.
// Compiled at start for fields, parameters and meta keys; the rules run on every request.
import type { Scalar } from '../model/schema/schema.js';
import type { Checked, Constraint, Rule } from '../model/value.js';
import { toBoolean, toInteger, toList, toNumber } from './coerce.js';
import { anyOfRule, inTurn, oneOfRule } from './combined-rule.js';
import { anyJsonRule, isPlainObject } from './json-value.js';
import { listRule } from './list-rule.js';
import { objectRule } from './object-rule.js';
import { codesOf, withConstraints, constraint, withException, ruleOf, typeConstraint, walkedRule } from './rule.js';
import { booleanRule, nullRule, numberLimits, numberRule, stringLimits, stringRule } from './scalar-rule.js';
import { choices, mustBe } from '../text/choices.js';
import { typeIssue } from './value-issue.js';
import type { ValueSchema } from '../model/schema/value-schema.js';

/** The rule of a schema. Throws at start for an invalid pattern, never afterwards. */
export function compileRule(schema: ValueSchema): Rule {
  const forms: Rule[] = [];
  if (schema.anyOf) forms.push(anyOfRule(branches(schema, schema.anyOf)));
  if (schema.oneOf) forms.push(oneOfRule(branches(schema, schema.oneOf)));
  if (schema.type !== undefined || forms.length === 0) forms.push(typesRule(schema));
  const rule = forms.length === 1 ? forms[0]! : inTurn(forms);
  return schema.type === undefined && schema.enum ? withConstraints(rule, [oneOf(schema.enum)]) : rule;
}

// Alternatives without a type inherit the type beside them.
function branches(schema: ValueSchema, forms: readonly ValueSchema[]): Rule[] {
  return forms.map((form) =>
    compileRule(form.type === undefined && schema.type ? { ...form, type: schema.type } : form),
  );
}

function typesRule(schema: ValueSchema): Rule {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return anyJsonRule;
  const rules = new Map(types.map((type) => [type, typeRule(type, schema)]));
  if (rules.size === 1) return rules.get(types[0]!)!;
  const must = `must be ${choices([...rules.keys()].map((type) => NOUNS[type] ?? type))}.`;
  const others = types.filter((type) => type !== 'null');
  if (others.length === 1 && others.length < types.length)
    return nullableRule(others[0]!, rules.get(others[0]!)!, must);
  // The type of the value sent decides which rule coerces it, and a coerced value does not show it.
  const check = (value: unknown, param: string): Checked => {
    const type = chooseType(types, value);
    return type === undefined ? typeIssue(param, must) : rules.get(type)!(value, param);
  };
  return walkedRule(check, ['rest_invalid_type', ...codesOf(...rules.values())]);
}

// The first constraint of a rule is that of its type; here it has another message.
function nullableRule(type: string, { coerce, constraints: [, ...others] }: Rule, must: string): Rule {
  const fits = (value: unknown): boolean => hasType(type, value) || canBecome(type, value);
  return withException(ruleOf(coerce, [typeConstraint(fits, must), ...others]), (value) => value === null);
}

const NOUNS: Record<string, string | undefined> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

// A value that already has one of the types keeps it; else the first type it can be coerced to, in the schema's order.
function chooseType(types: readonly string[], value: unknown): string | undefined {
  const own = types.find((type) => hasType(type, value));
  if (own !== undefined && (own !== 'string' || value === '')) return own;
  return types.find((type) => canBecome(type, value));
}

function hasType(type: string, value: unknown): boolean {
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

function canBecome(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return toInteger(value) !== undefined;
    case 'number':
      return toNumber(value) !== undefined;
    case 'boolean':
      return toBoolean(value) !== undefined;
    case 'array':
      return toList(value, 1) !== undefined;
    case 'object':
      return value === '' || isPlainObject(value);
    default:
      return hasType(type, value);
  }
}

function typeRule(type: string, schema: ValueSchema): Rule {
  switch (type) {
    case 'string':
      return withLimits(schema, stringRule(schema), stringLimits(schema));
    case 'integer':
    case 'number':
      return withLimits(schema, numberRule(type), numberLimits(schema));
    case 'boolean':
      return withLimits(schema, booleanRule, []);
    case 'null':
      return nullRule;
    case 'array':
      return listRule(schema, schema.items ? compileRule(schema.items) : anyJsonRule);
    case 'object':
      return objectRule(schema, compileRule);
    default:
      throw new Error(`There is no JSON type "${type}".`);
  }
}

// The type, then enum, then limits.
function withLimits(schema: ValueSchema, rule: Rule, limits: readonly Constraint[]): Rule {
  const choice = schema.enum ? [oneOf(coercedEnum(schema.enum, rule))] : [];
  return withConstraints(rule, [...choice, ...limits]);
}

function coercedEnum(allowed: readonly Scalar[], rule: Rule): Scalar[] {
  return allowed.flatMap((value) => {
    const checked = rule(value, '');
    return 'issue' in checked ? [] : [checked.value as Scalar];
  });
}

function oneOf(allowed: readonly Scalar[]): Constraint {
  const set = new Set<unknown>(allowed);
  const must = `${mustBe(allowed)}.`;
  return constraint('rest_not_in_enum', (value) => (set.has(value) ? undefined : must));
}
