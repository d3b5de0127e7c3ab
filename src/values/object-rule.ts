// Rules of objects: declared, patterned and additional members, counts.
import type { Checked, Rule } from '../model/value.js';
import { inTurn } from './combined-rule.js';
import { isPlainObject, unstorableIssue, safeKeys } from './json-value.js';
import { compilePattern, LONGEST_MATCHED } from './patterns/pattern.js';
import { codesOf, rejectedOr, issueConstraints, ruleOf, typeConstraint } from './rule.js';
import { choices } from '../text/choices.js';
import { counted, memberName, issue } from './value-issue.js';
import type { ValueSchema } from '../model/schema/value-schema.js';

type MemberRule = Rule | 'ignored' | 'forbidden';

const isObject = typeConstraint(isPlainObject, 'must be an object.');

/**
 * `type: object`. `compile` compiles the rules of its members. The first problem in the order sent is the one reported, so
 * members are coerced and checked in one walk.
 */
export function objectRule(schema: ValueSchema, compile: (member: ValueSchema) => Rule): Rule {
  const used: Rule[] = [];
  const members = membersRule(schema, (member) => {
    const rule = compile(member);
    used.push(rule);
    return rule;
  });
  return ruleOf(
    (value, param) => {
      const object = value === '' ? {} : value;
      return isPlainObject(object) ? rejectedOr(members(object, param)) : value;
    },
    [isObject, ...issueConstraints([...memberCodes(schema), ...codesOf(...used)], [isObject])],
  );
}

/** Codes of problems with the members as such. */
function memberCodes(schema: ValueSchema): string[] {
  return [
    ...(schema.additionalProperties === false ? ['rest_additional_properties_forbidden'] : []),
    ...(schema.maxProperties === undefined ? [] : ['rest_too_many_properties']),
    'rest_invalid_pattern',
    ...(schema.minProperties ? ['rest_too_few_properties'] : []),
    ...(requiredMembers(schema).length > 0 ? ['rest_property_required'] : []),
  ];
}

function membersRule(
  schema: ValueSchema,
  compile: (member: ValueSchema) => Rule,
): (value: Record<string, unknown>, param: string) => Checked {
  const memberRule = memberRules(schema, compile);
  const required = requiredMembers(schema);
  const { minProperties = 0, maxProperties = Infinity } = schema;
  const known = Object.keys(schema.properties ?? {});
  const hint = known.length > 0 ? ` Allowed: ${choices(known)}.` : '';
  return (value, param) => {
    const kept: Record<string, unknown> = {};
    let count = 0;
    for (const key of safeKeys(value)) {
      const rule = memberRule(key);
      if (rule === 'ignored') continue;
      const name = memberName(param, key);
      if (rule === 'forbidden') return issue('rest_additional_properties_forbidden', name, `is not allowed.${hint}`);
      if (++count > maxProperties) {
        return issue('rest_too_many_properties', param, `must have at most ${counted(maxProperties, 'property')}.`);
      }
      const checked = unstorableIssue(key, name) ?? rule(value[key], name);
      if ('issue' in checked) return checked;
      kept[key] = checked.value;
    }
    if (count < minProperties) {
      return issue('rest_too_few_properties', param, `must have at least ${counted(minProperties, 'property')}.`);
    }
    const missing = required.find((key) => !Object.hasOwn(kept, key));
    return missing === undefined
      ? { value: kept }
      : issue('rest_property_required', memberName(param, missing), 'is required.');
  };
}

/** Names of the required members: the list of draft 4, or the members' own `required` of draft 3. */
export function requiredMembers(schema: ValueSchema): string[] {
  const names = new Set(Array.isArray(schema.required) ? schema.required : []);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (member.required === true) names.add(name);
  }
  // A member that clients cannot write is not required.
  return [...names].filter((name) => schema.properties?.[name]?.readOnly !== true);
}

function memberRules(schema: ValueSchema, compile: (member: ValueSchema) => Rule): (key: string) => MemberRule {
  const declared = new Map<string, Rule | 'ignored'>();
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    // Read-only members are ignored, so that a fetched item may be sent back unchanged.
    declared.set(name, member.readOnly ? 'ignored' : compile(member));
  }
  const patterned = Object.entries(schema.patternProperties ?? {}).map(([pattern, member]) => ({
    pattern: compilePattern(pattern),
    rule: compile(member),
  }));
  const additional = additionalRule(schema.additionalProperties, compile);
  return (key) => {
    const own = declared.get(key);
    if (own === 'ignored' || patterned.length === 0 || key.length > LONGEST_MATCHED) return own ?? additional;
    const rules = patterned.filter(({ pattern }) => pattern.test(key)).map(({ rule }) => rule);
    if (own) rules.unshift(own);
    return rules.length > 1 ? inTurn(rules) : (rules[0] ?? additional);
  };
}

function additionalRule(
  additional: boolean | ValueSchema | undefined,
  compile: (member: ValueSchema) => Rule,
): MemberRule {
  if (additional === false) return 'forbidden';
  return compile(typeof additional === 'object' ? additional : {});
}
