// Named rules that nothing uses: mostly the mistyped name of a standard rule.
import type { Problem } from '../../errors/problem.js';
import { additionsInUse } from '../../model/registered.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import { didYouMean } from '../../text/nearest-name.js';
import { traits } from '../../traits/registry.js';
import { problemAt, type SchemaFile } from '../load/load.js';
import { members, oneOrMany, reaches, record, text } from '../load/as-json.js';
import { partsOfRule, writtenRules } from './written-rules.js';

/** Rules that the engine evaluates. */
const STANDARD = ['read', 'create', 'edit', 'delete'];
/** Rules that traits evaluate for items of other resources. These resources may be absent. */
const ofTraits = () => [...traits.values()].flatMap(({ asks = [] }) => asks);

/** One problem for each rule written in a file that no rule, step, link, trait or filter of the site names. */
export function unusedRules(files: readonly SchemaFile[], extended: ReadonlyMap<string, ResourceSchema>): Problem[] {
  const names = new Set([...extended.values()].map(({ name }) => name));
  const used = new Set([...extended.values()].flatMap((schema) => rulesUsedBy(schema, names)));
  for (const { resource, needs } of additionsInUse().actions)
    for (const name of rulesNamedIn(needs)) used.add(`${resource} ${name}`);
  const standard = [...STANDARD, ...ofTraits()];
  return files.flatMap((file) => {
    const schema = extended.get(file.file);
    if (!schema) return [];
    return Object.keys(schema.permissions?.rules ?? {}).flatMap((name) => {
      const path = ['permissions', 'rules', name];
      if (standard.includes(name) || used.has(`${schema.name} ${name}`) || !reaches(file.schema, path)) return [];
      const hint =
        didYouMean(name, STANDARD) ?? `the engine checks ${STANDARD.join(', ')}; others are named by rules or steps`;
      return [problemAt(file, path, `nothing uses the rule "${name}"`, hint, 'key')];
    });
  });
}

/** Rules that a schema uses, as `<resource> <rule>`. */
function rulesUsedBy(schema: ResourceSchema, resources: ReadonlySet<string>): string[] {
  const options = [schema.traits, ...members(schema.params).map(([, param]) => record(param)['options'])];
  return [
    ...options.flatMap(textsIn).map((name) => `${schema.name} ${name}`),
    ...options.flatMap((each) => rulesBesideResources(each, resources)),
    ...writtenRules(schema)
      .flatMap(partsOfRule)
      .flatMap(({ rule }) => rulesUsedByRule(record(rule), schema)),
  ];
}

function rulesUsedByRule({ rule, through, referencedBy }: Record<string, unknown>, schema: ResourceSchema): string[] {
  const name = text(rule);
  if (name === undefined) return [];
  if (referencedBy !== undefined)
    return oneOrMany(referencedBy).map(([, written]) => `${String(written).split('.')[0]} ${name}`);
  if (through === undefined) return [`${schema.name} ${name}`];
  return [schema.fields[String(through)]?.to ?? []].flat().map((target) => `${target} ${name}`);
}

/** Names of rules of its own resource that a rule refers to. */
export function rulesNamedIn(rule: unknown): string[] {
  if (typeof rule !== 'object' || rule === null) return [];
  const { rule: name, through } = rule as Record<string, unknown>;
  const own = typeof name === 'string' && through === undefined ? [name] : [];
  return [...own, ...Object.values(rule).flatMap(rulesNamedIn)];
}

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Options that name another resource may name rules of it in the same object. */
function rulesBesideResources(value: unknown, resources: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.values(value);
  const names = Array.isArray(value) ? [] : parts.filter((part) => resources.has(String(text(part))));
  const rules = parts.flatMap((part) => oneOrMany(part)).flatMap(([, part]) => text(part) ?? []);
  return [
    ...names.flatMap((name) => rules.map((rule) => `${String(name)} ${rule}`)),
    ...parts.flatMap((part) => rulesBesideResources(part, resources)),
  ];
}
