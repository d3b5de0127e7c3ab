// Everything the specification states about fields, routes, parameters and bodies, found in OPTIONS and obeyed by live
// responses. The facts come from the document's own tables, stored in specification.json; UPDATE_GOLDEN=1 rereads them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sendRow, expectResponse, substitute, membersOf, type Row } from '../support/scenario.js';
import {
  CONTEXTS,
  ENUMS,
  MEMBERS,
  MORE_BODIES,
  MORE_ITEM_PARAMS,
  MORE_PARAMS,
  NAMES,
  PARAMS,
  type Naming,
} from './decided.js';
import { EFFECTS, NEVER, PATHS, SAMPLES } from './live.js';
import { readSpecification, type Facts, type FieldFact } from './read-specification.js';
import { openFilledCms, type Cms } from './stage.js';
import type { ValueSchema } from '../../src/model/schema/value-schema.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const DOCUMENT = here('../../../shared/spec.md');
const SPECIFICATION_FILE = here('specification.json');
const present = existsSync(DOCUMENT);
if (present && process.env['UPDATE_GOLDEN']) {
  writeFileSync(SPECIFICATION_FILE, `${JSON.stringify(readSpecification(readFileSync(DOCUMENT, 'utf8')), null, 1)}\n`);
}
const facts = JSON.parse(readFileSync(SPECIFICATION_FILE, 'utf8')) as Facts;

type Documents = { collection: any; item: any };
let cms: Cms;
/** OPTIONS and the item in each context, by section. */
const documents = new Map<string, Documents>();
const items = new Map<string, Record<string, any>>();
const CONTEXT_NAMES = ['view', 'edit', 'embed'];

beforeAll(async () => {
  cms = await openFilledCms();
  for (const { section } of NAMES) {
    const { collection, item } = PATHS[section]!;
    documents.set(section, { collection: await read('OPTIONS', collection), item: await read('OPTIONS', item) });
    const shown: Record<string, any> = {};
    for (const context of CONTEXT_NAMES) shown[context] = await read('GET', `${item}?context=${context}`);
    items.set(section, shown);
  }
});
afterAll(() => cms?.site.close());

const send = (method: Row['method'], path: string, body?: unknown, as: string | undefined = 'admin') =>
  sendRow(cms, { name: path, as, method, path, status: 200, ...(body === undefined ? {} : { body }) }, cms.saved);
const read = async (method: Row['method'], path: string) => (await send(method, path)).body;
const endpoint = (section: string, route: keyof Documents, method: string) =>
  documents.get(section)![route].endpoints?.find((entry: { methods: string[] }) => entry.methods.includes(method));
const typesOf = (schema: ValueSchema) => [schema?.type].flat().filter((type) => type !== 'null');
const sorted = (names: Iterable<string>) => [...names].sort();
const withoutNull = (values: unknown[] | undefined) => values?.filter((value) => value !== null);

describe('the document', () => {
  (present ? test : test.skip)(
    `${present ? '' : '(../shared/spec.md is not here) '}says what specification.json says`,
    () => {
      expect(readSpecification(readFileSync(DOCUMENT, 'utf8'))).toEqual(facts);
    },
  );

  test('names the compared resources', () => {
    expect(sorted(new Set(facts.fields.map(({ resource }) => resource)))).toEqual(
      sorted(NAMES.map(({ resource }) => resource)),
    );
    expect(sorted(new Set(facts.routes.map(({ section }) => section)))).toEqual(
      sorted(NAMES.map(({ section }) => section)),
    );
  });
});

