// Processes a folder of schema files: load, check, compile, link, freeze.
import { blameOf } from '../errors/blame.js';
import { StartupError, type Problem } from '../errors/problem.js';
import { computedFunctions } from '../fields/computed/registry.js';
import { fieldTypes } from '../fields/registry.js';
import { filters } from '../filters/registry.js';
import type { ModelSet } from '../model/model.js';
import { additionsInUse, withAdditions, type Additions } from '../model/registered.js';
import type { ResourceSchema } from '../model/schema/schema.js';
import { traits } from '../traits/registry.js';
import { checkAction, checkGrammar, checkReferences, sortProblems } from './check/check-grammar.js';
import { unheldByActions, unheldCapabilities } from './check/check-capabilities.js';
import { checkEffects } from './check/check-effects.js';
import { permissionNotices } from './check/check-permissions.js';
import { linkNotices } from './check/check-policy.js';
import { unusedRules } from './check/check-rules-used.js';
import { checkGivenValues, fieldNotices } from './check/check-fields.js';
import { checkCreateRules } from './check/check-create-rules.js';
import { checkFound } from './check/check-found.js';
import { checkPolicy } from './check/check-policy.js';
import { checkRegistered } from './check/check-registered.js';
import { reaches } from './load/as-json.js';
import { checkOptions, optionWarnings } from './check/check-options.js';
import { compileModels } from './compile/compile-models.js';
import { extendSchema } from './extend/extend-schema.js';
import { linkAdditions } from './compile/link-additions.js';
import { writtenPath } from './grammar/filterable.js';
import { loadSchemas, problemAt, type SchemaFile } from './load/load.js';
import type { Registries } from './grammar/grammar.js';
import { withAccounts } from './load/accounts.js';
import { SETTINGS, type SiteSettings } from '../model/site/site-settings.js';
import type { Report } from '../model/option-check.js';

const known = new WeakMap<Additions, Registries>();

/** The registries whose names a schema file may use, for the grammar: with those of the additions in use. */
export function registries(): Registries {
  const additions = additionsInUse();
  let all = known.get(additions);
  if (!all) {
    const [fields, functions] = [[...fieldTypes.values()], [...computedFunctions.values()]];
    all = { fields, functions, traits: [...traits.values()], filters: [...filters.values()] };
    known.set(additions, all);
  }
  return all;
}

const READERS = { traits, filters };

/** The files of a folder as read, with the problems of their syntax. */
type Loaded = ReturnType<typeof loadSchemas>;

/**
 * Compiles every schema file of a folder, for a site with these settings. `additions`: what its extensions add.
 * @throws StartupError with all problems of all files
 */
export function compileSite(
  directory: string,
  settings: Readonly<SiteSettings> = SETTINGS,
  additions?: Additions,
): ModelSet {
  return compileLoaded(loadSchemas(directory), settings, additions);
}

/** The same for files that are read already. */
export function compileLoaded(loaded: Loaded, settings: Readonly<SiteSettings>, additions?: Additions): ModelSet {
  try {
    return withAdditions(additions, () => compileFiles(loaded, settings));
  } catch (error) {
    throw asProblem(error);
  }
}

