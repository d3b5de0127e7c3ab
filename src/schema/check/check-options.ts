// Third stage of a schema file: checks the options of traits and computed functions.
import type { Problem } from '../../errors/problem.js';
import type { ComputedFunction } from '../../model/registry.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import { problemAt, type SchemaFile } from '../load/load.js';
import { NameCheck } from './option-check.js';
import { tableNameOf } from './columns.js';
import type { Trait } from '../../model/trait.js';

/** Implementations that `traits` and `function` may name. */
export interface Checkers {
  traits: ReadonlyMap<string, Trait>;
  functions: ReadonlyMap<string, ComputedFunction>;
}

/** Problems in the options of every trait and function, by file; `extended` has the schemas by file. */
export function checkOptions(
  files: readonly SchemaFile[],
  extended: ReadonlyMap<string, ResourceSchema>,
  checkers: Checkers,
): Map<string, Problem[]> {
  const resources = new Map<string, ResourceSchema>();
  for (const schema of extended.values()) if (!resources.has(schema.name)) resources.set(schema.name, schema);
  const problems = new Map<string, Problem[]>();
  for (const file of files) {
    const schema = extended.get(file.file);
    if (!schema) continue;
    const found = [...traitProblems(file, schema, resources, checkers.traits)];
    for (const check of functionChecks(file, schema, resources, checkers.functions)) found.push(...check.problems);
    if (found.length > 0) problems.set(file.file, found);
  }
  return problems;
}

/** Probable mistakes in the options of the functions of one file; `resources` has every schema as extended. */
export function optionWarnings(
  file: SchemaFile,
  schema: ResourceSchema,
  resources: ReadonlyMap<string, ResourceSchema>,
  functions: ReadonlyMap<string, ComputedFunction>,
): Problem[] {
  return functionChecks(file, schema, resources, functions).flatMap(({ warnings }) => warnings);
}

function traitProblems(
  file: SchemaFile,
  schema: ResourceSchema,
  resources: ReadonlyMap<string, ResourceSchema>,
  traits: ReadonlyMap<string, Trait>,
): Problem[] {
  const written = Object.entries(schema.traits ?? {});
  if (written.length > 0 && tableNameOf(schema) === undefined) {
    const message = 'a static resource takes no traits: its rows are fixed when the server starts';
    return [problemAt(file, ['traits'], message, 'leave out "traits"', 'key')];
  }
  return written.flatMap(([trait, options]) => {
    const base = ['traits', trait];
    const check = new NameCheck({ file, schema, resources, base, noun: `the trait "${trait}"` });
    traits.get(trait)?.check?.(check, options);
    return check.problems;
  });
}

function functionChecks(
  file: SchemaFile,
  schema: ResourceSchema,
  resources: ReadonlyMap<string, ResourceSchema>,
  functions: ReadonlyMap<string, ComputedFunction>,
): NameCheck[] {
  return Object.entries(schema.fields).flatMap(([name, field]) => {
    const definition = field.type === 'computed' ? functions.get(field.function ?? '') : undefined;
    if (!definition?.check) return [];
    const base = ['fields', name, 'options'];
    const check = new NameCheck({ file, schema, resources, base, noun: `the function "${definition.name}"` });
    definition.check(check, field.options ?? {});
    return [check];
  });
}
