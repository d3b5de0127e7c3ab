// Rules of objects: declared, patterned and additional members, counts.
import type { ValueSchema } from '../model/schema.js';
import type { Checked, Rule } from '../model/value.js';
import { anyJson, isPlainObject, unstorableIssue, safeKeys } from './json-value.js';
import { compilePattern, LONGEST_MATCHED } from './pattern.js';
import { choices, counted, memberName, issue, typeIssue } from './value-issue.js';

type MemberRule = Rule | 'ignored' | 'forbidden';

/** `type: object`. `compile` compiles the rules of its members. */
export function objectRule(schema: ValueSchema, compile: (member: ValueSchema) => Rule): Rule {
  const ruleOf = memberRules(schema, compile);
  const required = requiredMembers(schema);
  const { minProperties = 0, maxProperties = Infinity } = schema;
  const known = Object.keys(schema.properties ?? {});
  const hint = known.length > 0 ? ` Allowed: ${choices(known)}.` : '';
  return (value, param): Checked => {
    if (value === '') value = {};
    if (!isPlainObject(value)) return typeIssue(param, 'must be an object.');
    const kept: Record<string, unknown> = {};
    let count = 0;
    for (const key of safeKeys(value)) {
      const rule = ruleOf(key);
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
  const declared = new Map<string, MemberRule>();
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
    const rule = declared.get(key);
    if (rule || key.length > LONGEST_MATCHED) return rule ?? additional;
    return patterned.find(({ pattern }) => pattern.test(key))?.rule ?? additional;
  };
}

function additionalRule(
  additional: boolean | ValueSchema | undefined,
  compile: (member: ValueSchema) => Rule,
): MemberRule {
  if (additional === false) return 'forbidden';
  return typeof additional === 'object' ? compile(additional) : anyJson;
}
