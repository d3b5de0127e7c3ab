// The names each resource offers to the others: fields, rules, orderings. Built by check.ts, asked by check-references.ts.
import type { ResourceSchema } from '../model/schema.js';
import { nearest } from './did-you-mean.js';
import { problemAt, type Path, type SchemaFile } from './load.js';
import { members, oneOrMany, reaches, record, text } from './loose.js';
import type { Problem } from '../errors/problem.js';

/** A resource as far as names go. */
export interface Known {
  file: SchemaFile;
  /** The schema as its traits left it, else as written. */
  schema: Record<string, unknown>;
  name: string | undefined;
  /** False when traits may yet add names: then no name can be called unknown. */
  complete: boolean;
  fields: ReadonlySet<string>;
  /** Fields and their columns. */
  columns: ReadonlySet<string>;
  rules: ReadonlySet<string>;
}

/** Rules that every resource has. */
const STANDARD_RULES = ['read', 'create', 'edit', 'delete'];

/** What is known of a file. */
export function knownOf(file: SchemaFile, extended: ReadonlyMap<string, ResourceSchema>): Known {
  const traits = members(record(file.schema)['traits']);
  const schema = record(extended.get(file.file) ?? file.schema);
  const storage = record(schema['storage']);
  const names = members(schema['fields']).map(([name]) => name);
  // Every resource with a table has an id, declared or not.
  const fields = new Set(storage['registry'] === undefined ? [...names, 'id'] : names);
  const columns = members(schema['fields']).flatMap(([, field]) => text(record(field)['column']) ?? []);
  return {
    file,
    schema,
    name: text(record(file.schema)['name']),
    complete: !file.broken && (extended.has(file.file) || traits.length === 0),
    fields,
    columns: new Set([
      ...fields,
      ...columns,
      ...members(storage['where']).map(([name]) => name),
      ...registryColumns(storage),
    ]),
    rules: new Set([...STANDARD_RULES, ...members(record(schema['permissions'])['rules']).map(([name]) => name)]),
  };
}

/** Members of a registry's own rows, which rules may look at; the ones other files register are not known here. */
function registryColumns(storage: Record<string, unknown>): string[] {
  if (storage['registry'] === undefined) return [];
  const rows = oneOrMany(storage['rows']).flatMap(([, row]) => members(row).map(([name]) => name));
  return [...rows, 'hidden'];
}

/** Names of the resources that a field refers to. */
export function targetsOf(known: Known, field: string): string[] {
  return oneOrMany(record(record(known.schema['fields'])[field])['to']).flatMap(([, name]) => text(name) ?? []);
}

/** `unknown field "titel" (did you mean "title"?)`; says so when a trait brought the name. */
export function unknownName(
  known: Known,
  path: Path,
  noun: string,
  name: string,
  candidates: Iterable<string>,
  at: 'key' | 'value' = 'value',
): Problem {
  const near = nearest(name, candidates);
  const written = reaches(known.file.schema, path);
  const hint = near === undefined ? undefined : `did you mean "${near}"?`;
  const problem = problemAt(
    known.file,
    path,
    `unknown ${noun} "${name}"`,
    written ? hint : (hint ?? 'a trait put it there'),
    at,
  );
  return written ? problem : { ...problem, ...known.file.locate(['traits'], 'key') };
}