/** What a function of an extension has thrown while defaults were checked with it, as a problem that names it. */
function asProblem(error: unknown): unknown {
  const source = blameOf(error);
  if (source === undefined || error instanceof StartupError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StartupError([{ file: 'extensions', message: `${source} threw an error: ${message}` }]);
}

/**
 * Compiles schema files that are read already.
 * @throws StartupError with all problems of all files
 */
export function compileFiles(
  { files: written, problems: syntax }: Loaded,
  settings: Readonly<SiteSettings> = SETTINGS,
): ModelSet {
  const problems = [...syntax, ...checkGrammar(written, registries())];
  if (problems.length > 0) throw new StartupError(sortProblems(problems));
  const files = withAccounts(written);
  const extended = new Map<string, ResourceSchema>();
  for (const file of files)
    extended.set(file.file, extendSchema(file.schema as ResourceSchema, reportFor(file, problems)));
  problems.push(...checkNames(files, extended));
  if (problems.length > 0) throw new StartupError(sortProblems(problems));
  const sources = files.map((file) => ({ schema: extended.get(file.file)!, report: reportFor(file, problems) }));
  const models = attempt(() => compileModels(sources, settings), problems);
  if (models && problems.length === 0) problems.push(...checkLinked(files, models));
  if (models && problems.length === 0) problems.push(...linkExtensions(models));
  if (problems.length > 0) throw new StartupError(sortProblems(problems));
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
  return fileWarnings(loadSchemas(directory), held, models);
}

/** The same for files that are read already. */
export function fileWarnings(loaded: Loaded, held: ReadonlySet<string>, models: ModelSet): Problem[] {
  return withAdditions(models.additions, () => warningsOf(loaded, held, models));
}

function warningsOf({ files }: Loaded, held: ReadonlySet<string>, models: ModelSet): Problem[] {
  const extended = extendAll(files);
  const resources = byName(extended);
  const warnings = files.flatMap((file) => {
    const schema = extended.get(file.file)!;
    const model = models.byName.get(schema.name);
    return [
      ...checkEffects(file, schema, resources, READERS).warnings,
      ...optionWarnings(file, schema, resources, computedFunctions),
      ...unheldCapabilities(file, schema, traits, held, resources),
      ...permissionNotices(file, schema, model, held),
      ...(model ? [...linkNotices(file, model), ...fieldNotices(file, model)] : []),
    ];
  });
  return sortProblems([...warnings, ...unheldByActions(additionsInUse().actions, held)]);
}

/** Only the warnings about capabilities that the files require and no role grants. */
export function missingCapabilities(directory: string, held: ReadonlySet<string>, additions?: Additions): Problem[] {
  const { files } = loadSchemas(directory);
  return withAdditions(additions, () => {
    const extended = extendAll(files);
    const resources = byName(extended);
    return sortProblems([
      ...files.flatMap((file) => unheldCapabilities(file, extended.get(file.file)!, traits, held, resources)),
      ...unheldByActions(additionsInUse().actions, held),
    ]);
  });
}

/** Links the hooks and actions of extensions; returns the problems with them. */
function linkExtensions(models: ModelSet): Problem[] {
  const additions = additionsInUse();
  models.additions = additions;
  linkAdditions(models, additions, (action) => checkAction(action, registries()));
  return additions.problems();
}

function extendAll(files: readonly SchemaFile[]): Map<string, ResourceSchema> {
  return new Map(files.map((file) => [file.file, extendSchema(file.schema as ResourceSchema, () => undefined)]));
}

function byName(extended: ReadonlyMap<string, ResourceSchema>): Map<string, ResourceSchema> {
  return new Map([...extended.values()].map((schema) => [schema.name, schema]));
}

/** Problems of what is written in the files; parts added by traits are not reported. */
function checkLinked(files: readonly SchemaFile[], models: ModelSet): Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    const model = models.byName.get((file.schema as ResourceSchema).name)!;
    const report = reportFor(file, problems);
    const reportWritten: Report = (path, message, hint) => {
      if (reaches(file.schema, path)) report(path, message, hint);
    };
    checkGivenValues(model, reportWritten);
    checkPolicy(model, reportWritten);
    checkCreateRules(model.schema, reportWritten);
    checkRegistered(model, reportWritten);
    checkFound(model, reportWritten);
  }
  return problems;
}

/** Options are checked first: unknown names that follow from a problem in them are not reported again. */
function checkNames(files: readonly SchemaFile[], extended: ReadonlyMap<string, ResourceSchema>): Problem[] {
  const options = checkOptions(files, extended, { traits, functions: computedFunctions });
  const sound = new Map([...extended].filter(([file]) => !options.has(file)));
  const resources = byName(extended);
  const effects = files.flatMap((file) => checkEffects(file, extended.get(file.file)!, resources, READERS).problems);
  return [
    ...[...options.values()].flat(),
    ...checkReferences(files, sound),
    ...effects,
    ...unusedRules(files, extended),
  ];
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
  return (path, message, hint) =>
    problems.push(problemAt(file, writtenPath(file.schema as ResourceSchema, path), message, hint));
}
