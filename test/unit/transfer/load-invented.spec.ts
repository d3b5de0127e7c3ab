// Lines of dumps that conflict, or that no database can store, and structures of another resource in a shared table.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { ContentWriter } from '../../../src/engine/content-writer.js';
import { auditData } from '../../../src/maintenance/check-data.js';
import { equals } from '../../../src/model/query.js';
import type { Store } from '../../../src/model/store.js';
import { nearest } from '../../../src/text/nearest-name.js';
import { loadSite } from '../../../src/transfer/load/load-site.js';
import { runSql } from '../../support/fresh-database.js';
import { at, dump, linesOf, load, newFolder, newPlace, tablesOf, textsOf, type Place } from './dump-world.js';

const THING = {
  name: 'thing',
  path: 'things',
  fields: {
    title: { type: 'string' },
    name: { type: 'string', maxLength: 40, nullable: true, unique: { ignore: ['case', 'accents'] } },
    area: { type: 'string', nullable: true },
    number: { type: 'integer' },
    pin: { type: 'password' },
    tags: { type: 'strings', items: { type: 'string', enum: ['red', 'green'] } },
    owner: { type: 'references', to: 'paper', maxItems: 1 },
  },
  unique: [['area', 'number']],
};
const animal = (name: string, fields: object) => ({
  name,
  path: `${name}s`,
  storage: { table: 'animals', where: { kind: name } },
  fields: { name: { type: 'string' }, ...fields },
});
const FORMS = {
  name: 'form',
  path: 'forms',
  fields: {
    one: { type: 'object', properties: { a: { type: 'integer', maximum: 5 } } },
    some: { type: 'array', items: { type: 'string' } },
    any: { type: 'json' },
    day: { type: 'date' },
    moment: { type: 'datetime' },
    clock: { type: 'time' },
    key: { type: 'uuid' },
  },
};
const PAPER = { name: 'paper', path: 'papers', fields: { text: { type: 'rendered' } } };
const HOUSE = { name: 'house', path: 'house', singleton: true, fields: { motto: { type: 'string' } } };
const SCHEMAS = [
  THING,
  HOUSE,
  PAPER,
  FORMS,
  animal('cat', {}),
  animal('dog', { tricks: { type: 'array', items: { type: 'string' } } }),
];

let schemas: string;
let place: Place;
beforeEach(() => {
  schemas = newFolder();
  for (const schema of SCHEMAS) writeFileSync(join(schemas, `${schema.name}.json`), JSON.stringify(schema));
  place = newPlace(schemas);
});

/** What load says of lines. */
async function refusal(...lines: object[]): Promise<string> {
  const path = join(newFolder(), 'thing.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const said = await load(place, path).then(
    () => 'nothing',
    (error: Error) => error.message,
  );
  return said.replaceAll(path, 'FILE').replace(/\nNothing was loaded\.$/, '');
}

it('saved rows whose load ended before their derived columns were computed are complete after the next load', async () => {
  await at(place, async () => undefined);
  const path = join(newFolder(), 'papers.jsonl');
  writeFileSync(path, '{"$table":"papers","$row":{"id":7,"text":"<b>Plums</b>"}}\n');
  const url = place.environment['DATABASE_URL']!;
  await runSql(url, `CREATE TRIGGER stop BEFORE DELETE ON typecase_derived BEGIN SELECT RAISE(ABORT, 'killed'); END`);
  await expect(load(place, path)).rejects.toThrow('killed');
  await runSql(url, 'DROP TRIGGER stop');
  await load(place, path);
  expect(await at(place, ({ models, store }) => auditData(models, store))).toEqual([]);
});

it('lists of one of its own lines are checked by the rule of their field, those of a dump are restored', async () => {
  expect(await refusal({ id: 1, tags: ['red', 'blue'] }, { id: 2, owner: [1, 2] })).toBe(
    'FILE:1: tags[1] must be one of "red" or "green"\nFILE:2: owner must have at most 1 item',
  );
  expect(await refusal({ id: 1, tags: ['red', 'blue'], $version: 1 })).toBe('nothing');
  expect(await refusal({ id: 2, tags: ['green', 'red'] })).toBe('nothing');
  expect(linesOf((await dump(place)).folder, 'thing').map(({ tags }) => tags)).toEqual([
    ['red', 'blue'],
    ['green', 'red'],
  ]);
});

it('a dump may have the version 0, which another program has written', async () => {
  expect(await refusal({ id: 1, area: 'north', $version: 0 })).toBe('nothing');
  expect(linesOf((await dump(place)).folder, 'thing')[0]).toMatchObject({ $version: 0 });
  expect(await refusal({ id: 2, $version: -1 })).toBe('FILE:1: $version must be a whole number from 0');
});

it('lines of its own create the item of a singleton once', async () => {
  const house = (motto: string) => ({ $resource: 'house', motto });
  const second = 'there is one house only, and it is there already: change it at /house';
  expect(await refusal(house('one'), house('two'))).toBe(`FILE:2: ${second}`);
  expect(await refusal(house('one'))).toBe('nothing');
  expect(await refusal(house('two'))).toBe(`FILE:1: ${second}`);
  const { folder } = await dump(place);
  await load(newPlace(schemas), folder);
});

