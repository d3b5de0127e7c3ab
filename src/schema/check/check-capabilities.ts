// Warns about capabilities that a schema requires and no role grants.
import type { Problem } from '../../errors/problem.js';
import type { Trait } from '../../model/registry.js';
import { OPERATIONS, type ResourceSchema } from '../../model/schema.js';
import { didYouMean } from '../../text/nearest-name.js';
import { problemAt, type Path, type SchemaFile } from '../load/load.js';
import { items, members, oneOrMany, reaches, record, text } from '../load/as-json.js';

interface Asked {
  capability: string;
  path: Path;
}

/**
 * One warning for each such capability, and one for those that traits require. `held`: capabilities granted by some
 * role.
 */
export function unheldCapabilities(
  file: SchemaFile,
  schema: ResourceSchema,
  traits: ReadonlyMap<string, Trait>,
  held: ReadonlySet<string>,
): Problem[] {
  const unheld = new Map<string, Path>();
  for (const { capability, path } of [...inRules(schema), ...inTraits(schema, traits)]) {
    const known = unheld.get(capability);
    if (!held.has(capability) && (!known || (!reaches(file.schema, known) && reaches(file.schema, path))))
      unheld.set(capability, path);
  }
  const written = [...unheld].filter(([, path]) => reaches(file.schema, path));
  const added = [...unheld.keys()].filter((capability) => !written.some(([name]) => name === capability));
  const warnings = written.map(([capability, path]) =>
    problemAt(file, path, `no role has the capability "${capability}"`, didYouMean(capability, held)),
  );
  if (added.length === 0) return warnings;
  return [
    ...warnings,
    problemAt(file, ['traits'], `no role has what traits ask for: ${added.join(', ')}`, undefined, 'key'),
  ];
}

function inRules(schema: ResourceSchema): Asked[] {
  const { rules, ...steps } = record(schema.permissions);
  return [
    ...members(rules).flatMap(([name, rule]) => ofRule(rule, ['permissions', 'rules', name])),
    ...OPERATIONS.flatMap((kind) =>
      items(steps[kind]).flatMap((step, index) => ofRule(record(step)['needs'], ['permissions', kind, index, 'needs'])),
    ),
    ...ofRule(schema.search?.privileged?.needs, ['search', 'privileged', 'needs']),
    ...members(schema.links).flatMap(([rel, link]) =>
      oneOrMany(link).flatMap(([rest, each]) => ofRule(record(each)['needs'], ['links', rel, ...rest, 'needs'])),
    ),
    ...members(schema.fields).flatMap(([name, field]) =>
      members(record(field)['keys']).flatMap(([key, meta]) =>
        ofRule(record(meta)['needs'], ['fields', name, 'keys', key, 'needs']),
      ),
    ),
    ...members(schema.params).flatMap(([name, param]) =>
      ofRule(record(record(param)['options'])['privateNeeds'], ['params', name, 'options', 'privateNeeds']),
    ),
  ];
}

function ofRule(rule: unknown, path: Path): Asked[] {
  const name = text(rule);
  if (name !== undefined) return [{ capability: name, path }];
  const { all, any, not, can } = record(rule);
  return [
    ...(typeof can === 'string' ? [{ capability: can, path: [...path, 'can'] }] : []),
    ...items(all).flatMap((part, index) => ofRule(part, [...path, 'all', index])),
    ...items(any).flatMap((part, index) => ofRule(part, [...path, 'any', index])),
    ...(not === undefined ? [] : ofRule(not, [...path, 'not'])),
  ];
}

/** Options that are capabilities themselves; suffixes are not, the rules derived from them are checked above. */
function inTraits(schema: ResourceSchema, traits: ReadonlyMap<string, Trait>): Asked[] {
  return members(schema.traits).flatMap(([trait, options]) =>
    Object.entries(traits.get(trait)?.options ?? {}).flatMap(([option, { format }]) => {
      const value = record(options)[option];
      const path = ['traits', trait, option];
      return format === 'capability' && typeof value === 'string' ? [{ capability: value, path }] : [];
    }),
  );
}
