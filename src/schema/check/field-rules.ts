// The rules `read` and `write` of fields and members, as written.
import { members, record } from '../load/as-json.js';
import type { Path } from '../load/load.js';

/** Every such rule of a field with its path, members of objects and of listed objects included. */
export function rulesOfField(field: unknown, path: Path): { rule: unknown; path: Path }[] {
  const { read, write, items, properties } = record(field);
  const own = Object.entries({ read, write })
    .filter(([, rule]) => rule !== undefined)
    .map(([key, rule]) => ({ rule, path: [...path, key] }));
  const inner = members(properties).flatMap(([name, member]) => rulesOfField(member, [...path, 'properties', name]));
  return [...own, ...inner, ...(items === undefined ? [] : rulesOfField(items, [...path, 'items']))];
}

/** Keys below which a value has one of several forms. */
const FORMS = ['anyOf', 'oneOf', 'patternProperties', 'additionalProperties', 'keys', 'returns'];

/** Paths of rules that cannot apply, because their member exists in some forms of the value only. */
export function strayRules(value: unknown, path: Path): Path[] {
  const inForms = FORMS.flatMap((key) => formsOf(record(value)[key], [...path, key]));
  const within = members(record(value)['properties']).flatMap(([name, member]) =>
    strayRules(member, [...path, 'properties', name]),
  );
  const { items } = record(value);
  const found = inForms.flatMap(({ form, at }) => [
    ...rulesOfField(form, at).map((rule) => rule.path),
    ...strayRules(form, at),
  ]);
  return [...found, ...within, ...(items === undefined ? [] : strayRules(items, [...path, 'items']))];
}

/**
 * Paths of keywords that compare or count members with rules. Callers who do not see such a member could not send back
 * what they have read, and the responses would reveal it.
 */
export function blindKeywords(value: unknown, path: Path): Path[] {
  const { items, properties, uniqueItems, minProperties, maxProperties } = record(value);
  const inner = members(properties);
  const hasRights = inner.some(
    ([, member]) => record(member)['read'] !== undefined || record(member)['write'] !== undefined,
  );
  const below = items === undefined ? [] : rulesOfField(items, []);
  return [
    ...(uniqueItems === true && below.length > 0 ? [[...path, 'uniqueItems']] : []),
    ...(hasRights && minProperties !== undefined ? [[...path, 'minProperties']] : []),
    ...(hasRights && maxProperties !== undefined ? [[...path, 'maxProperties']] : []),
    ...inner.flatMap(([name, member]) => blindKeywords(member, [...path, 'properties', name])),
    ...(items === undefined ? [] : blindKeywords(items, [...path, 'items'])),
  ];
}

function formsOf(value: unknown, path: Path): { form: unknown; at: Path }[] {
  if (Array.isArray(value)) return value.map((form, index) => ({ form, at: [...path, index] }));
  const isMap = path.at(-1) === 'patternProperties' || path.at(-1) === 'keys';
  if (isMap) return members(value).map(([name, form]) => ({ form, at: [...path, name] }));
  return value === undefined ? [] : [{ form: value, at: path }];
}
