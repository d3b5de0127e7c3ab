// Well-formed schemas that cannot work are rejected at startup with their place; unusual ones that can work are served,
// without any 5xx.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError, type Problem } from '../../../src/errors/problem.js';
import { compileSite } from '../../../src/schema/compile-site.js';
import { startTestSite } from '../../support/start-test-site.js';
import { sendRow, expectResponse, type SavedIds, type Row } from '../../support/scenario.js';

type Schema = Record<string, unknown> & { name: string };

const permissions = { rules: { read: true, create: true, edit: true, delete: true } };
const thing = (fields: object, more: object = {}): Schema => ({
  name: 'thing',
  path: 'things',
  fields: { title: { type: 'string' }, ...fields },
  permissions,
  ...more,
});
const STATUS = { type: 'string', enum: ['new'], default: 'new' };
const TAKEN = { slug: { code: 'rest_not_unique' } };
const other: Schema = { name: 'other', path: 'others', fields: { name: { type: 'string' } }, permissions };
const shape: Schema = {
  name: 'shape',
  path: 'shapes',
  key: 'slug',
  operations: ['list', 'retrieve'],
  storage: { static: 'shapes', rows: [{ slug: 'round' }] },
  fields: { slug: { type: 'string' } },
};
const branch: Schema = {
  name: 'branch',
  path: 'branches',
  key: 'code',
  fields: { code: { type: 'string', required: true, unique: true } },
  permissions,
};
const below = (resource: string): Schema => ({
  name: 'room',
  path: 'rooms',
  parent: { resource, field: 'above' },
  fields: { above: { type: 'reference', to: resource } },
  permissions,
});
const filtered = (filter: string, type: string, more: object = {}) =>
  thing({ it: { type, ...more } }, { params: { ask: { filter, field: 'it' } } });

function folder(schemas: Schema[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'typecase-corner-'));
  for (const schema of schemas) writeFileSync(join(directory, `${schema.name}.json`), JSON.stringify(schema, null, 1));
  return directory;
}

