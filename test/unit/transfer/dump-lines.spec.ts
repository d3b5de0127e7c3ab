// Lines that a person wrote, and everything that load refuses, with file, line and reason, before it writes anything.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditData } from '../../../src/maintenance/check-data.js';
import { dumpSite } from '../../../src/transfer/dump/dump-site.js';
import { loadSite } from '../../../src/transfer/load/load-site.js';
import { TRUE, type Row } from '../../../src/model/query.js';
import { nearest } from '../../../src/text/nearest-name.js';
import { runSql } from '../../support/fresh-database.js';
import type { OpenSite } from '../../../src/server/open-site.js';
import {
  at,
  start,
  dump,
  linesOf,
  load,
  newFolder,
  newPlace,
  openBare,
  tablesOf,
  Talk,
  type Place,
} from './dump-world.js';

let place: Place;
beforeEach(() => {
  place = newPlace('schemas', { ROLES_FILE: 'roles.json', SITE_TIMEZONE: 'Europe/Berlin' });
});

/** Writes a file of lines; objects become JSON. */
function file(name: string, ...lines: (object | string)[]): string {
  const path = join(newFolder(), name);
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return path;
}

/** What load says of a file. */
const refusal = (path: string) =>
  load(place, path).then(
    () => 'nothing',
    (error: Error) => told(error, path),
  );

const told = ({ message }: Error, path: string) =>
  message.replaceAll(path, 'FILE').replace(/\nNothing was loaded\.$/, '');

const rows = (table: string): Promise<Row[]> => tablesOf(place).then((tables) => tables[table]!);

