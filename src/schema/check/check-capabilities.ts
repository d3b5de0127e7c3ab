// Warns about capabilities that a schema requires and no role grants, and about roles that do not exist.
import type { Problem } from '../../errors/problem.js';
import type { AddedAction, AddedProblem } from '../../model/registered.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import { didYouMean } from '../../text/nearest-name.js';
import { problemAt, type Path, type SchemaFile } from '../load/load.js';
import { items, members, reaches, record, text } from '../load/as-json.js';
import { partsOfRule, writtenRules, type PlacedRule } from './written-rules.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import type { Trait } from '../../model/trait.js';

interface RequiredCapability {
  /** Or the name of a role, which counts as one. */
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
  resources: ReadonlyMap<string, ResourceSchema> = new Map(),
): Problem[] {
  const unheld = new Map<string, Path>();
  for (const { capability, path } of [...inRules(schema), ...inTraits(schema, traits), ...inRows(schema, resources)]) {
    const known = unheld.get(capability);
    if (!held.has(capability) && (!known || (!reaches(file.schema, known) && reaches(file.schema, path))))
      unheld.set(capability, path);
  }
  const written = [...unheld].filter(([, path]) => reaches(file.schema, path));
  const added = [...unheld.keys()].filter((capability) => !written.some(([name]) => name === capability));
  const warnings = written.map(([capability, path]) =>
    problemAt(file, path, missingText(capability, path), didYouMean(capability, held)),
  );
  if (added.length === 0) return warnings;
  return [
    ...warnings,
    problemAt(
      file,
      ['traits'],
      `no role has the capabilities that traits require: ${added.join(', ')}`,
      undefined,
      'key',
    ),
  ];
}

/** The same for the actions of extensions: one warning for each capability or role that an action requires. */
export function unheldByActions(actions: readonly AddedAction[], held: ReadonlySet<string>): AddedProblem[] {
  return actions.flatMap(({ name, needs, warning }) =>
    inRule({ rule: needs, path: [] })
      .filter(({ capability }) => !held.has(capability))
      .map(({ capability, path }) => {
        const message = missingText(capability, path);
        return warning(`action "${name}": ${message}`, didYouMean(capability, held));
      }),
  );
}

function inRules(schema: ResourceSchema): RequiredCapability[] {
  return writtenRules(schema).flatMap(inRule);
}

/** The capabilities that a rule and its parts require. */
function inRule(placed: PlacedRule): RequiredCapability[] {
  return partsOfRule(placed).flatMap(({ rule, path }) => {
    const name = text(rule);
    if (name !== undefined) return [{ capability: name, path }];
    return (['can', 'role'] as const).flatMap((key) => {
      const written = text(record(rule)[key]);
      return written === undefined ? [] : [{ capability: written, path: [...path, key] }];
    });
  });
}

/** A path ends with `role` where the capability is the name of a role. */
function missingText(capability: string, path: Path): string {
  return path.at(-1) === 'role' ? `there is no role "${capability}"` : `no role has the capability "${capability}"`;
}

/** Members of rows that a rule `capabilityIn` of their static resource reads. */
function inRows(schema: ResourceSchema, resources: ReadonlyMap<string, ResourceSchema>): RequiredCapability[] {
  const storage = record(schema.storage);
  return [...resources.values()].flatMap((target) => {
    if (record(target.storage)['static'] === undefined) return [];
    const columns = writtenRules(target)
      .flatMap(partsOfRule)
      .flatMap(({ rule }) => text(record(rule)['capabilityIn']) ?? []);
    const rows: [Path, unknown][] = [[['listsItselfIn', target.name], record(schema.listsItselfIn)[target.name]]];
    if (target.name === schema.name)
      rows.push(...items(storage['rows']).map((row, index): [Path, unknown] => [['storage', 'rows', index], row]));
    return rows.flatMap(([path, row]) =>
      columns.flatMap((column) => {
        const capability = text(record(row)[column]);
        return capability === undefined ? [] : [{ capability, path: [...path, column] }];
      }),
    );
  });
}

/** Options that are capabilities themselves; suffixes are not, the rules derived from them are checked above. */
function inTraits(schema: ResourceSchema, traits: ReadonlyMap<string, Trait>): RequiredCapability[] {
  return members(schema.traits).flatMap(([trait, options]) =>
    inOptions(record(options), traits.get(trait)?.options ?? {}, ['traits', trait]),
  );
}

function inOptions(
  values: Record<string, unknown>,
  options: Record<string, ValueSchema>,
  base: Path,
): RequiredCapability[] {
  return Object.entries(options).flatMap(([option, { format, properties }]) => {
    const value = values[option];
    const path = [...base, option];
    if (format === 'capability' && typeof value === 'string') return [{ capability: value, path }];
    return properties ? inOptions(record(value), properties, path) : [];
  });
}