describe('rejected at startup', () => {
  const refused: [name: string, schemas: Schema[], path: string, message: RegExp][] = [
    [
      'a reference to a static resource',
      [shape, thing({ shape: { type: 'reference', to: 'shape' } })],
      'fields.shape.to',
      /"shape" is a static resource/,
    ],
    [
      'references to a static resource',
      [shape, thing({ shapes: { type: 'references', to: 'shape' } })],
      'fields.shapes.to',
      /"shape" is a static resource/,
    ],
    ['a parent that is a static resource', [shape, below('shape')], 'parent.resource', /nothing can live below/],
    ['a parent that is named by a text', [branch, below('branch')], 'parent.resource', /not named by their id/],
    ['an id by another name', [thing({ number: { type: 'id' } })], 'fields.number', /must be called id/],
    [
      'a key that two items can share',
      [{ ...branch, fields: { code: { type: 'string' } } }],
      'key',
      /could have the same code/,
    ],
    [
      'a key that is a list',
      [{ ...branch, fields: { code: { type: 'array', unique: true, required: true } } }],
      'key',
      /cannot name an item/,
    ],
    [
      'a unique field that may be left out',
      [thing({ code: { type: 'string', unique: true } })],
      'fields.code.unique',
      /two items without a value/,
    ],
    [
      'an enum without the value that new items get',
      [thing({ size: { type: 'integer', enum: [1, 2] } })],
      'fields.size.enum',
      /would have 0/,
    ],
    [
      'an enum of texts without a default',
      [thing({ size: { type: 'string', enum: ['s', 'l'] } })],
      'fields.size.enum',
      /would have ""/,
    ],
    [
      'a default ordering that is not offered',
      [thing({}, { list: { orderby: ['id'], defaultOrderby: 'title' } })],
      'list.defaultOrderby',
      /none of the orderings/,
    ],
    [
      'an ordering by a list',
      [other, thing({ others: { type: 'references', to: 'other' } }, { list: { orderby: ['id', 'others'] } })],
      'list.orderby.1',
      /cannot be ordered/,
    ],
    [
      'pages larger than the largest',
      [thing({}, { list: { perPage: 50, maxPerPage: 10 } })],
      'list.perPage',
      /larger than the largest/,
    ],
    [
      'a default context that shows nothing',
      [
        thing(
          {},
          { fields: { id: { type: 'id', contexts: ['edit'] }, title: { type: 'string', contexts: ['edit'] } } },
        ),
      ],
      'fields',
      /no field is shown in the context view/,
    ],
    [
      'seeds that do not fit',
      [thing({ size: { type: 'integer' } }, { seeds: [{ size: 'large' }] })],
      'seeds.0.size',
      /whole number/,
    ],
    [
      'seeds without what is required',
      [thing({ size: { type: 'integer', required: true } }, { seeds: [{ title: 'a' }] })],
      'seeds.0',
      /"size" is missing/,
    ],
    ['the trash without a status', [thing({}, { traits: { trashable: {} } })], 'traits.trashable', /./],
    [
      'the trash with a status that is too short for it',
      [thing({ status: { type: 'string', maxLength: 4 } }, { traits: { trashable: {} } })],
      'traits.trashable',
      /at most 4 characters/,
    ],
    [
      'a slug of what is not there',
      [thing({}, { traits: { sluggable: { from: 'name' } } })],
      'traits.sluggable.from',
      /./,
    ],
    ['a tree without a parent', [thing({}, { traits: { nested: {} } })], 'traits.nested', /./],
    ['an owner without a field', [thing({}, { traits: { authored: {} } })], 'traits.authored', /./],
    [
      'texts that are not there',
      [thing({}, { traits: { filled: { fields: ['title', 'text'] } } })],
      'traits.filled.fields.1',
      /./,
    ],
    [
      'classes that are not there',
      [thing({}, { traits: { classified: { fields: ['classes'] } } })],
      'traits.classified.fields.0',
      /./,
    ],
    ['a term without a name', [thing({}, { traits: { term: {}, sluggable: { from: 'title' } } })], 'traits.term', /./],
    [
      'revisions that nobody shows',
      [thing({}, { traits: { revisioned: { into: 'draft', fields: ['title'] } } })],
      'traits.revisioned.into',
      /./,
    ],
    [
      'a table of the engine',
      [thing({}, { storage: { table: 'typecase_things' } })],
      'storage.table',
      /"typecase_" are not for resources/,
    ],
    [
      'a field where the sort key of another is kept',
      [thing({ title_sort: { type: 'string' } }, { list: { orderby: ['title'] } })],
      'fields.title_sort',
      /"title_sort" is reserved by the engine: it stores the order of "title"/,
    ],
    [
      'a field where the searched texts are kept',
      [thing({ found: { type: 'text', column: 'search_text' } }, { search: { fields: ['title'] } })],
      'fields.found',
      /stores the texts that are searched/,
    ],
    [
      'a field where a digest is kept',
      [thing({ a: { type: 'string' }, title_a_unique: { type: 'string' } }, { unique: [['title', 'a']] })],
      'fields.title_a_unique',
      /stores what is unique of "title", "a"/,
    ],
    [
      'two groups of unique values with one digest',
      [
        thing(
          { a: { type: 'string' }, b_c: { type: 'string' }, a_b: { type: 'string' }, c: { type: 'string' } },
          {
            unique: [
              ['a', 'b_c'],
              ['a_b', 'c'],
            ],
          },
        ),
      ],
      'unique.1',
      /kept in the column "a_b_c_unique", as for "a", "b_c"/,
    ],
    [
      'values in the table of another resource',
      [
        { name: 'tagged', path: 'tagged', storage: { table: 'lists_tags' }, fields: {}, permissions },
        thing({ tags: { type: 'strings' } }, { storage: { table: 'lists' } }),
      ],
      'fields.tags',
      /the table "lists_tags", which is the one of the resource "tagged"/,
    ],
    [
      'values in the table of the values of another resource',
      [
        { name: 'row', path: 'rows', storage: { table: 'x' }, fields: { a_b: { type: 'strings' } }, permissions },
        thing({ b: { type: 'strings' } }, { storage: { table: 'x_a' } }),
      ],
      'fields.b',
      /the table "x_a_b", as those of "a_b" of "row" are/,
    ],
    [
      'a parent named like the item in the URL',
      [
        other,
        thing(
          { of: { type: 'reference', to: 'other', readOnly: true } },
          { parent: { resource: 'other', field: 'of', param: 'id' } },
        ),
      ],
      'parent.param',
      /"id" is the part of the path that names the item itself/,
    ],
    [
      'an order by relevance without a search',
      [thing({}, { list: { orderby: ['id', 'relevance'] } })],
      'list.orderby.1',
      /no "search"/,
    ],
    [
      'a usual order by relevance',
      [thing({}, { search: { fields: ['title'] }, list: { orderby: ['relevance', 'id'] } })],
      'list.orderby.0',
      /without the parameter "search" would be refused/,
    ],
    [
      'a default that nothing reads',
      [thing({ meta: { type: 'metadata', keys: { a: {} }, default: { a: 'b' } } })],
      'fields.meta.default',
      /type metadata takes no default/,
    ],
    [
      'an enum in another spelling than times have',
      [thing({ at: { type: 'time', nullable: true, enum: ['08:00:00', '09:00'] } })],
      'fields.at.enum.1',
      /"09:00" is stored and shown as "09:00:00"/,
    ],
    [
      'an enum in another spelling than slugs have',
      [thing({ kind: { type: 'slug', nullable: true, enum: ['In Print'] } })],
      'fields.kind.enum.0',
      /"In Print" is stored and shown as "in-print"/,
    ],
    [
      'an enum that no UUID fits',
      [thing({ it: { type: 'uuid', nullable: true, enum: ['7B0E9C1E-3A63-4B8E-9F5B-0A8A3A1A2B3C'] } })],
      'fields.it.enum.0',
      /stored and shown as "7b0e9c1e/,
    ],
    [
      'a link made of a list',
      [other, thing({ tags: { type: 'strings' } }, { links: { more: { to: 'other', query: { include: 'tags' } } } })],
      'links.more.query.include',
      /"tags" has no column/,
    ],
    [
      'a link where a list holds something',
      [thing({ tags: { type: 'strings' } }, { links: { more: { self: true, when: 'tags' } } })],
      'links.more.when',
      /"tags" has no column/,
    ],
    [
      'an id of another type',
      [thing({ id: { type: 'integer', unique: true, required: true } })],
      'fields.id.type',
      /"id" is of type id, not integer/,
    ],
    ['an id in another column', [thing({ id: { type: 'id', column: 'number' } })], 'fields.id.column', /is called id/],
    [
      'a field in the column of the ids',
      [thing({ number: { type: 'integer', column: 'id' } })],
      'fields.number',
      /"id" is the engine's own/,
    ],
    [
      'a field that writes a constant column',
      [thing({ kind: { type: 'string' } }, { storage: { table: 'kinds', where: { kind: 'a' } } })],
      'fields.kind',
      /"kind" is always "a"/,
    ],
    [
      'a constant column of the engine',
      [thing({}, { storage: { table: 'versions', where: { row_version: 1 } } })],
      'storage.where.row_version',
      /the engine's own/,
    ],
    [
      'a text in a constant column of numbers',
      [
        { name: 'a-number', path: 'numbers', storage: { table: 'mixed', where: { kind: 1 } }, fields: {}, permissions },
        thing({}, { storage: { table: 'mixed', where: { kind: 'a' } } }),
      ],
      'storage.where.kind',
      /holds integer already, not a text/,
    ],
    ['after, on a text', [filtered('after', 'string')], 'params.ask.field', /only at date, datetime/],
    ['gte, on strings', [filtered('gte', 'strings')], 'params.ask.field', /type strings/],
    ['positive, on a text', [filtered('positive', 'text')], 'params.ask.field', /only at integer, number, boolean/],
    ['prefix, on a number', [filtered('prefix', 'number')], 'params.ask.field', /only at string, text, slug/],
    ['equals, on an object', [filtered('equals', 'object')], 'params.ask.field', /type object/],
    ['in, on a list', [filtered('in', 'array')], 'params.ask.field', /type array/],
    [
      'contains, on references',
      [other, filtered('contains', 'references', { to: 'other' })],
      'params.ask.field',
      /type references/,
    ],
    [
      'in, on what is computed',
      [filtered('in', 'computed', { function: 'path-link', options: { column: 'title' } })],
      'params.ask.field',
      /type computed/,
    ],
  ];

  // One compilation for all: the last schema of each row is its subject, under a name of its own; those before it are shared.
  // Options of traits are checked before the rest, so they are compiled apart.
  const problems = new Map<string, readonly Problem[]>();
  beforeAll(() => {
    for (const apart of [true, false]) {
      const rows = refused.filter(([, , path]) => path.startsWith('traits.') === apart);
      const shared = new Map(
        rows.flatMap(([, schemas]) => schemas.slice(0, -1)).map((schema) => [schema.name, schema]),
      );
      const subjects = rows.map(([name, schemas]) => ({
        ...schemas.at(-1)!,
        name: subjectOf(name),
        path: subjectOf(name),
      }));
      const directory = folder([...shared.values(), ...subjects]);
      try {
        compileSite(directory);
      } catch (error) {
        if (!(error instanceof StartupError)) {
          // A crash instead of problems fails every row of its batch.
          for (const { name } of subjects) problems.set(name, [{ file: '', message: String(error) }]);
          continue;
        }
        for (const problem of error.problems) {
          const subject = basename(problem.file, '.json');
          problems.set(subject, [...(problems.get(subject) ?? []), problem]);
        }
      } finally {
        rmSync(directory, { recursive: true });
      }
    }
  });

  test.each(refused)('%s', (name, _schemas, path, message) => {
    const found = problems.get(subjectOf(name)) ?? [];
    const expected = { path, message: expect.stringMatching(message), line: expect.any(Number) };
    expect(found).toContainEqual(expect.objectContaining(expected));
  });
});