it('a dump may have ids above those that a line of its own may give: an item follows the one with the largest', async () => {
  const path = join(newFolder(), 'paper.jsonl');
  writeFileSync(path, '{"id":2147483647,"text":"a"}\n{"text":"b"}\n');
  await load(place, path);
  const { folder } = await dump(place);
  expect(linesOf(folder, 'paper').map(({ id }) => id)).toEqual([2147483647, 2147483648]);
  const copy = newPlace(schemas);
  await load(copy, folder);
  expect(textsOf((await dump(copy)).folder)).toEqual(textsOf(folder));
  writeFileSync(path, '{"id":2147483648,"text":"c"}\n');
  await expect(load(newPlace(schemas), path)).rejects.toThrow('id must be a whole number from 1 to 2147483647');
});

it('texts with an XML declaration of another encoding are dumped and loaded', async () => {
  const lines = [{ id: 1, text: `<?xml version='1.0' encoding='ISO-8859-1'?><a/>`, $version: 1 }];
  const path = join(newFolder(), 'paper.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await load(place, path);
  const { folder } = await dump(place);
  const copy = newPlace(schemas);
  await load(copy, folder);
  expect(textsOf((await dump(copy)).folder)).toEqual(textsOf(folder));
});

describe('lines of a dump that share a value that is unique without regard to case, or with another field', () => {
  it('are reported before anything is written', async () => {
    const lines = [
      { id: 1, name: 'Éa', $version: 1 },
      { id: 2, name: 'ea', $version: 1 },
      { id: 3, area: 'north', number: 3, $version: 1 },
      { id: 4, area: 'north', number: 3, $version: 1 },
      { id: 5, area: null, number: 3, $version: 1 },
    ];
    expect(await refusal(...lines)).toBe(
      'FILE:2: name "ea" comes a second time\nFILE:4: area "north", number 3 comes a second time',
    );
    expect((await tablesOf(place))['things']).toEqual([]);
  });

  it('are reported when the site has the value', async () => {
    expect(await refusal({ id: 1, name: 'Éa', area: 'north', $version: 1 })).toBe('nothing');
    expect(await refusal({ id: 2, name: 'EA', $version: 1 }, { id: 3, area: 'north', $version: 1 })).toBe(
      'FILE:1: name "EA" belongs to thing 1 already\nFILE:2: area "north", number 0 belongs to thing 1 already',
    );
  });

  it('and handwritten lines are reported with their fields', async () => {
    const first = Array.from({ length: 500 }, (_, number) => ({ area: 'north', number }));
    expect(await refusal(...first, { area: 'north', number: 7 })).toBe(
      'FILE:501: area "north", number 7 comes a second time',
    );
  });
});

it.each(['a\0b', 'a\ud800b'])('a hash that no database can store is reported: %j', async (hash) => {
  expect(await refusal({ id: 1, pin: { hash }, $version: 1 })).toMatch(/^FILE:1: pin must be a plain password/);
});

it('lines of a dump that exceed the size limit of a statement are reported before anything is written', async () => {
  const lines = [100, 6_000].map((length, at) => ({ id: at + 1, text: '<'.repeat(length), $version: 1 }));
  const path = join(newFolder(), 'paper.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const said = at(place, ({ models, store, site }) => {
    const writer = new ContentWriter(models, store, { ...site, statementBytes: 5_000 });
    return loadSite({ source: path, writer, nearest });
  });
  await expect(said).rejects.toThrow(
    /paper\.jsonl:2: its texts, with what is made of them, come to more than 5000 bytes/,
  );
  expect((await tablesOf(place))['papers']).toEqual([]);
});

it('a load reports the number of written items when the database fails, and completes when it is run again', async () => {
  const lines = Array.from({ length: 2_500 }, (_, at) => ({ id: at + 1, text: `Text ${at}`, $version: 1 }));
  const path = join(newFolder(), 'paper.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const said = at(place, ({ models, store, site }) => {
    let left = 1;
    const full = Object.assign(new ResourceError('rest_insufficient_storage'), { cause: new Error('disk is full') });
    const bulk: Store['bulk'] = (work) => (left-- > 0 ? store.bulk!(work) : Promise.reject(full));
    const failing = Object.assign(Object.create(store) as typeof store, { bulk });
    return loadSite({ source: path, writer: new ContentWriter(models, failing, site), nearest });
  });
  await expect(said).rejects.toThrow(
    /interrupted after 2000 items, which stay\..* The database has no space left \(disk is full\)\./,
  );
  expect((await tablesOf(place))['papers']).toHaveLength(2_000);
  expect((await load(place, path)).summary.counts.get('paper')).toMatchObject({ created: 500, skipped: 2_000 });
});