describe.each(NAMES)('$section', (naming: Naming) => {
  const { resource, section, title } = naming;
  const { fields, contextsOf, enumOf, bodies } = statedFor(naming);
  const property = (name: string) => documents.get(section)!.collection.schema.properties[name];

  describe('fields in OPTIONS', () => {
    test('are exactly the specified ones', () => {
      const { schema } = documents.get(section)!.collection;
      expect(schema.title).toBe(title);
      expect(sorted(Object.keys(schema.properties))).toEqual(sorted(fields.map(({ name }) => name)));
      expect(documents.get(section)!.item.schema).toEqual(schema);
    });

    test.each(fields)('$name: type, format, read-only mark, contexts, enum', (field) => {
      const found = property(field.name);
      expect({
        type: typesOf(found),
        format: found.format,
        context: sorted(found.context ?? []),
        enum: withoutNull(found.enum)?.sort(),
      }).toEqual({
        type: [field.type],
        format: field.format,
        context: sorted(contextsOf(field)),
        enum: enumOf(field)?.toSorted() ?? (found.enum ? expect.any(Array) : undefined),
      });
      expect(found.description).toEqual(expect.stringMatching(/\w/));
      if (field.readOnly !== null) expect(found.readonly ?? false).toBe(field.readOnly);
    });
  });

  describe('fields in responses', () => {
    test.each(CONTEXT_NAMES)('in the context %s are exactly the specified ones', (context) => {
      const expected = fields.filter((field) => contextsOf(field).includes(context)).map(({ name }) => name);
      expect(membersOf(items.get(section)![context])).toEqual(sorted(expected));
    });

    test.each(fields)('$name has its type', (field) => {
      for (const context of contextsOf(field)) {
        const value = items.get(section)![context]?.[field.name];
        expect({ context, value, fits: fits(value, property(field.name), field.type) }).toMatchObject({ fits: true });
      }
    });

    const members = Object.entries(MEMBERS[resource] ?? {});
    if (members.length > 0) {
      test.each(members)('%s has the members of each context', (name, stated) => {
        const own = contextsOf(fields.find((field) => field.name === name)!);
        for (const context of own) {
          const expected = Object.entries(stated).filter(([, contexts]) => contexts.includes(context));
          expect({ context, members: sorted(Object.keys(items.get(section)![context][name])) }).toEqual({
            context,
            members: sorted(expected.map(([member]) => member)),
          });
        }
      });

      test.each(members)('%s states the contexts of its members', (name, stated) => {
        const { properties } = property(name);
        const found = Object.fromEntries(
          Object.entries<any>(properties).map(([member, { context }]) => [member, sorted(context)]),
        );
        expect(found).toEqual(
          Object.fromEntries(Object.entries(stated).map(([member, contexts]) => [member, sorted(contexts)])),
        );
      });
    }
  });

  describe('routes', () => {
    const routes = facts.routes.filter((route) => route.section === section);

    test.each(routes)('$method $path exists', async ({ method, path }) => {
      const route = /<(?!parent_id)\w+>$/.test(path) ? 'item' : 'collection';
      expect(documents.get(section)![route].methods).toContain(method);
    });

    test('do not include others', () => {
      const stated = (item: boolean) =>
        sorted(
          new Set(routes.filter(({ path }) => /<(?!parent_id)\w+>$/.test(path) === item).map(({ method }) => method)),
        );
      // PUT and PATCH are POST by other names.
      const synonyms = (methods: string[]) => (methods.includes('POST') ? [...methods, 'PATCH', 'PUT'] : methods);
      expect(sorted(documents.get(section)!.collection.methods)).toEqual(stated(false));
      expect(sorted(documents.get(section)!.item.methods)).toEqual(sorted(synonyms(stated(true))));
    });

    const offered = new Set(
      routes.map(({ method, path }) => `${method} ${/<(?!parent_id)\w+>$/.test(path) ? 'item' : 'collection'}`),
    );
    const missing = (
      [
        'POST collection',
        'PUT collection',
        'PATCH collection',
        'DELETE collection',
        'POST item',
        'DELETE item',
      ] as const
    ).filter((each) => !offered.has(each));
    test.each(missing)('%s returns rest_no_route', async (each) => {
      const [method, route] = each.split(' ') as ['POST', 'item'];
      expect((await send(method, PATHS[section]![route], {})).body).toMatchObject({
        code: 'rest_no_route',
        data: { status: 404 },
      });
    });
  });

  describe('list parameters', () => {
    const stated = facts.listParams.filter((param) => param.section === section);
    const args = () => endpoint(section, 'collection', 'GET').args;

    test('are exactly the specified ones', () => {
      const own = Object.keys(args()).filter((name) => name !== 'parent_id');
      expect(sorted(own)).toEqual(sorted([...stated.map(({ name }) => name), ...(MORE_PARAMS[section] ?? [])]));
    });

    test.each(stated)('$name: type, default, allowed values', ({ name, default: fallback, enum: choices }) => {
      const found = args()[name];
      const decided = PARAMS[section]![name]!;
      // The specification writes every default as text.
      if (fallback !== undefined) expect(String(found.default)).toBe(fallback);
      if (choices) expect(withoutNull(found.enum)).toEqual(expect.arrayContaining(choices));
      expect({
        type: typesOf(found),
        items: found.items?.type,
        format: found.format,
        default: found.default,
        enum: sorted((withoutNull(found.enum ?? found.items?.enum) ?? []) as string[]),
        minimum: found.minimum,
        maximum: found.maximum,
        required: found.required,
      }).toEqual({
        type: [decided.type],
        items: decided.items,
        format: decided.format,
        default: decided.default,
        enum: sorted(decided.enum ?? []),
        minimum: decided.minimum,
        maximum: decided.maximum,
        required: false,
      });
      expect(found.description).toEqual(expect.stringMatching(/\w/));
    });

    const defaults = stated.filter(
      ({ name }) => PARAMS[section]![name]!.default !== undefined && PARAMS[section]![name]!.default !== null,
    );
    if (defaults.length > 0) {
      test.each(defaults)('$name: the default has no effect when it is sent', async ({ name }) => {
        const path = PATHS[section]!.collection;
        const value = [PARAMS[section]![name]!.default].flat().join(',');
        const [without, given] = [await send('GET', path), await send('GET', `${path}?${name}=${value}`)];
        expect(given.status).toBe(200);
        expect(given.body).toEqual(without.body);
      });
    }

    const choices = stated.flatMap(({ name }) =>
      (PARAMS[section]![name]!.enum ?? []).map((value) => ({ name, value })),
    );
    if (choices.length > 0) {
      test.each(choices)('$name=$value is accepted', async ({ name, value }) => {
        const needs = value === 'include' ? '&include=1' : value === 'relevance' ? '&search=juicy' : '';
        const response = await send('GET', `${PATHS[section]!.collection}?${name}=${value}${needs}`);
        expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: expect.anything() });
      });
    }

    const strict = stated.filter(({ name }) => {
      const { type, items, format, enum: some } = PARAMS[section]![name]!;
      return type === 'integer' || type === 'boolean' || items === 'integer' || format || some;
    });
    if (strict.length > 0) {
      test.each(strict)('$name: a value of another type is refused', async ({ name }) => {
        const { status, body } = await send('GET', `${PATHS[section]!.collection}?${name}=no-such-value`);
        expect({ status, body }).toMatchObject({
          status: 400,
          body: { code: 'rest_invalid_param', data: { params: { [name]: expect.any(String) } } },
        });
      });
    }

    const effects = Object.entries(EFFECTS[section] ?? {});
    test('all have a test of their effect below', () => {
      expect(sorted(new Set(effects.map(([, { param }]) => param)))).toEqual(sorted(stated.map(({ name }) => name)));
    });
    if (effects.length > 0) {
      test.each(effects)('?%s', async (query, { finds, leaves = [], first }) => {
        const { status, body } = await send('GET', `${PATHS[section]!.collection}?${query}`);
        expect({ status, body }).toEqual({ status: 200, body: expect.anything() });
        // Lists of types and taxonomies are objects.
        const found = Array.isArray(body) ? body.map(({ id }) => id) : Object.keys(body);
        const idOf = (name: string) => (Array.isArray(body) ? cms.saved[name] : name);
        const names = (list: string[]) => Object.fromEntries(list.map((name) => [name, found.includes(idOf(name))]));
        expect(names(finds)).toEqual(Object.fromEntries(finds.map((name) => [name, true])));
        expect(names(leaves)).toEqual(Object.fromEntries(leaves.map((name) => [name, false])));
        if (first) expect(found[0]).toBe(cms.saved[first]);
      });
    }
  });

  describe('parameters of reading one item', () => {
    const stated = facts.itemParams.filter((param) => param.section === section);

    test('are exactly the specified ones', () => {
      const { args } = endpoint(section, 'item', 'GET');
      const more = MORE_ITEM_PARAMS[section] ?? [];
      const key = Object.keys(args).filter((name) => !['parent_id', 'context', 'password', ...more].includes(name));
      expect(key).toHaveLength(1);
      expect(sorted(Object.keys(args).filter((name) => name !== 'parent_id' && name !== key[0]))).toEqual(
        sorted([...stated.map(({ name }) => name), ...more]),
      );
    });

    test.each(stated)('$name', ({ name, default: fallback, enum: some }) => {
      const found = endpoint(section, 'item', 'GET').args[name];
      expect(typesOf(found)).toEqual(['string']);
      const wanted = name === 'context' ? (section === 'Post meta' ? 'edit' : 'view') : undefined;
      expect(found.default).toBe(fallback ?? wanted);
      if (name === 'context') expect(sorted(found.enum)).toEqual(sorted(some ?? CONTEXT_NAMES));
    });

    test('the default context applies', async () => {
      const wanted = section === 'Post meta' ? 'edit' : 'view';
      expect(await read('GET', PATHS[section]!.item)).toEqual(items.get(section)![wanted]);
    });

    test('another context is refused', async () => {
      const { status, body } = await send('GET', `${PATHS[section]!.item}?context=print`);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { params: { context: expect.any(String) } } },
      });
    });
  });

  const deletion = facts.deleteParams.find((params) => params.section === section);
  if (deletion) {
    test('delete accepts exactly the specified parameters', () => {
      const { args } = endpoint(section, 'item', 'DELETE');
      expect(sorted(Object.keys(args).filter((name) => !['id', 'parent_id'].includes(name)))).toEqual(
        sorted(deletion.names),
      );
      if (args.force) expect(args.force).toMatchObject({ type: 'boolean', default: false });
      if (args.reassign) expect(args.reassign.required).toBe(true);
    });
  }

  for (const { kind, fields: stated } of bodies) {
    const args = () =>
      (kind === 'create' ? endpoint(section, 'collection', 'POST') : endpoint(section, 'item', 'PATCH')).args;

    describe(`body fields of ${kind}`, () => {
      test('are exactly the specified ones', () => {
        const own = Object.keys(args()).filter(
          (name) => !['id', 'parent_id'].includes(name) || stated.some((field) => field.name === name),
        );
        expect(sorted(own)).toEqual(sorted(stated.map(({ name }) => name)));
      });

      test.each(stated)('$name: type, required mark, allowed values', ({ name, required, ...more }) => {
        const found = args()[name];
        const field = fields.find((each) => each.name === name)!;
        expect({ type: typesOf(found), format: found.format, required: found.required }).toEqual({
          type: [field.type],
          format: field.format,
          required,
        });
        const choices = ('enum' in more ? (more.enum as string[]) : undefined) ?? enumOf(field);
        if (choices) expect(sorted(withoutNull(found.enum) as string[])).toEqual(sorted(choices));
      });

      const needed = stated.filter(({ required }) => required).map(({ name }) => name);
      if (kind === 'create' && needed.length > 0) {
        test('include the required ones', async () => {
          const { status, body } = await send('POST', PATHS[section]!.collection, {});
          expect({ status, body }).toMatchObject({
            status: 400,
            body: { code: 'rest_missing_callback_param', data: { params: needed } },
          });
        });
      }
    });
  }
});

