// The rules that a schema contains, wherever they stand, and the parts of a rule.
import { OPERATIONS, type ResourceSchema } from '../../model/schema/schema.js';
import { items, members, oneOrMany, record } from '../load/as-json.js';
import type { Path } from '../load/load.js';
import { rulesOfField } from './field-rules.js';

/** A rule, or a part of one, with its place in the file. */
export interface PlacedRule {
  rule: unknown;
  path: Path;
}

/** Every rule of a schema: named ones, and those of steps, guards, fields, checks, searches, links, meta keys and filters. */
export function writtenRules(schema: ResourceSchema): PlacedRule[] {
  const { rules, ...steps } = record(schema.permissions);
  const found: PlacedRule[] = [];
  const add = (rule: unknown, ...path: Path) => {
    if (rule !== undefined) found.push({ rule, path });
  };
  for (const [name, rule] of members(rules)) add(rule, 'permissions', 'rules', name);
  for (const kind of OPERATIONS) {
    for (const [index, step] of items(steps[kind]).entries())
      add(record(step)['needs'], 'permissions', kind, index, 'needs');
  }
  add(schema.search?.privileged?.needs, 'search', 'privileged', 'needs');
  for (const [name, view] of members(schema.views)) add(record(view)['needs'], 'views', name, 'needs');
  for (const [rel, link] of members(schema.links)) {
    for (const [rest, each] of oneOrMany(link)) add(record(each)['needs'], 'links', rel, ...rest, 'needs');
  }
  for (const [name, field] of members(schema.fields)) {
    for (const [key, meta] of members(record(field)['keys']))
      add(record(meta)['needs'], 'fields', name, 'keys', key, 'needs');
    const { needs, link } = record(record(field)['guard']);
    add(needs, 'fields', name, 'guard', 'needs');
    for (const [rel, each] of members(link)) add(record(each)['needs'], 'fields', name, 'guard', 'link', rel, 'needs');
    found.push(...rulesOfField(field, ['fields', name]));
  }
  for (const [index, check] of items(schema.checks).entries()) add(record(check)['rule'], 'checks', index, 'rule');
  for (const [name, param] of members(schema.params)) {
    add(record(record(param)['options'])['privateNeeds'], 'params', name, 'options', 'privateNeeds');
  }
  return found;
}

/** A rule and, if it joins or negates others, every part of it. */
export function partsOfRule({ rule, path }: PlacedRule): PlacedRule[] {
  const { all, any, not } = record(rule);
  const inner = [
    ...items(all).map((part, index) => ({ rule: part, path: [...path, 'all', index] })),
    ...items(any).map((part, index) => ({ rule: part, path: [...path, 'any', index] })),
    ...(not === undefined ? [] : [{ rule: not, path: [...path, 'not'] }]),
  ];
  return [{ rule, path }, ...inner.flatMap(partsOfRule)];
}
