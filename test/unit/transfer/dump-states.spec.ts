// A dump beside a writing server, a load that was interrupted, registered meta, large texts, and rerender.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { auditData } from '../../../src/maintenance/check-data.js';
import { rerender } from '../../../src/maintenance/rerender.js';
import { dumpSite } from '../../../src/transfer/dump/dump-site.js';
import { equals, TRUE } from '../../../src/model/query.js';
import { basic } from '../../support/actors.js';
import { availableEngines, freshDatabase } from '../../support/fresh-database.js';
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
  textsOf,
  type Place,
} from './dump-world.js';

const SETTINGS = { ROLES_FILE: 'roles.json' };

let place: Place;
beforeEach(() => {
  place = newPlace('schemas', SETTINGS);
});

function file(name: string, ...lines: object[]): string {
  const path = join(newFolder(), name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

const WINTER = '2024-01-10T12:00:00';
const IN_BERLIN = '2024-01-10T13:00:00';

it.each<[string, object, object]>([
  ['local time', { modified: IN_BERLIN }, { modified: IN_BERLIN, modified_gmt: WINTER }],
  ['time in UTC', { modified_gmt: WINTER }, { modified: IN_BERLIN, modified_gmt: WINTER }],
  ['both', { modified: IN_BERLIN, modified_gmt: WINTER }, { modified: IN_BERLIN, modified_gmt: WINTER }],
  ['neither', {}, { modified: '2024-01-09T00:00:00', modified_gmt: '2024-01-08T23:00:00' }],
])('a line with the %s of its last change is stored with both', async (_which, sent, stored) => {
  const berlin = newPlace('schemas', { ...SETTINGS, SITE_TIMEZONE: 'Europe/Berlin' });
  await load(berlin, file('page.jsonl', { id: 1, title: 'Old', content: 'x', date: '2024-01-09T00:00:00', ...sent }));
  const [line] = linesOf((await dump(berlin)).folder, 'page');
  expect(line).toMatchObject(stored);
});

it('a dump is a consistent snapshot, and does not block writers', async () => {
  await load(place, file('tag.jsonl', { id: 1, name: 'Before' }));
  const server = await openBare(place);
  const folder = join(newFolder(), 'dump');
  try {
    await at(place, ({ store, models }) =>
      store.snapshot(async (reader) => {
        await server.writer.batch(async (batch) => {
          await batch.create('tag', { name: 'Meanwhile' });
          await batch.create('post', { title: 'Meanwhile', content: 'x' });
        });
        await dumpSite({ folder, models, reader, engine: 'test' });
      }),
    );
  } finally {
    await server.close();
  }
  expect(linesOf(folder, 'tag').map(({ name }) => name)).toEqual(['Before']);
  expect(linesOf(folder, 'post')).toEqual([]);
  expect(linesOf((await dump(place)).folder, 'tag')).toHaveLength(2);
});

it.each(availableEngines())(
  'a dump under write load is consistent and can be loaded completely: %s',
  async (engine) => {
    const database = await freshDatabase(engine);
    const there = newPlace('schemas', { ...SETTINGS, DATABASE_URL: database.url });
    const server = await openBare(there);
    const dumping = await openBare(there);
    const folder = join(newFolder(), 'dump');
    let written = 0;
    let writing = true;
    try {
      const tag = await server.writer.batch((batch) => batch.create('tag', { name: 'Every' }));
      const writer = (async () => {
        for (; writing; written++) {
          const values = { title: `Post ${written}`, status: 'publish', tags: [tag], meta: { note: ['x'] } };
          await server.writer.batch((batch) => batch.create('post', values));
          await turn();
        }
      })();
      while (written < 30) await turn();
      await dumping.store.snapshot(async (reader) => {
        const before = written;
        while (written < before + 10) await turn();
        await dumpSite({ folder, models: dumping.models, reader, engine: 'test' });
      });
      writing = false;
      await writer;
    } finally {
      writing = false;
      await dumping.close();
      await server.close();
      await database.drop();
    }
    const posts = linesOf(folder, 'post').length;
    expect(posts).toBeGreaterThanOrEqual(30);
    expect(posts).toBeLessThanOrEqual(written - 10);
    const copy = newPlace('schemas', SETTINGS);
    await load(copy, folder);
    const tables = await tablesOf(copy);
    expect(tables['counters']).toEqual([]);
    expect(tables['terms']!.map(({ name, count }) => [name, count])).toEqual([['Every', posts]]);
    expect(await at(copy, ({ models, store }) => auditData(models, store))).toEqual([]);
  },
);

it('a load that was interrupted is completed by the next one', async () => {
  const posts = Array.from({ length: 450 }, (_, index) => ({
    id: index + 1,
    title: `Post ${index + 1}`,
    status: 'publish',
    tags: [1 + (index % 2)],
  }));
  await load(
    place,
    file(
      'all.jsonl',
      ...[1, 2].map((id) => ({ $resource: 'tag', id, name: `Tag ${id}` })),
      ...posts.map((post) => ({ $resource: 'post', ...post })),
    ),
  );
  const { folder } = await dump(place);
  const other = newPlace('schemas', SETTINGS);
  await load(
    other,
    file(
      'post.jsonl',
      ...linesOf(folder, 'post')
        .slice(0, 250)
        .map((line) => ({ ...line, tags: [] })),
    ),
  );
  await expect(load(other, folder)).rejects.toThrow(
    /post\.jsonl:1: id 1 belongs to another post \(it differs in tags\) already/,
  );
  const third = newPlace('schemas', SETTINGS);
  await load(third, file('tag.jsonl', ...linesOf(folder, 'tag')));
  await load(third, file('post.jsonl', ...linesOf(folder, 'post').slice(0, 250)));
  const { summary } = await load(third, folder);
  expect(summary.counts.get('post')).toMatchObject({ created: 200, skipped: 250 });
  expect(textsOf((await dump(third)).folder)).toEqual(textsOf(folder));
  expect((await tablesOf(third))['terms']!.map((row) => row['count'])).toEqual([225, 225]);
});

it('texts of megabytes are dumped and loaded in small batches', async () => {
  const long = 'long "text" — ü '.repeat(60_000);
  await load(
    place,
    file('attachment.jsonl', ...Array.from({ length: 30 }, (_, id) => ({ id: id + 1, alt_text: long, $version: 1 }))),
  );
  const { folder } = await dump(place);
  expect(linesOf(folder, 'attachment').map(({ id, alt_text }) => [id, alt_text === long])).toEqual(
    Array.from({ length: 30 }, (_, id) => [id + 1, true]),
  );
});

it('registered meta accepts the values that clients send, and is dumped as texts', async () => {
  const reference = newPlace('test/reference/schemas', SETTINGS);
  const meta = {
    rating: 5,
    keywords: ['a', 'b'],
    geo: { lat: 1.5, lng: 2 },
    featured_flag: true,
    _internal_note: 'x',
    other: 7,
  };
  await load(reference, file('post.jsonl', { id: 3, title: 'x', status: 'publish', meta }));
  const { folder } = await dump(reference);
  const texts = Object.fromEntries(
    Object.entries(linesOf(folder, 'post')[0].meta as Record<string, any[]>).map(([key, entries]) => [
      key,
      entries.map(({ value }) => value),
    ]),
  );
  expect(texts).toEqual({
    rating: ['5'],
    keywords: ['a', 'b'],
    geo: ['{"lat":1.5,"lng":2}'],
    featured_flag: ['1'],
    _internal_note: ['x'],
    other: ['7'],
  });
  const other = newPlace('test/reference/schemas', SETTINGS);
  await load(other, folder);
  expect(await tablesOf(other)).toEqual(await tablesOf(reference));
  const site = await start(other);
  try {
    const { meta: shown } = await new Talk(site).send('GET', '/posts/3', undefined, {});
    expect(shown).toMatchObject({ rating: 5, keywords: ['a', 'b'], geo: { lat: 1.5, lng: 2 }, featured_flag: true });
  } finally {
    await site.close();
  }
  await expect(load(reference, file('post.jsonl', { id: 4, title: 'x', meta: { rating: 'many' } }))).rejects.toThrow(
    /post\.jsonl:1: meta\.rating /,
  );
});

describe('rerender', () => {
  it('recomputes derived columns and changes nothing else', async () => {
    const site = await start(place);
    const talk = new Talk(site);
    const id = await talk.make('/posts', { title: 'One "two"', content: 'A\n\nB', status: 'publish' });
    await talk.send('POST', `/posts/${id}`, { content: 'A\n\nC' });
    await talk.make('/comments', { post: id, content: 'See https://example.org' });
    await site.close();
    const before = await tablesOf(place);
    const spoiled = { content_rendered: 'old', title_sort: 'old', search_text: 'old', excerpt_rendered: 'old' };
    await at(place, ({ store }) =>
      store.transaction(async (tx) => {
        await tx.update('contents', spoiled, equals('id', id));
        await tx.update('comments', { content_rendered: 'old' }, TRUE);
      }),
    );
    const outcome = await at(place, ({ models, store }) => rerender(models, store));
    expect(outcome.get('post')).toEqual({ rows: 1, changed: 1 });
    expect(outcome.get('comment')).toEqual({ rows: 1, changed: 1 });
    expect(outcome.get('category')).toEqual({ rows: 1, changed: 0 });
    expect(await tablesOf(place)).toEqual(before);
    expect((await at(place, ({ models, store }) => rerender(models, store))).get('post')!.changed).toBe(0);
  });
});

it('a folder of files without a manifest can be loaded', async () => {
  const folder = join(newFolder(), 'lines');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'user.jsonl'),
    '{"username":"ann","email":"ann@example.org","password":"a long pass phrase","roles":["administrator"]}\n',
  );
  writeFileSync(join(folder, 'tag.jsonl'), '{"name":"Blue"}\n');
  await load(place, folder);
  const site = await start(place);
  try {
    const tags = await new Talk(site).send('GET', '/tags?context=edit', undefined, basic('ann', 'a long pass phrase'));
    expect(tags).toMatchObject([{ name: 'Blue', slug: 'blue' }]);
  } finally {
    await site.close();
  }
});