describe('structures of another resource in a shared table', () => {
  const written = '["sit", 5]';

  it.each([written, '"sit"', 'no JSON'])('are dumped and loaded unchanged: %s', async (stored) => {
    const path = join(newFolder(), 'cat.jsonl');
    writeFileSync(path, `${JSON.stringify({ id: 1, name: 'Tom', $version: 1 })}\n`);
    await load(place, path);
    await at(place, ({ store }) =>
      store.transaction((tx) => tx.update('animals', { tricks: stored }, equals('id', 1))),
    );
    const { folder } = await dump(place);
    expect(linesOf(folder, 'cat')[0].$columns).toEqual({ tricks: stored });
    const target = newPlace(schemas);
    await load(target, folder);
    expect(await tablesOf(target)).toEqual(await tablesOf(place));
    expect((await load(target, folder)).summary.counts.get('cat')).toMatchObject({ created: 0, skipped: 1 });
  });

  it('are loaded from a dump with parsed structures, and reported when no database can store them', async () => {
    const line = { $resource: 'cat', id: 1, $version: 1 };
    expect(await refusal({ ...line, $columns: { tricks: 'a\0b' } })).toBe(
      'FILE:1: tricks in $columns contains a NUL or a broken character',
    );
    expect(await refusal({ ...line, $columns: { tricks: ['sit'] } })).toBe('nothing');
    expect((await tablesOf(place))['animals']).toMatchObject([{ tricks: '["sit"]' }]);
  });
});

describe('values that no field can store', () => {
  const KEY = '0b51aa35-6f4e-4b0c-9d3f-3a1f6b8f0c11';

  it.each([
    ['a number in an object', { one: 5 }, 'one must be an object'],
    ['a list in an object', { one: [] }, 'one must be an object'],
    ['an object in a list', { some: {} }, 'some must be a list'],
    ['a text in a list', { some: '[]' }, 'some must be a list'],
    ['a day that is none', { day: 'tomorrow' }, 'day must be a day of the calendar, YYYY-MM-DD'],
    ['a day not in the calendar', { day: '2023-02-29' }, 'day must be a day of the calendar, YYYY-MM-DD'],
    [
      'a moment not in the calendar',
      { moment: '2024-02-30T10:00:00' },
      'moment must be a date and time, YYYY-MM-DDTHH:MM:SS',
    ],
    ['an hour that is none', { moment: '2024-02-01T25:00:00' }, 'moment must be a date and time, YYYY-MM-DDTHH:MM:SS'],
    ['a time that is none', { clock: '25:00:00' }, 'clock must be a time of day, HH:MM:SS'],
    ['a time without seconds', { clock: '12:00' }, 'clock must be a time of day, HH:MM:SS'],
    ['a UUID that is none', { key: 'x' }, 'key must be a UUID in lower case'],
    ['a UUID in capitals', { key: KEY.toUpperCase() }, 'key must be a UUID in lower case'],
  ])('are reported with their line: %s', async (_what, fields, reason) => {
    const lines = [
      { $resource: 'form', id: 1, $version: 1 },
      { $resource: 'form', id: 2, ...fields, $version: 1 },
    ];
    expect(await refusal(...lines)).toBe(`FILE:2: ${reason}`);
    expect((await tablesOf(place))['forms']).toEqual([]);
  });

  it('are reported when they are nested too deeply', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const path = join(newFolder(), 'form.jsonl');
    writeFileSync(path, `{"id":1,"$version":1}\n{"id":2,"any":${deep},"$version":1}\n{"id":3,"any":${deep}}\n`);
    await expect(load(place, path)).rejects.toThrow(
      /form\.jsonl:2: any is nested too deep\n.*form\.jsonl:3: any\S* is nested too deep/,
    );
    expect((await tablesOf(place))['forms']).toEqual([]);
  });

  it('do not include those that break only a rule of the schema', async () => {
    const loose = { one: { a: 9, b: [] }, some: [1, {}], any: 5, day: '0001-01-01', clock: '23:59:59', key: KEY };
    const lines = [
      { $resource: 'form', id: 1, ...loose, moment: '9999-12-31T23:59:59', $version: 1 },
      { $resource: 'form', id: 2, one: null, some: null, any: null, day: null, moment: null, key: null, $version: 1 },
      { $resource: 'form', id: 3, day: '', moment: '', clock: '', key: '', $version: 1 },
    ];
    expect(await refusal(...lines)).toBe('nothing');
    expect(linesOf((await dump(place)).folder, 'form')[0]).toMatchObject(loose);
  });

  it('of other programs are dumped and loaded unchanged', async () => {
    expect(await refusal({ $resource: 'form', id: 1, $version: 1 })).toBe('nothing');
    await at(place, ({ store }) =>
      store.transaction((tx) =>
        tx.update('forms', { one: '5', some: '{}', day: 'soon', moment: 'x' }, equals('id', 1)),
      ),
    );
    const { folder } = await dump(place);
    expect(linesOf(folder, 'form')[0]).toMatchObject({ $columns: { one: '5', some: '{}', day: 'soon', moment: 'x' } });
    const other = newPlace(schemas);
    await load(other, folder);
    expect((await tablesOf(other))['forms']).toEqual((await tablesOf(place))['forms']);
  });
});