/** A name for a schema, made of the words of a row. */
function subjectOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

describe('served', () => {
  const post = (path: string, body: object, has?: object): Row => ({
    name: '',
    method: 'POST',
    path,
    body,
    status: 201,
    ...(has ? { has } : {}),
  });
  const change = (path: string, body: object, has: object, status = 200): Row => ({
    name: '',
    method: 'POST',
    path,
    body,
    status,
    has,
  });
  const get = (path: string, has: object, status = 200): Row => ({ name: '', path, status, has });
  const remove = (path: string, has: object, status = 200): Row => ({ name: '', method: 'DELETE', path, status, has });
  const list = (path: string, ...ids: number[]): Row => ({
    name: '',
    path,
    status: 200,
    check: ({ body }) => expect(body.map(({ id }: { id: number }) => id)).toEqual(ids),
  });

  const served: [name: string, schemas: Schema[], rows: Row[]][] = [
    [
      'filters named like parameters that the list does not have',
      [
        thing({ search: { type: 'string', filterable: true } }),
        {
          ...other,
          fields: { page: { type: 'integer', filterable: true } },
          list: { paginated: false },
        },
      ],
      [
        post('/things', { search: 'a' }, { search: 'a' }),
        list('/things?search=a', 1),
        list('/things?search=b'),
        post('/others', { page: 5 }, { page: 5 }),
        list('/others?page=5', 1),
        list('/others?page=4'),
      ],
    ],
    [
      'names that SQL and HTTP use too',
      [
        {
          name: 'order',
          path: 'order',
          fields: {
            order: { type: 'integer' },
            group: { type: 'string', unique: true, nullable: true },
            select: { type: 'string' },
            key: { type: 'string' },
            context: { type: 'string' },
            page: { type: 'string' },
            index: { type: 'strings' },
          },
          list: { orderby: ['order', 'group', 'id'] },
          params: { group: { filter: 'in', items: { type: 'string' } } },
          permissions,
        },
      ],
      [
        post(
          '/order',
          { order: 2, group: 'g', select: 's', key: 'k', context: 'c', page: 'p', index: ['i'] },
          { order: 2, group: 'g', select: 's', key: 'k', context: 'c', page: 'p', index: ['i'] },
        ),
        list('/order?orderby=group&group=g', 1),
        change('/order/1', { group: null }, { group: null }),
      ],
    ],
    [
      'three levels: each below its own parent',
      [
        other,
        below('other'),
        {
          name: 'bed',
          path: 'beds',
          parent: { resource: 'room', field: 'room' },
          fields: { room: { type: 'reference', to: 'room' } },
          permissions,
        },
      ],
      [
        post('/others', {}),
        post('/others/1/rooms', {}, { above: 1 }),
        post('/rooms/1/beds', {}, { room: 1 }),
        list('/rooms/1/beds', 1),
        get('/rooms', { code: 'rest_no_route' }, 404),
      ],
    ],
    [
      'the trash with a status of its own: lists hide what is in it, and it may be sent back',
      [thing({ status: { type: 'string', enum: ['new', 'old'], default: 'new' } }, { traits: { trashable: {} } })],
      [
        post('/things', { title: 'a' }),
        remove('/things/1', { status: 'trash' }),
        list('/things'),
        change('/things/1', { status: 'trash', title: 'b' }, { status: 'trash', title: 'b' }),
        change('/things/1', { status: 'old' }, { status: 'old' }),
        list('/things', 1),
        change('/things/1', { status: 'trash' }, { code: 'rest_invalid_param' }, 400),
      ],
    ],
    [
      'the trash with a slug that is unique, with others or by itself: it makes way, however short it is',
      [
        thing(
          { status: STATUS, slug: { type: 'string', unique: true, required: true, maxLength: 4 } },
          { traits: { trashable: {} } },
        ),
        {
          ...thing(
            { status: STATUS, slug: { type: 'slug', required: true }, site: { type: 'integer' } },
            { traits: { trashable: {} }, unique: [['site', 'slug']] },
          ),
          name: 'page',
          path: 'pages',
        },
      ],
      ['/things', '/pages'].flatMap((path) => [
        post(path, { slug: 'same', site: 1 }),
        remove(`${path}/1`, { status: 'trash' }),
        post(path, { slug: 'same', site: 1 }),
        remove(`${path}/2`, { status: 'trash' }),
        post(path, { slug: 'same', site: 1 }),
        { ...post(path, { slug: 'same', site: 1 }, { data: { details: TAKEN } }), status: 400 },
        change(`${path}/1`, { status: 'new' }, { data: { details: TAKEN } }, 400),
        change(`${path}/1`, { status: 'new', slug: 'one' }, { slug: 'one' }),
        remove(`${path}/3`, { status: 'trash' }),
        change(`${path}/2`, { status: 'new' }, { slug: 'same' }),
      ]),
    ],
    [
      'a tree without a trash: no loops, and what is below moves up',
      [
        thing(
          { parent: { type: 'reference', to: 'thing' } },
          { traits: { sluggable: { from: 'title' }, nested: { path: true } } },
        ),
      ],
      [
        post('/things', { title: 'a' }),
        post('/things', { title: 'b', parent: 1 }),
        post('/things', { title: 'c', parent: 2 }),
        change('/things/1', { parent: 3 }, { data: { details: { parent: { code: 'rest_loop' } } } }, 400),
        change('/things/1', { parent: 1 }, { data: { details: { parent: { code: 'rest_loop' } } } }, 400),
        remove('/things/2', { deleted: true }),
        get('/things/3', { parent: 1 }),
      ],
    ],
    [
      'classes without a trash: counts follow a deletion',
      [
        {
          name: 'class',
          path: 'classes',
          fields: { name: { type: 'string' } },
          traits: { term: {}, sluggable: { from: 'name' } },
          permissions,
        },
        thing(
          { status: { type: 'string', default: 'publish' }, classes: { type: 'references', to: 'class' } },
          { traits: { classified: { fields: ['classes'] } } },
        ),
      ],
      [
        post('/classes', { name: 'one' }),
        post('/things', { classes: [1] }),
        get('/classes/1', { count: 1 }),
        remove('/things/1', { deleted: true }),
        get('/classes/1', { count: 0 }),
      ],
    ],
    [
      'dates that nobody gave are null and may be sent back',
      [thing({ day: { type: 'date' }, at: { type: 'datetime' }, due: { type: 'datetime', clock: 'offset' } })],
      [
        post('/things', {}, { day: null, at: null, due: null }),
        change(
          '/things/1',
          { day: null, at: null, due: null, title: 'b' },
          { title: 'b', day: null, at: null, due: null },
        ),
        change(
          '/things/1',
          { day: '2024-02-29', at: '2024-02-29T10:00:00Z' },
          { day: '2024-02-29', at: '2024-02-29T10:00:00+00:00' },
        ),
        change('/things/1', { day: null }, { day: null, at: '2024-02-29T10:00:00+00:00' }),
      ],
    ],
    [
      'members of lists in objects are hidden where their contexts say so',
      [
        thing({
          parts: {
            type: 'array',
            items: {
              type: 'object',
              properties: { name: { type: 'string' }, cost: { type: 'number', contexts: ['edit'] } },
            },
          },
        }),
      ],
      [
        post('/things', { parts: [{ name: 'a', cost: 3 }] }, { parts: [{ name: 'a', cost: 3 }] }),
        { name: '', path: '/things/1', status: 200, check: ({ body }) => expect(body.parts).toEqual([{ name: 'a' }]) },
        { name: '', path: '/things', status: 200, check: ({ body }) => expect(body[0].parts).toEqual([{ name: 'a' }]) },
      ],
    ],
    [
      'a required reference',
      [other, thing({ of: { type: 'reference', to: 'other', required: true } })],
      [
        post('/others', {}),
        change('/things', { of: 0 }, { code: 'rest_invalid_param' }, 400),
        change('/things', {}, { code: 'rest_missing_callback_param' }, 400),
        post('/things', { of: 1 }, { of: 1 }),
        change('/things/1', { of: 0 }, { code: 'rest_invalid_param' }, 400),
      ],
    ],
    [
      'lists without pages ignore the parameters of pages',
      [thing({}, { list: { paginated: false, orderby: ['title'], defaultOrder: 'asc' } })],
      [
        post('/things', { title: 'b' }),
        post('/things', { title: 'a' }),
        list('/things?page=2&per_page=1&order=desc', 2, 1),
      ],
    ],
    [
      'items without a column of their own',
      [
        { name: 'thing', path: 'things', fields: { tags: { type: 'strings' } }, permissions },
        { name: 'other', path: 'others', fields: {}, permissions },
      ],
      [
        post('/things', {}, { id: 1, tags: [] }),
        post('/things', { tags: ['a'] }, { id: 2, tags: ['a'] }),
        change('/things/1', { tags: ['b'] }, { id: 1, tags: ['b'] }),
        post('/others', {}, { id: 1 }),
        list('/others', 1),
      ],
    ],
    [
      'URLs by a number that is no id',
      [thing({ number: { type: 'integer', required: true, unique: true } }, { key: 'number' })],
      [
        post('/things', { number: 7 }),
        post('/things', { number: -2 }),
        get('/things/7', { id: 1 }),
        get('/things/-2', { id: 2 }),
        get('/things/8', { code: 'rest_thing_invalid_id' }, 404),
        get('/things/seven', { code: 'rest_no_route' }, 404),
        get('/things/99999999999999999999', { code: 'rest_thing_invalid_id' }, 404),
        get('/things/7.5', { code: 'rest_no_route' }, 404),
        change('/things/%00', {}, { code: 'rest_no_route' }, 404),
        remove('/things/null', { code: 'rest_no_route' }, 404),
      ],
    ],
    [
      'equal items whose URLs have no id',
      [
        thing(
          { number: { type: 'integer', required: true, unique: true } },
          { key: 'number', list: { orderby: ['title'], defaultOrder: 'asc' } },
        ),
      ],
      [
        post('/things', { number: 7, title: 'a' }),
        post('/things', { number: 6, title: 'b' }),
        post('/things', { number: 5, title: 'a' }),
        list('/things', 1, 3, 2),
        list('/things?order=desc', 2, 3, 1),
        list('/things?orderby=title&cursor=&per_page=1', 1),
        list('/things?orderby=-title&cursor=', 2, 3, 1),
      ],
    ],
    [
      'a password that can be taken away',
      [thing({ pin: { type: 'password', nullable: true } })],
      [
        post('/things', { pin: 'a long enough pin' }),
        change('/things/1', { pin: null }, { id: 1 }),
        post('/things', { pin: null }, { id: 2 }),
      ],
    ],
    [
      'defaults as requests may send them',
      [
        thing({
          tags: { type: 'strings', default: 'a, b' },
          list: { type: 'array', items: { type: 'integer' }, default: '1,2' },
          text: { type: 'rendered', pipeline: 'plain', default: { raw: 'hello' } },
        }),
      ],
      [
        post('/things', {}, { tags: ['a', 'b'], list: [1, 2], text: { raw: 'hello' } }),
        change('/things/1', { tags: ['a', 'b'], list: [1, 2], text: 'x' }, { id: 1 }),
      ],
    ],
    [
      'empty values of a form, sent back and sent again',
      [
        thing({
          mail: { type: 'string', format: 'email' },
          colour: { type: 'string', format: 'hex-color' },
          opens: { type: 'string', format: 'time' },
          born: { type: 'date', nullable: false },
          site: { type: 'uri', default: '' },
        }),
      ],
      [
        post('/things', {}, { mail: '', colour: '', opens: '', born: '', site: '' }),
        change('/things/1', { mail: '', colour: '', opens: '', born: '', site: '' }, { mail: '' }),
        change('/things/1', { mail: 'a@example.org', born: '2026-01-01' }, { mail: 'a@example.org' }),
        change('/things/1', { mail: '' }, { mail: '', born: '2026-01-01' }),
        change('/things/1', { mail: 'x' }, { code: 'rest_invalid_param' }, 400),
        change('/things/1', { opens: '25:00' }, { code: 'rest_invalid_param' }, 400),
      ],
    ],
    [
      'values that are set once, later than the item',
      [
        thing({
          number: { type: 'integer', writeOnce: true },
          price: { type: 'decimal', writeOnce: true },
          parts: { type: 'array', writeOnce: true },
          begun: { type: 'integer', writeOnce: true, default: 0 },
        }),
      ],
      [
        post('/things', {}, { number: 0, price: '0.00', parts: [], begun: 0 }),
        change('/things/1', { number: 5, price: '1.50', parts: ['a'] }, { number: 5, price: '1.50', parts: ['a'] }),
        change('/things/1', { number: 6 }, { code: 'rest_invalid_param' }, 400),
        change('/things/1', { price: '2.50' }, { code: 'rest_invalid_param' }, 400),
        change('/things/1', { parts: [] }, { code: 'rest_invalid_param' }, 400),
        change('/things/1', { begun: 1 }, { code: 'rest_invalid_param' }, 400),
      ],
    ],
    [
      'links made of fields whose columns have other names',
      [
        thing(
          { home: { type: 'string', column: 'home_url' }, at: { type: 'string', column: 'place' } },
          { links: { home: { self: true, when: 'home' }, items: { path: 'at', when: 'at' } } },
        ),
      ],
      [
        post('/things', { home: 'x', at: 'things' }),
        post('/things', {}),
        {
          name: '',
          path: '/things/1?_fields=_links',
          status: 200,
          has: {
            _links: {
              home: [{ href: 'http://api.test/cms/v2/things/1' }],
              items: [{ href: 'http://api.test/cms/v2/things' }],
            },
          },
        },
        { name: '', path: '/things/2', status: 200, hasNot: ['_links.home', '_links.items'] },
      ],
    ],
    [
      'a greater length than texts of the type have: the one that holds is published',
      [thing({ long: { type: 'string', maxLength: 5000 } })],
      [
        post('/things', { long: 'a'.repeat(1000) }),
        change('/things', { long: 'a'.repeat(1001) }, { data: { details: { long: { code: 'rest_too_long' } } } }, 400),
        {
          name: '',
          method: 'OPTIONS',
          path: '/things',
          status: 200,
          has: { schema: { properties: { long: { maxLength: 1000 } } } },
        },
      ],
    ],
    [
      'unique values that are long',
      [
        thing({
          long: { type: 'string', maxLength: 1000, unique: true, required: true },
          text: { type: 'text', unique: true, nullable: true },
        }),
      ],
      [
        post('/things', { long: `${'a'.repeat(900)}b`, text: `${'t'.repeat(4000)}1` }),
        post('/things', { long: `${'a'.repeat(900)}c`, text: `${'t'.repeat(4000)}2` }),
        change(
          '/things',
          { long: `${'a'.repeat(900)}c` },
          { data: { details: { long: { code: 'rest_not_unique' } } } },
          400,
        ),
        change(
          '/things/1',
          { text: `${'t'.repeat(4000)}2` },
          { data: { details: { text: { code: 'rest_not_unique' } } } },
          400,
        ),
        post('/things', { long: 'x', text: null }),
        post('/things', { long: 'y', text: null }),
      ],
    ],
    [
      'a shared column that one of its resources leaves empty',
      [
        {
          ...other,
          storage: { table: 'shared', where: { kind: 'other' } },
          fields: { on: { type: 'date', required: true }, size: { type: 'integer' } },
        },
        thing(
          { on: { type: 'date' }, size: { type: 'integer', nullable: true } },
          { storage: { table: 'shared', where: { kind: 'thing' } } },
        ),
      ],
      [
        post('/others', { on: '2026-01-01' }, { size: 0 }),
        post('/things', {}, { on: null, size: null }),
        change('/things/2', { size: 3 }, { size: 3 }),
        change('/things/2', { size: null }, { size: null }),
      ],
    ],
    [
      'a default that names an item which was deleted',
      [other, thing({ its: { type: 'reference', to: 'other', default: 1 } })],
      [
        post('/others', { name: 'a' }),
        post('/things', {}, { its: 1 }),
        { name: '', method: 'DELETE', path: '/others/1', status: 200 },
        get('/things/1', { its: 0 }),
        post('/things', {}, { its: 0 }),
      ],
    ],
    [
      'a reference that is set once, with a default, and has lost its item',
      [other, thing({ owner: { type: 'reference', to: 'other', writeOnce: true, default: 1 } })],
      [
        post('/others', { name: 'one' }),
        post('/others', { name: 'two' }),
        post('/things', {}, { owner: 1 }),
        change('/things/1', { owner: 2 }, { code: 'rest_invalid_param' }, 400),
        remove('/others/1?force=true', { deleted: true }),
        get('/things/1', { owner: 0 }),
        change('/things/1', { owner: 2 }, { owner: 2 }),
      ],
    ],
    [
      'two tables whose indexes would have the same name, unique ones too',
      [
        { ...other, path: 'loan', fields: { day_part: { type: 'string', unique: true, nullable: true, index: true } } },
        thing(
          { part: { type: 'string', unique: true, nullable: true, index: true } },
          { storage: { table: 'loan_day' } },
        ),
      ],
      [
        post('/loan', { day_part: 'a' }),
        post('/things', { part: 'a' }),
        change('/things', { part: 'a' }, { data: { details: { part: { code: 'rest_not_unique' } } } }, 400),
        change('/loan', { day_part: 'a' }, { data: { details: { day_part: { code: 'rest_not_unique' } } } }, 400),
      ],
    ],
    [
      'orders of texts: a missing one is as an empty one, those with an enum go letter by letter',
      [
        thing(
          {
            it: { type: 'string', nullable: true },
            size: { type: 'string', enum: ['b', 'A', 'a', 'ä'], nullable: true },
          },
          { list: { orderby: ['id', 'it', 'size'] } },
        ),
      ],
      [
        post('/things', { it: 'b', size: 'a' }),
        post('/things', { it: '', size: null }),
        post('/things', { it: 'Ä', size: 'ä' }),
        post('/things', { it: null, size: 'b' }),
        post('/things', { it: 'a', size: 'A' }),
        list('/things?orderby=it&order=asc', 2, 4, 3, 5, 1),
        list('/things?orderby=-it', 1, 5, 3, 4, 2),
        list('/things?orderby=size&order=asc', 2, 5, 1, 4, 3),
        list('/things?orderby=-size', 3, 4, 1, 5, 2),
      ],
    ],
    [
      'a reference that leads nowhere any more is sent back with the rest',
      [other, thing({ other: { type: 'reference', to: 'other', onDelete: 'noAction' } })],
      [
        post('/others', { name: 'one' }),
        post('/things', { title: 'a', other: 1 }),
        remove('/others/1', { deleted: true }),
        change('/things/1', { title: 'b', other: 1 }, { title: 'b', other: 1 }),
        change('/things/1', { other: 2 }, { code: 'rest_invalid_param' }, 400),
        change('/things/1', { other: 0 }, { other: 0 }),
        change('/things/1', { other: 1 }, { code: 'rest_invalid_param' }, 400),
      ],
    ],
    [
      'a field named like a constant of SQL, beside a condition that is negated',
      [thing({ true: { type: 'integer' }, it: { type: 'string', nullable: true, index: true } })],
      [
        post('/things', { true: 0, it: 'a' }, { true: 0 }),
        post('/things', { true: 0, it: 'b' }),
        post('/things', { true: 1 }),
        post('/things', { true: 1, it: 'a' }),
        list('/things?it[nin]=a&order=asc', 2, 3),
        list('/things?it[nin]=b,c&order=asc', 1, 3, 4),
      ],
    ],
    [
      'several unique values that are taken at once: each is named, with its item',
      [
        thing(
          {
            code: { type: 'string', unique: true, nullable: true },
            mark: { type: 'string', unique: { ignore: ['case'] }, nullable: true },
            row: { type: 'integer' },
            seat: { type: 'integer' },
          },
          { unique: [['row', 'seat']] },
        ),
      ],
      [
        post('/things', { code: 'a', row: 1 }),
        post('/things', { mark: 'b', row: 2 }),
        post('/things', { row: 3, seat: 4 }),
        post('/things', { code: 'c', mark: 'd', row: 3, seat: 5 }),
        ...['/things', '/things/4'].flatMap((path): Row[] => [
          {
            ...change(path, { code: 'a', mark: 'B', row: 3, seat: 4 }, {}, 400),
            check: ({ body: { data } }) =>
              expect(data.params).toEqual({
                code: 'A thing with this code already exists (ID 1).',
                mark: 'A thing with this mark already exists (ID 2).',
                row: 'A thing with this row and seat already exists (ID 3).',
                seat: 'A thing with this row and seat already exists (ID 3).',
              }),
          },
          {
            ...change(path, { code: 'e', mark: 'B', row: 4, seat: 5 }, {}, 400),
            check: ({ body: { data } }) => expect(Object.keys(data.params)).toEqual(['mark']),
          },
        ]),
      ],
    ],
    [
      'decimals that have no digits before the point, negative ones too',
      [
        thing(
          {
            tenth: { type: 'decimal', precision: 1, scale: 1, index: true },
            share: { type: 'decimal', precision: 18, scale: 18, nullable: true },
            its: { type: 'reference', to: 'thing', index: true },
            mark: { type: 'string', index: true },
          },
          { list: { orderby: ['id', 'share', 'its', 'mark'] } },
        ),
      ],
      [
        post('/things', { tenth: '-0.1', share: '-0.123456789012345678' }, { tenth: '-0.1' }),
        get('/things/1', { tenth: '-0.1', share: '-0.123456789012345678' }),
        change('/things/1', { mark: 'a', its: 1 }, { tenth: '-0.1', share: '-0.123456789012345678' }),
        get('/things?its[mark][in]=a,b&orderby=-its,-mark,id', [{ tenth: '-0.1', share: '-0.123456789012345678' }]),
        post('/things', { tenth: '0.2', share: '0.1' }, { tenth: '0.2', share: '0.100000000000000000' }),
        get('/things?orderby=share&order=asc', [{ share: '-0.123456789012345678' }, { share: '0.100000000000000000' }]),
        get('/things?aggregate=sum.share,min.share,max.tenth', [
          { sum: { share: '-0.023456789012345678' }, min: { share: '-0.123456789012345678' }, max: { tenth: '0.2' } },
        ]),
        get('/things?aggregate=max.share,sum.tenth&id[eq]=1', [
          { sum: { tenth: '-0.1' }, max: { share: '-0.123456789012345678' } },
        ]),
      ],
    ],
    [
      'a unique value of one resource, in a table with others that lack it or may repeat it',
      [
        {
          ...other,
          key: 'code',
          storage: { table: 'shared', where: { kind: 'other' } },
          fields: { code: { type: 'string', required: true, unique: true } },
        },
        thing({ code: { type: 'string' } }, { storage: { table: 'shared', where: { kind: 'thing' } } }),
        {
          name: 'third',
          path: 'thirds',
          storage: { table: 'shared', where: { kind: 'third' } },
          fields: { size: { type: 'integer' } },
          permissions,
        },
      ],
      [
        post('/others', { code: 'a' }),
        change('/others', { code: 'a' }, { code: 'rest_invalid_param' }, 400),
        get('/others/a', { code: 'a' }),
        post('/things', { code: 'a' }),
        post('/things', { code: 'a' }),
        post('/things', {}),
        post('/things', {}),
        post('/thirds', { size: 1 }),
        post('/thirds', { size: 1 }),
        post('/others', { code: 'b' }),
        change('/others/b', { code: 'a' }, { code: 'rest_invalid_param' }, 400),
      ],
    ],
    [
      'a trash for items with a slug of their own: a missing one, a long one, one that is no text',
      [
        thing({ slug: { type: 'slug', nullable: true } }, { traits: { trashable: { hidden: true } } }),
        {
          ...other,
          fields: { slug: { type: 'string', maxLength: 500, unique: true, nullable: true } },
          traits: { trashable: { hidden: true } },
        },
        {
          name: 'third',
          path: 'thirds',
          fields: { slug: { type: 'integer', default: 5 } },
          traits: { trashable: { hidden: true } },
          permissions,
        },
      ],
      [
        ['/things', null],
        ['/things', 'a'],
        ['/others', null],
        ['/others', 'x'.repeat(500)],
        ['/thirds', 7],
      ].flatMap(([path, slug]): Row[] => [
        { ...post(String(path), { slug }, { slug }), saveAs: 'id' },
        { ...remove(`${path}/{id}`, {}) },
        { ...change(`${path}/{id}/restore`, {}, { slug }) },
        { ...get(`${path}/{id}`, { slug }) },
        { ...remove(`${path}/{id}?force=true`, { deleted: true }) },
      ]),
    ],
    [
      'a trash for items with a status of their own: a missing one, a long one',
      [thing({ status: { type: 'string', maxLength: 300, nullable: true } }, { traits: { trashable: {} } })],
      [null, '', 'x'.repeat(300)].flatMap((status): Row[] => [
        { ...post('/things', { status }, { status }), saveAs: 'id' },
        remove('/things/{id}', { status: 'trash' }),
        change('/things/{id}', { status: 'open' }, { status: 'open' }),
        remove('/things/{id}?force=true', { deleted: true }),
      ]),
    ],
    [
      'sums of numbers that are too large together: they are no 0',
      [thing({ size: { type: 'number', nullable: true } })],
      [
        get('/things?aggregate=sum.size,avg.size', [{ sum: { size: 0 }, avg: { size: null } }]),
        post('/things', {}),
        get('/things?aggregate=sum.size,avg.size', [{ sum: { size: 0 }, avg: { size: null } }]),
        post('/things', { size: 1.5e308 }),
        post('/things', { size: 1.5e308 }),
        get('/things?aggregate=sum.size,avg.size,max.size', [{ sum: { size: null }, max: { size: 1.5e308 } }]),
      ],
    ],
    [
      'code points that are no characters are found where they are',
      [thing({ it: { type: 'string', filterable: 'contains' } }, { search: { fields: ['title'] } })],
      [
        post('/things', { title: 'a\ufffdb', it: '\ufffd' }),
        post('/things', { title: 'a\uffffb', it: '\uffff' }),
        list(`/things?it[contains]=${encodeURIComponent('\uffff')}`, 2),
        list(`/things?it_contains=${encodeURIComponent('\ufffd')}`, 1),
        list(`/things?search=${encodeURIComponent('a\uffffb')}`, 2),
        list(`/things?search=${encodeURIComponent('a\ufffdb')}`, 1),
      ],
    ],
    ['no operations at all', [thing({}, { operations: [] })], [get('/things', { code: 'rest_no_route' }, 404)]],
    [
      'a default context of its own',
      [thing({ secret: { type: 'string', contexts: ['edit'] } }, { defaultContext: 'embed' })],
      [post('/things', { title: 'a' }), { name: '', path: '/things/1', status: 200, members: ['id', 'title'] }],
    ],
  ];

  test.each(served)('%s', async (_name, schemas, rows) => {
    const directory = folder(schemas);
    const site = await startTestSite(directory, {
      ROLES_FILE: fileURLToPath(new URL('../library/roles.json', import.meta.url)),
    });
    try {
      const saved: SavedIds = {};
      for (const row of rows) await expectResponse(await sendRow({ site, actors: {} }, row, saved), row, saved);
    } finally {
      await site.close();
      rmSync(directory, { recursive: true });
    }
  });
});