// After everything was read, as it changes what was.
describe.each(NAMES.filter(({ section }) => SAMPLES[section]))('$section', (naming: Naming) => {
  const { section } = naming;
  const { fields, enumOf, bodies } = statedFor(naming);
  const stated = bodies[1]!.fields.filter(({ name }) => SAMPLES[section]?.[name] !== null);
  describe('updates', () => {
    test.each(stated)('$name is accepted and returned', async ({ name }) => {
      const sample = SAMPLES[section]![name]!;
      const { status, body } = await send('POST', sample.path ?? PATHS[section]!.item, {
        [name]: sample.send,
        ...sample.with,
      });
      if (sample.shows === NEVER) {
        expect(status).toBe(200);
        return expect(body).not.toHaveProperty(name);
      }
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { [name]: substitute('shows' in sample ? sample.shows : sample.send, cms.saved) },
      });
      const again = await read('GET', `${sample.path ?? PATHS[section]!.item}?context=edit`);
      expect(again[name]).toEqual(body[name]);
    });

    const choices = bodies[1]!.fields.flatMap(({ name }) =>
      (enumOf(fields.find((field) => field.name === name)!) ?? []).map((value) => ({ name, value })),
    );
    if (choices.length > 0) {
      test.each(choices)('$name accepts $value', async ({ name, value }) => {
        const { status, body } = await send('POST', PATHS[section]!.item, { [name]: value });
        // A scheduled item whose date has passed is published at once.
        const shown = name === 'status' && value === 'future' && section !== 'Media' ? 'publish' : value;
        expect({ status, body }).toMatchObject({ status: 200, body: { [name]: shown } });
      });

      test.each([...new Set(choices.map(({ name }) => name))])('%s accepts no other value', async (name) => {
        const { status, body } = await send('POST', PATHS[section]!.item, { [name]: 'no-such-value' });
        expect({ status, body }).toMatchObject({
          status: 400,
          body: { code: 'rest_invalid_param', data: { details: { [name]: { code: 'rest_not_in_enum' } } } },
        });
      });
    }

    const readOnly = fields.filter(
      (field) => field.readOnly === true && !['modified', 'modified_gmt'].includes(field.name),
    );
    test.each(readOnly)('$name is not accepted', async ({ name, type }) => {
      const before = (await read('GET', `${PATHS[section]!.item}?context=edit`))[name];
      // A term has no parent of another kind, and a comment no other type: those are refused.
      const other = {
        string: 'changed',
        integer: 424_242,
        object: { changed: true },
        array: ['changed'],
        boolean: !before,
      }[type];
      const { status, body } = await send('POST', PATHS[section]!.item, { ...NEEDED[section], [name]: other });
      if (section === 'Comments' && name === 'type') expect(body).toMatchObject({ code: 'rest_comment_invalid_type' });
      else expect({ status, body }).toMatchObject({ status: 200, body: { [name]: before } });
    });
  });
});

