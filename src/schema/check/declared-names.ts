// The names that each resource declares for others to refer to: fields, rules, orderings.
import type { ResourceSchema } from '../../model/schema/schema.js';
import { traits as registered } from '../../traits/registry.js';
import { nearest } from '../../text/nearest-name.js';
import { problemAt, type Path, type SchemaFile } from '../load/load.js';
import { members, oneOrMany, reaches, record, text } from '../load/as-json.js';
import type { Problem } from '../../errors/problem.js';

/** The declared names of a resource. */
export interface DeclaredNames {
  file: SchemaFile;
  /** The schema as extended by its traits, else as written. */
  schema: Record<string, unknown>;
  name: string | undefined;
  /** False when traits may still add names: then no name is reported as unknown. */
  complete: boolean;
  fields: ReadonlySet<string>;
  /** Columns by field. */
  columns: ReadonlySet<string>;
  rules: ReadonlySet<string>;
  /** Members of its rows besides the columns: `#<name>` of to-many fields, and what traits add. */
  members: ReadonlySet<string>;
}

/** Rules that every resource has. */
const STANDARD_RULES = ['read', 'create', 'edit', 'delete'];
/** Types of fields with values in a table of their own. */
const MANY = ['references', 'strings', 'metadata'];

/** The declared names of a file. */
export function knownOf(file: SchemaFile, extended: ReadonlyMap<string, ResourceSchema>): DeclaredNames {
  const traits = members(record(file.schema)['traits']);
  const schema = record(extended.get(file.file) ?? file.schema);
  const storage = record(schema['storage']);
  const names = members(schema['fields']).map(([name]) => name);
  // Every resource with a table has an id, declared or not.
  const fields = new Set(hasTable(storage) ? [...names, 'id'] : names);
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
      ...rowMembers(storage),
    ]),
    members: new Set([...manyOf(schema), ...traits.flatMap(([name]) => registered.get(name)?.rowMembers ?? [])]),
    rules: new Set([...STANDARD_RULES, ...members(record(schema['permissions'])['rules']).map(([name]) => name)]),
  };
}

/** Whether rows are stored in a table, according to the file. */
export function hasTable(storage: Record<string, unknown>): boolean {
  return storage['static'] === undefined && storage['found'] === undefined;
}

function manyOf({ fields }: Record<string, unknown>): string[] {
  return members(fields).flatMap(([name, field]) =>
    MANY.includes(text(record(field)['type']) ?? '') ? [`#${name}`] : [],
  );
}

/** Members of a static resource's own rows, which rules may refer to; those of rows from other schemas are unknown. */
function rowMembers(storage: Record<string, unknown>): string[] {
  if (storage['static'] === undefined) return [];
  const rows = oneOrMany(storage['rows']).flatMap(([, row]) => members(row).map(([name]) => name));
  return [...rows, 'hidden'];
}

/** Names of the target resources of a field. */
export function targetsOf(known: DeclaredNames, field: string): string[] {
  return oneOrMany(record(record(known.schema['fields'])[field])['to']).flatMap(([, name]) => text(name) ?? []);
}

/** A name that nothing declares, and those it may have been meant to be. */
export interface UnknownName {
  /** What it should name: `field`. */
  noun: string;
  name: string;
  candidates: Iterable<string>;
  /** Whether it is a key or a value in the file; default: a value. */
  at?: 'key' | 'value' | undefined;
}

/** `unknown field "titel" (did you mean "title"?)`; mentions the trait when one added the name. */
export function unknownName(known: DeclaredNames, path: Path, unknown: UnknownName): Problem {
  const { noun, name, candidates, at = 'value' } = unknown;
  const near = nearest(name, candidates);
  const written = reaches(known.file.schema, path);
  const hint = near === undefined ? undefined : `did you mean "${near}"?`;
  const problem = problemAt(
    known.file,
    path,
    `unknown ${noun} "${name}"`,
    written ? hint : (hint ?? 'added by a trait'),
    at,
  );
  return written ? problem : { ...problem, ...known.file.locate(['traits'], 'key') };
}
