// Processes a folder of schema files: load, check, compile, link, freeze.
import { BootError, type Problem } from '../errors/problem.js';
import { computedFunctions } from '../fields/computed/registry.js';
import { fieldTypes } from '../fields/registry.js';
import { filters } from '../filters/registry.js';
import type { ModelSet } from '../model/model.js';
import type { Report } from '../model/registry.js';
import type { ResourceSchema } from '../model/schema.js';
import { SETTINGS, type SiteSettings } from '../model/site.js';
import { traits } from '../traits/registry.js';
import { checkGrammar, checkReferences, sortProblems } from './check/check-files.js';
import { unheldCapabilities } from './check/check-capabilities.js';
import { checkEffects } from './check/check-effects.js';
import { permissionNotices } from './check/check-permissions.js';
import { checkOptions } from './check/check-options.js';
import { compileModels, extendSchema } from './compile/compile-models.js';
import { loadSchemas, problemAt, type SchemaFile } from './load/load.js';
import type { Registries } from './grammar/grammar.js';
import { withAccounts } from './load/accounts.js';

/** The registries whose names a schema file may use, for the grammar. */
export const registries: Registries = {
  fields: [...fieldTypes.values()],
  traits: [...traits.values()],
  filters: [...filters.values()],
  functions: [...computedFunctions.values()],
};

const READERS = { traits, filters };

/**
 * Compiles every schema file of a folder, for a site with these settings.
 * @throws BootError with all problems of all files
 */
export function compileSite(directory: string, settings: Readonly<SiteSettings> = SETTINGS): ModelSet {
  const { files: written, problems } = loadSchemas(directory);
  problems.push(...checkGrammar(written, registries));
  if (problems.length > 0) throw new BootError(sortProblems(problems));
  const files = withAccounts(written);
  const extended = new Map<string, ResourceSchema>();
  for (const file of files)
    extended.set(file.file, extendSchema(file.schema as ResourceSchema, reportFor(file, problems)));
  problems.push(...checkNames(files, extended));
  if (problems.length > 0) throw new BootError(sortProblems(problems));
  const sources = files.map((file) => ({ schema: extended.get(file.file)!, report: reportFor(file, problems) }));
  const models = attempt(() => compileModels(sources, settings), problems);
  if (problems.length > 0) throw new BootError(sortProblems(problems));
  return models!;
}

/**
 * Warnings for files without problems: parameters that nothing reads, capabilities that no role grants, operations
 * closed by default. `held`: capabilities granted by some role; `models`: the compiled files.
 */
export function siteWarnings(
  directory: string,
  held: ReadonlySet<string>,
  models: ModelSet = compileSite(directory),
): Problem[] {
  const { files, problems } = loadSchemas(directory);
  const extended = new Map(
    files.map((file) => [file.file, extendSchema(file.schema as ResourceSchema, reportFor(file, problems))]),
  );
  const resources = byName(extended);
  const warnings = files.flatMap((file) => {
    const schema = extended.get(file.file)!;
    return [
      ...checkEffects(file, schema, resources, READERS).warnings,
      ...unheldCapabilities(file, schema, traits, held),
      ...permissionNotices(file, schema, models.byName.get(schema.name), held),
    ];
  });
  return sortProblems(warnings);
}

function byName(extended: ReadonlyMap<string, ResourceSchema>): Map<string, ResourceSchema> {
  return new Map([...extended.values()].map((schema) => [schema.name, schema]));
}

/** Options are checked first: unknown names that follow from a problem in them are not reported again. */
function checkNames(files: readonly SchemaFile[], extended: ReadonlyMap<string, ResourceSchema>): Problem[] {
  const options = checkOptions(files, extended, { traits, functions: computedFunctions });
  const sound = new Map([...extended].filter(([file]) => !options.has(file)));
  const resources = byName(extended);
  const effects = files.flatMap((file) => checkEffects(file, extended.get(file.file)!, resources, READERS).problems);
  return [...[...options.values()].flat(), ...checkReferences(files, sound), ...effects];
}

/** Errors after a problem was found are consequences of it. */
function attempt<T>(work: () => T, problems: readonly Problem[]): T | undefined {
  try {
    return work();
  } catch (error) {
    if (problems.length === 0) throw error;
    return undefined;
  }
}

function reportFor(file: SchemaFile, problems: Problem[]): Report {
  return (path, message, hint) => problems.push(problemAt(file, path, message, hint));
}
