// Conflicts between resources: names, routes, cycles of parents, shared tables, and tables and columns that the engine
// adds to those of the fields.
import type { Problem } from '../../errors/problem.js';
import type { ResourceModel } from '../../model/model.js';
import type { FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';
import { hasTable, type DeclaredNames } from './declared-names.js';
import { problemAt } from '../load/load.js';
import { record, text } from '../load/as-json.js';

/** Conflicts between the resources of a site. */
export function siteProblems(all: readonly DeclaredNames[], resources: ReadonlyMap<string, DeclaredNames>): Problem[] {
  return [...duplicateNames(all), ...duplicatePaths(all, resources), ...sharedTables(all)];
}

function duplicateNames(all: readonly DeclaredNames[]): Problem[] {
  const first = new Map<string, DeclaredNames>();
  return all.flatMap((known) => {
    const earlier = known.name === undefined ? undefined : first.get(known.name);
    if (known.name !== undefined && !earlier) first.set(known.name, known);
    return earlier
      ? [problemAt(known.file, ['name'], `"${known.name}" is the name of ${earlier.file.file} already`)]
      : [];
  });
}

function duplicatePaths(all: readonly DeclaredNames[], resources: ReadonlyMap<string, DeclaredNames>): Problem[] {
  const problems: Problem[] = [];
  const first = new Map<string, DeclaredNames>();
  for (const known of all) {
    const trail = ancestry(known, resources);
    if (trail.circle) {
      const names = [...trail.names, known.name].map((name) => `"${name}"`).join(' → ');
      problems.push(problemAt(known.file, ['parent', 'resource'], `parents in a circle: ${names}`));
    }
    if (!trail.path || known.file.broken) continue;
    const earlier = first.get(trail.path);
    if (!earlier) first.set(trail.path, known);
    else if (earlier.name !== known.name) {
      problems.push(
        problemAt(known.file, ['path'], `/${trail.path} is the path of resource "${earlier.name}" already`),
      );
    }
  }
  return problems;
}

/** Path below the namespace, every parent id as `<id>`; none when a parent is unknown or part of a cycle. */
function ancestry(
  known: DeclaredNames,
  resources: ReadonlyMap<string, DeclaredNames>,
): { path?: string; names: string[]; circle?: boolean } {
  const names: string[] = [];
  const segments: string[] = [];
  for (let at: DeclaredNames | undefined = known; at;) {
    const path = text(at.schema['path']);
    if (at.name === undefined || path === undefined) return { names };
    if (names.includes(at.name)) return { names, circle: at === known };
    names.push(at.name);
    segments.unshift(path);
    const parent = text(record(at.schema['parent'])['resource']);
    if (parent === undefined) return { names, path: segments.join('/<id>/') };
    at = resources.get(parent);
  }
  return { names };
}

function sharedTables(all: readonly DeclaredNames[]): Problem[] {
  const problems: Problem[] = [];
  const tables = new Map<string, DeclaredNames[]>();
  for (const known of all) {
    const storage = record(known.schema['storage']);
    const table = text(storage['table']) ?? defaultTable(known, storage);
    if (table === undefined || known.file.broken) continue;
    const others = tables.get(table) ?? [];
    tables.set(table, [...others, known]);
    const clash = others.find((other) => !isDuplicate(other, known) && !haveSeparateRows(other, known));
    if (!clash) continue;
    const place = ['where', 'table'].find((key) => storage[key] !== undefined);
    const message = `table "${table}" is shared with resource "${clash.name}", but nothing tells their rows apart`;
    problems.push(
      problemAt(
        known.file,
        place ? ['storage', place] : ['path'],
        message,
        'give both a "where" with different values of one column',
      ),
    );
  }
  return problems;
}

function defaultTable(known: DeclaredNames, storage: Record<string, unknown>): string | undefined {
  return hasTable(storage) ? text(known.schema['path'])?.replaceAll('-', '_') : undefined;
}

// Equal names or routes are reported elsewhere.
function isDuplicate(left: DeclaredNames, right: DeclaredNames): boolean {
  return (
    left.name === right.name || (left.schema['path'] === right.schema['path'] && parentOf(left) === parentOf(right))
  );
}

// Rows below different parents are distinguished by the parent.
function haveSeparateRows(left: DeclaredNames, right: DeclaredNames): boolean {
  const [wheres, parents] = [[left, right].map(whereOf), [left, right].map(parentOf)];
  const [mine, yours] = [record(wheres[0]), record(wheres[1])];
  if (Object.keys(mine).some((column) => Object.hasOwn(yours, column) && mine[column] !== yours[column])) return true;
  return parents[0] !== undefined && parents[1] !== undefined && parents[0] !== parents[1];
}

function whereOf(known: DeclaredNames): unknown {
  return record(known.schema['storage'])['where'];
}

function parentOf(known: DeclaredNames): unknown {
  return record(known.schema['parent'])['resource'];
}

/** Beginnings of the names of tables that are not for resources: those of the engine, and those of SQLite. */
const RESERVED_TABLES = ['typecase_', 'sqlite_'];

const OTHER_COLUMN = 'give one of the fields another "column"';

/** Reports names that are used twice. The lists and the unique values of all resources must be linked. */
export function checkStorage(model: ResourceModel, report: Report): void {
  if (!model.table) return;
  checkTable(model, report);
  checkSideTables(model, report);
  checkMetadata(model, report);
  checkGeneratedColumns(model, report);
  checkDigests(model, report);
}

function checkTable({ table, schema }: ResourceModel, report: Report): void {
  const start = RESERVED_TABLES.find((each) => table!.name.startsWith(each));
  if (start === undefined) return;
  const isWritten = schema.storage !== undefined && 'table' in schema.storage;
  report(
    isWritten ? ['storage', 'table'] : ['path'],
    `the table would be called "${table!.name}": names that begin with "${start}" are not for resources`,
    isWritten ? 'choose another name' : 'choose another path, or name a table in "storage"',
  );
}

/** The values of a to-many field are in a table that is called like the table of the items and the field. */
function checkSideTables(model: ResourceModel, report: Report): void {
  for (const field of model.fields.values()) {
    if (!field.many) continue;
    const { table } = field.many;
    const at = ['fields', field.name];
    const [owner] = model.site.ofTable.get(table) ?? [];
    if (owner)
      report(
        at,
        `its values are kept in the table "${table}", which is the one of the resource "${owner.name}"`,
        'give the field another "column", or the resource another table',
      );
    const other = sideTables(model.site.byName.values()).find(
      (each) => each.field.many!.table === table && sideTableKey(each) !== sideTableKey({ model, field }),
    );
    if (other)
      report(
        at,
        `its values are kept in the table "${table}", as those of "${other.field.name}" of "${other.model.name}" are`,
        OTHER_COLUMN,
      );
  }
}

interface Owned {
  model: ResourceModel;
  field: FieldModel;
}

function sideTables(models: Iterable<ResourceModel>): Owned[] {
  return [...models].flatMap((model) =>
    [...model.fields.values()].flatMap((field) => (model.table && field.many ? [{ model, field }] : [])),
  );
}

/** Resources that share a table share the values of their fields of one name. */
function sideTableKey({ model, field }: Owned): string {
  return `${model.table!.name}.${field.schema.column ?? field.name}`;
}

/** Sort keys, texts that are searched, and digests of unique values: a field with such a column would be overwritten. */
function checkGeneratedColumns(model: ResourceModel, report: Report): void {
  const generated = [...(model.site.ofTable.get(model.table!.name) ?? [])].flatMap(generatedColumns);
  for (const field of model.fields.values()) {
    for (const { name } of field.columns) {
      const found = generated.find((each) => each.name === name);
      if (found)
        report(
          ['fields', field.name],
          `the column "${name}" is reserved by the engine: it stores ${found.what}`,
          'give the field another "column"',
        );
    }
  }
}

function generatedColumns({ fields, search, uniques }: ResourceModel): { name: string; what: string }[] {
  const ofFields = [...fields.values()].flatMap(({ name, column, sortColumn, searchColumn }) => [
    ...(sortColumn === undefined || sortColumn === column
      ? []
      : [{ name: sortColumn, what: `the order of "${name}"` }]),
    ...(searchColumn === undefined ? [] : [{ name: searchColumn, what: `the text of "${name}" that is searched` }]),
  ]);
  const searched = [...(search?.sources.keys() ?? [])]
    .filter((name) => [...search!.columns, ...search!.editors].includes(name))
    .map((name) => ({ name, what: 'the texts that are searched' }));
  const digests = uniques
    .filter(({ column, fields: [first] }) => column !== first?.column)
    .map(({ column, fields: some }) => ({
      name: column,
      what: `what is unique of ${some.map(({ name }) => `"${name}"`).join(', ')}`,
    }));
  return [...ofFields, ...searched, ...digests];
}

/** The digest of several values is in a column that is called like their columns together. */
function checkDigests(model: ResourceModel, report: Report): void {
  const sharing = model.site.ofTable.get(model.table!.name) ?? [];
  const groups = sharing.flatMap(({ uniques }) => uniques);
  for (const { column, fields } of model.uniques) {
    const other = groups.find((each) => each.column === column && columnNames(each.fields) !== columnNames(fields));
    if (!other) continue;
    const names = other.fields.map(({ name }) => `"${name}"`).join(', ');
    report(
      placeOf(model, fields),
      `that no two items share it is kept in the column "${column}", as for ${names}`,
      OTHER_COLUMN,
    );
  }
}

function columnNames(fields: readonly FieldModel[]): string {
  return fields.map(({ column }) => column).join();
}

function placeOf({ schema }: ResourceModel, fields: readonly FieldModel[]): (string | number)[] {
  const index = (schema.unique ?? []).findIndex((names) => names.join() === fields.map(({ name }) => name).join());
  return index < 0 ? ['fields', fields[0]!.name, 'unique'] : ['unique', index];
}

/** Characters that the column of the keys holds. */
const LONGEST_KEY = 255;

/** Reports keys that could not be told apart, and tables that hold something else too. */
function checkMetadata(model: ResourceModel, report: Report): void {
  const owners = new Map<string, string>();
  for (const field of model.fields.values()) {
    if (!field.meta) continue;
    checkMetaTable(model, field, field.meta.table, report);
    const shown = new Map<string, string>();
    for (const { key, name, hidden } of field.meta.keys) {
      const at = ['fields', field.name, 'keys', key];
      const owner = owners.get(key);
      if (owner !== undefined)
        report(at, `the field "${owner}" has this key already: both would show one value`, 'choose another key');
      owners.set(key, field.name);
      if (key === '' || [...key].length > LONGEST_KEY)
        report(
          at,
          `a key has 1 to ${LONGEST_KEY} characters`,
          'choose another key, and show it under any name with "as"',
        );
      if (hidden) continue;
      const other = shown.get(name);
      if (other !== undefined)
        report(
          [...at, ...(name === key ? [] : ['as'])],
          `"${name}" is the name of the key "${other}" already`,
          'choose another name',
        );
      shown.set(name, key);
    }
  }
}

/** A resource may show the keys and values of its parents, and nothing else may be in their table. */
function checkMetaTable(
  { site, table: own }: ResourceModel,
  { name }: FieldModel,
  table: string,
  report: Report,
): void {
  const at = ['fields', name];
  const owner = (site.ofTable.get(table) ?? []).find(
    ({ parent }) => parent?.field.column !== 'owner_id' || parent.model.table !== own,
  );
  if (owner)
    report(
      at,
      `its values are kept in the table "${table}", which is the one of the resource "${owner.name}"`,
      'give that resource another table',
    );
  const others = [...site.byName.values()].flatMap((model) =>
    [...model.fields.values()].flatMap((field) => (model.table && field.many?.table === table ? [field] : [])),
  );
  if (others[0])
    report(
      at,
      `its values are kept in the table "${table}", as those of "${others[0].name}" are`,
      `give "${others[0].name}" another "column"`,
    );
}
