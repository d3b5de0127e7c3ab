// Second stage of a schema file: validates its structure and the names it refers to. Runs after loading; next the
// traits are applied.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Problem } from '../../errors/problem.js';
import type { ResourceSchema } from '../../model/schema/schema.js';
import { referenceProblems } from './check-references.js';
import { siteProblems } from './check-conflicts.js';
import { checkValues } from './check-values.js';
import { grammarSchema, type Registries } from '../grammar/grammar.js';
import { knownOf, type DeclaredNames } from './declared-names.js';
import { problemAt, type Path, type SchemaFile } from '../load/load.js';
import { members, record, text } from '../load/as-json.js';
import { RESERVED } from '../../model/functions/paths.js';
import { explain, type Violation } from './ajv-messages.js';
import { grammarValidator } from '../grammar/grammar-validator.js';
import { withTypes } from '../grammar/typed-fields.js';

/** Unknown keys, wrong types, impossible values: problems visible in one file alone. */
export function checkGrammar(files: readonly SchemaFile[], registries: Registries): Problem[] {
  const validate = grammarValidator(registries);
  const problems = files
    .filter((file) => !file.broken)
    .flatMap((file) => {
      const schema = withTypes(file.schema, registries);
      const broken = validate(schema) ? [] : explain(validate.errors ?? []);
      const violations = [
        ...broken,
        ...checkValues(schema, registries),
        ...reservedNames(schema),
        ...reservedFields(schema),
        ...inheritedNames(schema),
      ];
      return violations.map(({ path, message, hint, at }) => problemAt(file, path, message, hint, at));
    });
  return sortProblems(problems);
}

/** Members of every item, and parameters of every request. */
const RESERVED_FIELDS = ['_links', '_embedded', '_fields', '_embed', '_envelope', '_pretty', '_method'];

const actionValidators = new WeakMap<Registries, ValidateFunction>();

/** What is wrong with the rule and the values of an action, which an extension declares as schema files do. */
export function checkAction(
  action: { needs: unknown; body: unknown; returns?: unknown },
  registries: Registries,
): Violation[] {
  let validate = actionValidators.get(registries);
  if (!validate) {
    const { $defs } = grammarSchema(registries);
    const value = { $ref: '#/$defs/value' };
    const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, validateFormats: false });
    validate = ajv.compile({
      $defs,
      type: 'object',
      properties: {
        needs: { $ref: '#/$defs/rule' },
        body: { type: 'object', propertyNames: BODY_NAME, additionalProperties: value },
        returns: value,
      },
    });
    actionValidators.set(registries, validate);
  }
  return validate(action) ? [] : explain(validate.errors ?? []);
}

const BODY_NAME = {
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
  patternErrorMessage: 'letters, digits and _, beginning with a letter',
};

/**
 * Unknown names and conflicts between resources. `extended` has the schemas as extended by their traits, by file;
 * a file with traits that is missing there may refer to names that its traits would have added.
 */
export function checkReferences(
  files: readonly SchemaFile[],
  extended: ReadonlyMap<string, ResourceSchema>,
): Problem[] {
  const all = files.map((file) => knownOf(file, extended));
  const resources = new Map<string, DeclaredNames>();
  for (const known of all) if (known.name !== undefined && !resources.has(known.name)) resources.set(known.name, known);
  const sound = all.filter((known) => !known.file.broken);
  return sortProblems([
    ...sound.flatMap((known) => referenceProblems(known, resources)),
    ...siteProblems(all, resources),
  ]);
}

/** Sorted by file, line and column, without duplicates. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const unique = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...unique.values()].sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

function reservedNames(schema: unknown): Violation[] {
  return ['name', 'path'].flatMap((key) => {
    const name = text(record(schema)[key]);
    if (name === undefined || !RESERVED.includes(name)) return [];
    return [
      {
        path: [key],
        at: 'value' as const,
        message: `"${name}" is reserved by the engine`,
        hint: `reserved: ${RESERVED.join(', ')}`,
      },
    ];
  });
}

/** Fields that would be neither shown nor taken: each item has these members, and each request may have these parameters. */
function reservedFields(schema: unknown): Violation[] {
  const of = record(schema);
  const named = ['fields', 'params', 'itemParams', 'deleteParams'].flatMap((group) =>
    Object.keys(record(of[group])).map((name) => ({ name, path: [group, name], at: 'key' as const })),
  );
  const filters = filterNames(schema).map(({ name, path }) => ({ name, path, at: 'value' as const }));
  return [...named, ...filters]
    .filter(({ name }) => RESERVED_FIELDS.includes(name))
    .map(({ name, path, at }) => ({
      path,
      at,
      message: `"${name}" is reserved by the engine`,
      hint: `reserved: ${RESERVED_FIELDS.join(', ')}`,
    }));
}

/** Names that every object of JavaScript has: a request that does not send them would seem to. */
function inheritedNames(schema: unknown): Violation[] {
  const of = record(schema);
  const maps = ['fields', 'params', 'itemParams', 'deleteParams', 'links'];
  const parent = text(record(of['parent'])['param']) ?? '';
  return [
    ...inherited(['parent', 'param'], [parent], 'value', isInherited),
    ...maps.flatMap((map) => inherited([map], Object.keys(record(of[map])), 'key', isInherited)),
    ...filterNames(schema).flatMap(({ path, name }) => inherited(path, [name], 'value', isInherited)),
    ...members(of['fields']).flatMap(([name, field]) => inheritedMembers(field, ['fields', name])),
  ];
}

/** The names that `filterable` of fields gives to parameters. */
function filterNames(schema: unknown): { path: Path; name: string }[] {
  return members(record(schema)['fields']).flatMap(([field, written]) =>
    members(record(written)['filterable']).map(([filter, param]) => ({
      path: ['fields', field, 'filterable', filter, 'param'],
      name: text(record(param)['param']) ?? '',
    })),
  );
}

/** Members of objects, and keys of metadata: bodies lose the names with which an object could be changed. */
function inheritedMembers(value: unknown, path: Path): Violation[] {
  return members(value).flatMap(([key, part]) => {
    const isMap = key === 'properties' || key === 'keys';
    const own = isMap ? inherited([...path, key], Object.keys(record(part)), 'key', isDropped) : [];
    const inner = isMap
      ? members(part).flatMap(([name, member]) => inheritedMembers(member, [...path, key, name]))
      : key === 'items'
        ? inheritedMembers(part, [...path, key])
        : [];
    return [...own, ...inner];
  });
}

function inherited(
  path: Path,
  names: string[],
  at: 'key' | 'value',
  isReserved: (name: string) => boolean,
): Violation[] {
  return names.filter(isReserved).map((name) => ({
    path: at === 'key' ? [...path, name] : path,
    at,
    message: `"${name}" is a property of every JavaScript object`,
    hint: 'choose another name',
  }));
}

function isInherited(name: string): boolean {
  return name in Object.prototype;
}

function isDropped(name: string): boolean {
  return name === 'constructor' || name === '__proto__';
}