describe('handwritten lines', () => {
  it('become items as if a client had sent them', async () => {
    const path = file(
      'site.jsonl',
      {
        $resource: 'post',
        id: 50,
        title: 'Hello “you”',
        content: 'A\n\nB',
        status: 'publish',
        date: '2024-05-01T12:00:00+00:00',
        author: 7,
        categories: [9],
        tags: [10, 11],
        meta: { colour: 'red', list: ['a', 'b'], more: [{ value: 'x', structured: true }] },
      },
      { $resource: 'category', id: 9, name: 'News', parent: 8 },
      { $resource: 'category', id: 8, name: 'All' },
      { $resource: 'tag', id: 10, name: 'Blue' },
      { $resource: 'tag', id: 11, name: 'Green & red' },
      '',
      {
        $resource: 'user',
        id: 7,
        username: 'Ann',
        email: 'Ann@example.org',
        password: 'a long pass phrase',
        roles: ['author'],
      },
      { $resource: 'page', title: 'No id' },
      { $resource: 'comment', post: 50, content: 'Nice', author_name: 'Bo', status: 'approved' },
      {
        $resource: 'post-revision',
        id: 60,
        parent: 50,
        title: 'Old',
        content: 'older',
        slug: '50-revision-v1',
        date: '2024-04-01T00:00:00',
        date_gmt: '2024-03-31T22:00:00',
      },
    );
    const { summary } = await load(place, path);
    expect([...summary.counts].map(([name, { created }]) => [name, created])).toEqual([
      ['post', 1],
      ['category', 2],
      ['tag', 2],
      ['user', 1],
      ['post-revision', 1],
      ['page', 1],
      ['comment', 1],
    ]);
    const [post, page, revision] = await rows('contents').then((all) =>
      ['post', 'page', 'revision'].map((type) => all.find((row) => row['type'] === type)!),
    );
    expect(post).toMatchObject({
      id: 50,
      slug: 'hello-you',
      date: '2024-05-01T14:00:00',
      date_gmt: '2024-05-01T12:00:00',
      content_rendered: '<p>A</p>\n<p>B</p>\n',
      author: 7,
      revision_count: 1,
      latest_revision: 60,
    });
    expect(page).toMatchObject({ title: 'No id', status: 'draft' });
    expect(revision).toMatchObject({ id: 60, parent: 50 });
    const terms = (await rows('terms')).map(({ id, slug, path: where, count, name_key }) => [
      id,
      slug,
      where,
      count,
      name_key,
    ]);
    expect(terms.sort()).toEqual([
      [10, 'blue', '', 1, 'blue'],
      [11, 'green-red', '', 1, 'green &amp; red'],
      [8, 'all', 'all', 0, 'all'],
      [9, 'news', 'all/news', 1, 'news'],
    ]);
    expect((await rows('users'))[0]).toMatchObject({
      id: 7,
      username: 'Ann',
      slug: 'ann',
      login_key: 'ann',
      email_key: 'ann@example.org',
      name: 'Ann',
    });
    expect((await rows('contents_meta')).map(({ key, value, structured }) => [key, value, structured]).sort()).toEqual([
      ['colour', 'red', 0],
      ['list', 'a', 0],
      ['list', 'b', 0],
      ['more', 'x', 1],
    ]);
    expect(await at(place, ({ models, store }) => auditData(models, store))).toEqual([]);
  });

  it('create accounts that can sign in with the given password', async () => {
    await load(
      place,
      file('user.jsonl', {
        username: 'ann',
        email: 'ann@example.org',
        password: 'a long pass phrase',
        roles: ['administrator'],
      }),
    );
    const site = await start(place);
    try {
      const talk = new Talk(site);
      talk.headers = { Authorization: `Basic ${Buffer.from('ann:a long pass phrase').toString('base64')}` };
      expect(await talk.send('GET', '/users/me?context=edit')).toMatchObject({
        username: 'ann',
        roles: ['administrator'],
      });
    } finally {
      await site.close();
    }
  });

  it('may have ids that would be generated for earlier items', async () => {
    const tags = Array.from({ length: 600 }, (_, n) => ({ name: `Tag ${n}`, ...(n < 500 ? {} : { id: n - 499 }) }));
    const { summary } = await load(place, file('tag.jsonl', ...tags));
    expect(summary.counts.get('tag')).toMatchObject({ created: 600 });
    const given = new Map((await rows('terms')).map(({ id, name }) => [name, id as number]));
    expect([given.get('Tag 500'), given.get('Tag 599')]).toEqual([1, 100]);
    expect([...given.values()].sort((a, b) => a - b)).toEqual(tags.map((_, n) => n + 1));
    await load(place, file('tag.jsonl', { name: 'One' }, { name: 'Two', id: 601 }));
    expect((await rows('terms')).filter(({ id }) => id > 600).map(({ id, name }) => [id, name])).toEqual([
      [601, 'Two'],
      [602, 'One'],
    ]);
  });

  it('may have entries with ids that would be generated for earlier entries', async () => {
    const post = (id: number | undefined, colour: unknown) => ({ id, title: `Post ${id}`, meta: { colour } });
    const path = file('post.jsonl', post(undefined, 'red'), post(7, 'red'), post(8, [{ id: 1, value: 'blue' }]));
    await load(place, path);
    const colours = (await rows('contents_meta')).filter(({ key }) => key === 'colour');
    expect(colours.map(({ id, owner_id: owner }) => [id, owner])).toEqual([
      [1, 8],
      [2, 7],
      [3, 9],
    ]);
  });

  it('are skipped when they exist already, whatever the order of their members', async () => {
    const line = { id: 5, name: 'Blue', description: 'Sky', meta: { tone: 'dark' } };
    await load(place, file('tag.jsonl', line));
    const { summary } = await load(place, file('tag.jsonl', { meta: line.meta, name: 'Blue', id: 5 }));
    expect(summary.counts.get('tag')).toMatchObject({ created: 0, skipped: 1 });
  });

  it('are skipped when they exist already as the traits have made them', async () => {
    const lines = [
      { $resource: 'post', id: 50, title: 'Later', status: 'publish', date: '2036-05-01T12:00:00' },
      { $resource: 'post', id: 51, title: 'x', status: 'publish', slug: 'same' },
      { $resource: 'post', id: 52, title: 'y', status: 'publish', slug: 'same' },
      { $resource: 'comment', id: 70, post: 51, content: 'Nice', author_name: 'Bo', status: 'approve' },
    ];
    await load(place, file('all.jsonl', ...lines));
    const { summary } = await load(place, file('all.jsonl', ...lines));
    expect([...summary.counts].map(([name, { created, skipped }]) => [name, created, skipped])).toEqual([
      ['post', 0, 3],
      ['comment', 0, 1],
    ]);
    expect(await refusal(file('post.jsonl', { ...lines[0], status: 'draft' }))).toMatch(/differs in status/);
    expect(await refusal(file('post.jsonl', { ...lines[1], slug: 'other' }))).toMatch(/differs in slug/);
    expect(await rows('contents')).toHaveLength(3);
  });

  it('may be gzipped', async () => {
    const path = join(newFolder(), 'tag.jsonl.gz');
    writeFileSync(path, gzipSync('{"name":"Packed"}\n'));
    await load(place, path);
    expect((await rows('terms'))[0]).toMatchObject({ name: 'Packed' });
  });

  it('in a dry run are checked and counted without a write', async () => {
    const { summary } = await load(place, file('tag.jsonl', { name: 'One' }, { name: 'Two' }), true);
    expect(summary.counts.get('tag')).toMatchObject({ created: 2 });
    expect(await rows('terms')).toEqual([]);
    await expect(load(place, file('tag.jsonl', { nmae: 'One' }), true)).rejects.toThrow('did you mean "name"?');
  });
});

