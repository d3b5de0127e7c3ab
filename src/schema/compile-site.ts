// The whole life of a folder of schema files: load, check, compile, link, freeze. Called by main and cli.
import { BootError, type Problem } from '../errors/problem.js';
import { computedFunctions } from '../fields/functions/registry.js';
import { fieldTypes } from '../fields/registry.js';
import { filters } from '../filters/registry.js';
import type { ModelSet } from '../model/model.js';
import type { Report } from '../model/registry.js';
import type { ResourceSchema } from '../model/schema.js';
import { traits } from '../traits/registry.js';
import { checkGrammar, checkReferences, sortProblems } from './check.js';
import { compileModels, extendSchema } from './compile.js';
import { loadSchemas, problemAt, type SchemaFile } from './load.js';
import type { Registries } from './grammar.js';

/** Everything a schema file may name, for the grammar. */
export const registries: Registries = {
  fields: [...fieldTypes.values()],
  traits: [...traits.values()],
  filters: [...filters.values()],
  functions: [...computedFunctions.values()],
};

/**
 * Compiles every schema file of a folder.
 * @throws BootError with all problems of all files
 */
export function compileSite(directory: string): ModelSet {
  const { files, problems } = loadSchemas(directory);
  problems.push(...checkGrammar(files, registries));
  if (problems.length > 0) throw new BootError(sortProblems(problems));
  const extended = new Map<string, ResourceSchema>();
  for (const file of files)
    extended.set(file.file, extendSchema(file.schema as ResourceSchema, reportFor(file, problems)));
  problems.push(...checkReferences(files, extended));
  if (problems.length > 0) throw new BootError(sortProblems(problems));
  const models = compileModels(
    files.map((file) => ({ schema: extended.get(file.file)!, report: reportFor(file, problems) })),
  );
  if (problems.length > 0) throw new BootError(sortProblems(problems));
  return models;
}

function reportFor(file: SchemaFile, problems: Problem[]): Report {
  return (path, message, hint) => problems.push(problemAt(file, path, message, hint));
}