// Finally: deleted items no longer exist. The rows are the specification's table of states and transitions.
describe('deletion', () => {
  const trashed = { status: 200, has: { status: 'trash' } };
  const refused = { status: 501, has: { code: 'rest_trash_not_supported', data: { status: 501 } } };
  const gone = (more: object = {}) => ({ status: 200, has: { deleted: true, previous: more } });
  const row = (name: string, path: string, expected: Pick<Row, 'status' | 'has'>, body?: object): Row => ({
    name,
    as: 'admin',
    method: 'DELETE',
    path,
    ...expected,
    ...(body ? { body } : {}),
  });
  const rows = [
    row(
      'revisions go at once and take no parameters',
      '/posts/{post}/revisions/{revision}',
      gone({ id: '{revision}' }),
    ),
    row('meta entries must be forced', '/posts/{post}/meta/{entry}', refused),
    row('meta entries, force false', '/posts/{post}/meta/{entry}?force=false', refused),
    row('meta entries, forced', '/posts/{post}/meta/{entry}?force=true', gone({ id: '{entry}' })),
    row('comments go to the trash', '/comments/{comment}', trashed),
    row('comments, force false', '/comments/{under}?force=false', trashed),
    row('comments, forced', '/comments/{comment}?force=true', gone({ id: '{comment}' })),
    row('comments take a password', '/comments/{under}?force=true&password=any', gone({ id: '{under}' })),
    row('media go to the trash', '/media/{media}', trashed),
    row('media, forced', '/media/{media}?force=true', gone({ id: '{media}' })),
    row('pages go to the trash', '/pages/{child}', trashed),
    row('pages, forced in the body', '/pages/{child}', gone({ id: '{child}' }), { force: true }),
    row('posts go to the trash', '/posts/{post}', trashed),
    row('posts, forced', '/posts/{post}?force=1', gone({ id: '{post}' })),
    row('posts, forced past the trash', '/posts/{other}?force=true', gone({ id: '{other}' })),
    row('tags must be forced', '/tags/{tag}', refused),
    row('tags, forced', '/tags/{tag}?force=true', gone({ id: '{tag}' })),
    row('categories must be forced', '/categories/{sub}?force=0', refused),
    row('categories, forced', '/categories/{sub}?force=true', gone({ id: '{sub}' })),
    row('users need somebody who takes over', '/users/{writer}?force=true', {
      status: 400,
      has: { code: 'rest_missing_callback_param', data: { params: ['reassign'] } },
    }),
    row('users must be forced', '/users/{writer}?reassign={admin}', refused),
    row('users, forced', '/users/{writer}?force=true&reassign={admin}', gone({ id: '{writer}' })),
  ];
  test.each(rows.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    await expectResponse(await sendRow(cms, each, cms.saved), each, cms.saved);
  });

  test('items of the user are reassigned', async () => {
    expect((await read('GET', '/pages/{page}')).author).toBe(cms.saved['admin']);
  });
});

