// Changes of a folder of schemas that `check` accepts, one after the other: types, missing keys, flags, typing errors.
import { StartupError } from '../../../src/errors/problem.js';
import { compileFiles } from '../../../src/schema/compile-site.js';
import { parseSchema, type SchemaFile } from '../../../src/schema/load/load.js';

type Json = Record<string, any>;
type Step = (schema: Json, pick: <T>(all: readonly T[]) => T) => void;

const TYPES = [
  'string',
  'text',
  'slug',
  'integer',
  'number',
  'boolean',
  'date',
  'datetime',
  'strings',
  'array',
  'object',
  'rendered',
];
const FLAGS = ['required', 'readOnly', 'nullable', 'unique', 'index', 'internal'];
const CONTEXTS = [[], ['view'], ['edit'], ['view', 'embed', 'edit']];
const FILTERS = ['equals', 'any', 'none', 'after', 'before', 'at-least', 'at-most', 'contains', 'prefix', 'present'];
const RULES = [true, false, 'manage_options', { known: true }, { is: { id: '$me' } }, { not: { rule: 'create' } }];

const fieldOf = (schema: Json, pick: <T>(all: readonly T[]) => T): Json =>
  schema['fields'][pick(Object.keys(schema['fields']))];

/** Ways to change a schema; most results are refused. */
const STEPS: readonly Step[] = [
  (schema, pick) => void (fieldOf(schema, pick)['type'] = pick(TYPES)),
  (schema, pick) => void (fieldOf(schema, pick)[pick(FLAGS)] = true),
  (schema, pick) => void (fieldOf(schema, pick)['contexts'] = pick(CONTEXTS)),
  (schema, pick) => {
    const field = fieldOf(schema, pick);
    delete field[pick(Object.keys(field).filter((key) => key !== 'type'))];
  },
  (schema, pick) => void (fieldOf(schema, pick)['enum'] = ['a', 'b']),
  (schema, pick) => void (fieldOf(schema, pick)['default'] = pick(['a', '', 0, 3, true, [], '2024-01-01'])),
  (schema, pick) => {
    const field = pick(Object.keys(schema['fields']));
    (schema['params'] ??= {})[`p_${field}`] = { filter: pick(FILTERS), field };
  },
  (schema, pick) => void delete schema[pick(['list', 'params', 'search', 'links', 'seeds', 'permissions', 'traits'])],
  (schema, pick) => {
    const names = Object.keys(schema['fields']);
    schema['list'] = { orderby: [...new Set(['id', pick(names), pick(names)])], paginated: pick([true, true, false]) };
  },
  (schema, pick) =>
    void (schema['search'] = { fields: [pick(Object.keys(schema['fields']))], mode: pick(['terms', 'phrase']) }),
  (schema, pick) => {
    const permissions = typeof schema['permissions'] === 'object' ? schema['permissions'] : {};
    schema['permissions'] = {
      ...permissions,
      rules: { ...permissions.rules, [pick(['read', 'create', 'edit', 'delete'])]: pick(RULES) },
    };
  },
  (schema, pick) => void (schema['defaultContext'] = pick(['view', 'edit', 'embed'])),
  (schema, pick) => {
    const traits: Json = (schema['traits'] ??= {});
    const name = pick(['dated', 'trashable', 'force-delete', 'sluggable', 'filled', 'authored', 'protected']);
    const text = pick(Object.keys(schema['fields']));
    traits[name] =
      name === 'sluggable' ? { from: text } : ['filled', 'protected'].includes(name) ? { fields: [text] } : {};
  },
];

/** The files after `wanted` accepted changes; `next` gives numbers from 0 to 1. Everything but a StartupError is thrown on. */
export function wander(files: readonly SchemaFile[], wanted: number, next: () => number): SchemaFile[] {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!;
  let now = [...files];
  for (let accepted = 0, tried = 0; accepted < wanted && tried < wanted * 20; tried += 1) {
    const index = Math.floor(next() * now.length);
    const schema = structuredClone(now[index]!.schema) as Json;
    try {
      pick(STEPS)(schema, pick);
      const { file, problems } = parseSchema(now[index]!.file, JSON.stringify(schema));
      const changed = now.map((each, at) => (at === index ? file : each));
      compileFiles({ files: changed, problems });
      now = changed;
      accepted += 1;
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
    }
  }
  return now;
}