describe('a refused load', () => {
  let desk: OpenSite;
  beforeAll(async () => {
    desk = await openBare(newPlace('schemas', { ROLES_FILE: 'roles.json' }));
  });
  afterAll(async () => {
    const { reader } = desk.store;
    const counts = ['contents', 'users', 'terms', 'contents_meta'].map((table) => reader.count(table, TRUE));
    expect(await Promise.all(counts)).toEqual([0, 0, 0, 0]);
    await desk.close();
  });

  it.each<[string, string, (object | string)[], string]>([
    [
      'an unknown resource',
      'psot.jsonl',
      [{ title: 'x' }],
      'FILE:1: there is no stored resource "psot"; did you mean "post"?; call the file like a resource, or give each line a "$resource"',
    ],
    [
      'an unknown resource of a line',
      'all.jsonl',
      [{ $resource: 'tags', name: 'x' }],
      'FILE:1: there is no stored resource "tags"; did you mean "tag"?',
    ],
    [
      'an unknown field',
      'post.jsonl',
      [{ title: 'x' }, { titel: 'x' }],
      'FILE:2: post has no field "titel"; did you mean "title"?',
    ],
    [
      'a count that follows from other items',
      'tag.jsonl',
      [{ name: 'x', count: 7 }],
      'FILE:1: count is computed and cannot be loaded: leave it out',
    ],
    [
      'a computed field',
      'post.jsonl',
      [{ title: 'x', link: 'http://x' }],
      'FILE:1: link is computed and cannot be loaded: leave it out',
    ],
    [
      'a constant that is another one',
      'post.jsonl',
      [{ title: 'x', type: 'page' }],
      'FILE:1: type is always "post" here',
    ],
    [
      'broken JSON',
      'tag.jsonl',
      ['{"name":"a"}', '{"name":"b"', '{"name":secret}'],
      "FILE:2: this is not JSON (Expected ',' or '}' after property value in JSON at position 11)\nFILE:3: this is not JSON (Unexpected token 's')",
    ],
    ['a line that is no object', 'tag.jsonl', ['[1]'], 'FILE:1: a line must be one JSON object'],
    [
      'a value its field refuses',
      'post.jsonl',
      [{ title: 'x', comment_status: 'ajar' }],
      'FILE:1: comment_status must be one of "open" or "closed"',
    ],
    [
      'a stored value of another type',
      'post.jsonl',
      [{ id: 5, title: 3, $version: 1 }],
      'FILE:1: title must be a string',
    ],
    [
      'a date that is none',
      'post.jsonl',
      [{ id: 5, date: '2024-05-01', $version: 1 }],
      'FILE:1: date must be a date and time, YYYY-MM-DDTHH:MM:SS',
    ],
    [
      'null where something must be',
      'post.jsonl',
      [{ id: 5, slug: null, $version: 1 }],
      'FILE:1: slug must not be null',
    ],
    [
      'a text too long for its column',
      'user.jsonl',
      [{ id: 5, username: 'x'.repeat(61), $version: 1 }],
      'FILE:1: username has more than 60 characters',
    ],
    [
      'an id that is none',
      'tag.jsonl',
      [{ id: 0, name: 'x' }],
      'FILE:1: id must be a whole number from 1 to 2147483647',
    ],
    [
      'an id twice in one table',
      'all.jsonl',
      [
        { $resource: 'tag', id: 5, name: 'x' },
        { $resource: 'category', id: 5, name: 'y' },
      ],
      'FILE:2: the id 5 comes a second time',
    ],
    ['a missing field', 'user.jsonl', [{ username: 'x' }], 'FILE:1: email is missing'],
    [
      'a password the site would not take',
      'user.jsonl',
      [{ username: 'x', email: 'x@example.org', password: 'short' }],
      'FILE:1: password must have at least 8 characters',
    ],
    [
      'a login twice',
      'user.jsonl',
      [
        { username: 'ann', email: 'a@example.org' },
        { username: 'ANN', email: 'b@example.org' },
      ],
      'FILE:2: another item has the same unique values',
    ],
    [
      'a login twice in a dump',
      'user.jsonl',
      [
        { id: 4, username: 'ann', login_key: 'ann', email_key: 'a', $version: 1 },
        { id: 5, login_key: 'ann', email_key: 'b', $version: 1 },
      ],
      'FILE:2: login_key "ann" comes a second time',
    ],
    [
      'a reference to nothing',
      'post.jsonl',
      [{ title: 'x', tags: [99] }],
      'FILE:1: post.tags names 99, which is no tag on the site or in what is loaded',
    ],
    [
      'a reference to a later line of another resource in the same table',
      'all.jsonl',
      [
        { $resource: 'post', title: 'x', categories: [5] },
        { $resource: 'tag', id: 5, name: 'Blue' },
      ],
      'FILE:1: post.categories names 5, which is no category on the site or in what is loaded',
    ],
    [
      'items that are above themselves',
      'page.jsonl',
      [
        { id: 1, title: 'x', parent: 3 },
        { id: 2, title: 'y', parent: 1 },
        { id: 3, title: 'z', parent: 1 },
        { id: 4, title: 'z', parent: 4 },
      ],
      ['1', '3', '4'].map((line) => `FILE:${line}: parent names the item itself or one below it`).join('\n'),
    ],
    [
      'an item of a nested resource without its parent',
      'post-revision.jsonl',
      [{ title: 'x', content: 'y' }],
      'FILE:1: parent is missing',
    ],
    ['a relation that is no list', 'post.jsonl', [{ title: 'x', tags: 5 }], 'FILE:1: tags must be a list'],
    ['meta that is no object', 'post.jsonl', [{ title: 'x', meta: [] }], 'FILE:1: meta must be an object of keys'],
    [
      'what a trait refuses',
      'post.jsonl',
      [{ title: 'x', sticky: true, password: 'y' }],
      expect.stringMatching(/^FILE:1: /) as never,
    ],
    [
      'half a character',
      'tag.jsonl',
      ['{"id":5,"name":"\\ud800","$version":1}'],
      'FILE:1: name contains a NUL or a broken character',
    ],
    [
      'an unknown column',
      'post.jsonl',
      [{ id: 5, $version: 1, $columns: { menu_ordre: 1 } }],
      'FILE:1: there is no column "menu_ordre" in $columns; did you mean "menu_order"?',
    ],
  ])('names %s', async (_what, name, lines, reason) => {
    const path = file(name, ...lines);
    const said = loadSite({ source: path, writer: desk.writer, nearest }).then(
      () => 'nothing',
      (error: Error) => told(error, path),
    );
    expect(await said).toEqual(reason);
  });

  it('reports all problems together', async () => {
    const said = await refusal(file('tag.jsonl', ...Array.from({ length: 30 }, () => ({ nmae: 'x' }))));
    expect(said.split('\n')).toHaveLength(21);
    expect(said).toMatch(/FILE:20: .*\nand 10 more$/);
  });

  it('names a reference to an item of another resource in the same table', async () => {
    await load(place, file('tag.jsonl', { id: 5, name: 'Blue' }));
    expect(await refusal(file('post.jsonl', { title: 'x', categories: [5] }))).toBe(
      'FILE:1: post.categories names 5, which is no category on the site or in what is loaded',
    );
    expect(await refusal(file('post.jsonl', { title: 'x', tags: [5] }))).toBe('nothing');
  });

  it('names the item that has the id', async () => {
    await load(place, file('tag.jsonl', { id: 5, name: 'Blue' }));
    expect(await refusal(file('tag.jsonl', { id: 5, name: 'Red' }))).toBe(
      'FILE:1: id 5 belongs to another tag (it differs in name) already. Load tag 5 into a site without it, or delete that one first',
    );
    expect(await refusal(file('category.jsonl', { id: 5, name: 'Blue' }))).toContain(
      'id 5 belongs to an item of another resource (taxonomy post_tag)',
    );
    await load(place, file('post.jsonl', { id: 1, title: 'x', meta: { a: [{ id: 3, value: 'b' }] } }));
    expect(await refusal(file('post.jsonl', { id: 2, title: 'y', meta: { a: [{ id: 3, value: 'b' }] } }))).toBe(
      'FILE:1: the meta entry 3 belongs to item 1 already',
    );
    expect(await refusal(file('user.jsonl', { username: 'x', email: 'x@example.org' }))).toBe('nothing');
    expect(await refusal(file('user.jsonl', { id: 9, username: 'X', email: 'y@example.org' }))).toBe(
      'FILE:1: another item has the same unique values',
    );
  });

  it('detects an incomplete dump', async () => {
    await load(place, file('tag.jsonl', { name: 'One' }, { name: 'Two' }));
    const { folder } = await dump(place);
    const lines = linesOf(folder, 'tag');
    writeFileSync(join(folder, 'tag.jsonl'), `${JSON.stringify(lines[0])}\n`);
    await expect(load(newPlace('schemas', { ROLES_FILE: 'roles.json' }), folder)).rejects.toThrow(
      'tag.jsonl: it has 1 line, and the manifest says 2',
    );
    writeFileSync(join(folder, 'manifest.json'), '{"format": 2, "engine": "9.9", "resources": {}}');
    await expect(load(place, folder)).rejects.toThrow('format 2 was written by a newer engine (9.9)');
    writeFileSync(join(folder, 'manifest.json'), 'nonsense');
    await expect(load(place, folder)).rejects.toThrow('this is not the manifest of a dump');
  });

  it('reports a row that another process has written since the lines were checked', async () => {
    await load(place, file('tag.jsonl', { name: 'One' }));
    const { folder } = await dump(place);
    const other = newPlace('schemas', { ROLES_FILE: 'roles.json' });
    await at(other, async () => undefined);
    const rival = `INSERT INTO terms (id, name) VALUES (NEW.id, 'Rival');`;
    await runSql(
      other.environment['DATABASE_URL']!,
      `CREATE TRIGGER rival BEFORE INSERT ON terms WHEN NEW.name = 'One' BEGIN ${rival} END`,
    );
    await expect(load(other, folder)).rejects.toThrow(
      /another process has written a row with the same id to the table terms .* Run the load again/,
    );
  });

  it('detects files that are not a source', async () => {
    await expect(load(place, '/nowhere')).rejects.toThrow('/nowhere: there is no such file or folder');
    const empty = join(newFolder(), 'empty');
    mkdirSync(empty);
    await expect(load(place, empty)).rejects.toThrow('neither a manifest.json nor .jsonl files are in it');
    const path = join(newFolder(), 'tag.jsonl');
    writeFileSync(path, Buffer.from('{"name":"ok"}\n{"name":"\xff"}\n', 'latin1'));
    expect(await refusal(path)).toBe('FILE:2: the file has bytes that are not UTF-8');
  });
});

describe('a dump', () => {
  it('requires an empty folder', async () => {
    const { folder } = await dump(place);
    await expect(
      at(place, ({ models, store }) => dumpSite({ folder, models, reader: store.reader, engine: 'x' })),
    ).rejects.toThrow('is not empty');
  });
});