/** Everything that is stated about one resource, dashes filled. */
function statedFor({ resource, section, more = {} }: Naming) {
  const fields: FieldFact[] = [
    ...facts.fields.filter((field) => field.resource === resource),
    ...Object.entries(more).map(([name, stated]) => ({ resource, name, ...stated })),
  ];
  const added = MORE_BODIES[section];
  const bodies = [
    ...facts.bodies.filter((body) => body.section === section),
    ...(added
      ? [
          { kind: 'create' as const, fields: added },
          { kind: 'update' as const, fields: added.map(({ name }) => ({ name, required: false })) },
        ]
      : []),
  ];
  return {
    fields,
    bodies,
    contextsOf: (field: FieldFact): string[] => field.contexts ?? CONTEXTS[resource]?.[field.name] ?? ['not decided'],
    enumOf: (field: FieldFact) => field.enum ?? ENUMS[resource]?.[field.name],
  };
}

/** What an update must have so that it is none of nothing. */
const NEEDED: Record<string, object> = { 'Post meta': { value: 'blue' } };

/** Whether a value in a response is what OPTIONS and the specification say. */
function fits(value: unknown, property: ValueSchema, type: string): boolean {
  if (value === null) return [property.type].flat().includes('null');
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'string':
      if (typeof value !== 'string') return false;
      if (property.format === 'date-time') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\+00:00)?$/.test(value);
      if (property.format === 'uri') return value === '' || /^https?:\/\//.test(value);
      return true;
    default:
      return typeof value === type;
  }
}
