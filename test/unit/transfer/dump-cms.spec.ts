// A site with content of every kind, dumped and loaded into an empty database: the same rows, the same responses, the
// same dump.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basic } from '../../support/actors.js';
import { runSql, availableEngines, freshDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { ADMINISTRATOR } from '../../support/start-test-site.js';
import { everyResponse, fillCms, type Made } from './dump-full-site.js';
import { start, dump, linesOf, load, newPlace, tablesOf, Talk, textsOf, type Place } from './dump-world.js';

const SETTINGS = { ROLES_FILE: 'roles.json', SITE_TIMEZONE: 'America/New_York' };

let source: Place;
let target: Place;
let made: Made;
let folder: string;

beforeAll(async () => {
  source = newPlace('schemas', SETTINGS);
  target = newPlace('schemas', SETTINGS);
  made = await fillCms(source);
  ({ folder } = await dump(source, true));
  const { warnings: remarks } = await load(target, folder);
  expect([...remarks]).toEqual([['meta.owner_id names an item that is not there, as it did in the dump', 1]]);
});

const line = (resource: string, name: string) => linesOf(folder, resource).find(({ id }) => id === made[name]);

describe('the lines', () => {
  it('contain fields under their names, with raw texts and both clocks', () => {
    expect(line('post', 'sticky')).toMatchObject({
      date: '2024-07-10T10:00:00',
      date_gmt: '2024-07-10T14:00:00',
      slug: 'sticky',
      status: 'publish',
      title: 'Sticky still',
      content: 'On top',
      excerpt: 'Short',
      sticky: true,
      format: 'aside',
      featured_media: made['image'],
      liveblog_likes: 7,
      categories: [1],
    });
    expect(Object.keys(line('post', 'sticky'))[0]).toBe('id');
    expect(line('attachment', 'text')).toMatchObject({ post: made['publish'], media_details: { filesize: 11 } });
    expect(line('category', 'plum')).toMatchObject({ parent: made['stone'], slug: 'plums' });
  });

  it('contain values that no response shows', () => {
    expect(line('post', 'trashed')).toMatchObject({ status: 'trash', trashed_status: 'publish', trashed_slug: 'away' });
    expect(line('post', 'publish')).not.toHaveProperty('trashed_status');
    expect(line('comment', 'onTrashed')).toMatchObject({ status: 'post-trashed', marked_status: 'approved' });
    expect(line('user', 'author')).toMatchObject({
      roles: ['author', 'subscriber'],
      extra: { moderate_comments: true, edit_pages: false },
      password: { hash: expect.stringMatching(/^\$argon2id\$/) },
    });
  });

  it('contain meta by key, with ids where the API exposes entries by id', () => {
    expect(line('post', 'publish').meta).toEqual({
      5: [{ id: expect.any(Number), value: 'a number for a name' }],
      colour: [
        { id: made['entry'], value: 'dark red', $version: 2 },
        { id: expect.any(Number), value: 'green' },
      ],
      _hidden: [{ id: expect.any(Number), value: 'protected' }],
    });
    expect(line('attachment', 'image').meta.list).toMatchObject([{ structured: true }]);
    expect(line('tag', 'ripe').meta).toEqual({ colour: ['blue', 'blue'] });
    expect(Object.keys(line('page', 'about').meta)).toEqual(['__proto__']);
    expect(linesOf(folder, 'meta')).toMatchObject([{ owner_id: 4711, key: 'orphan', value: 'of nobody' }]);
  });

  it('distinguish revisions of posts from those of pages', () => {
    const parents = (resource: string) => [...new Set(linesOf(folder, resource).map(({ parent }) => parent))];
    expect(parents('post-revision')).toEqual([made['publish'], made['sticky']]);
    expect(parents('page-revision')).toEqual([made['team']]);
  });

  it('are accompanied by a manifest that counts them, and by the files', () => {
    const manifest = JSON.parse(textsOf(folder)['manifest.json']!);
    expect(manifest).toMatchObject({
      format: 1,
      engine: 'test',
      resources: { post: { count: 10 }, user: { count: 3 } },
    });
    for (const { file } of linesOf(folder, 'attachment')) expect(existsSync(join(folder, 'files', file))).toBe(true);
  });
});

describe('the loaded site', () => {
  it('has the same rows in every table', async () => {
    expect(await tablesOf(target)).toEqual(await tablesOf(source));
  });

  it('produces an identical dump', async () => {
    expect(textsOf((await dump(target, true)).folder)).toEqual(textsOf(folder));
  });

  it('responds like the source', async () => {
    const headers = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
    const wanted = await everyResponse(source, made, headers);
    expect(wanted.map((response: any) => response.status)).toEqual(wanted.map(() => 200));
    expect(await everyResponse(target, made, headers)).toEqual(wanted);
  });

  it('is unchanged by a second load', async () => {
    const before = await tablesOf(target);
    const { summary } = await load(target, folder);
    expect(summary.changed).toBe(false);
    expect(await tablesOf(target)).toEqual(before);
  });

  it('skips an application password that was used since', async () => {
    const { DATABASE_URL } = target.environment;
    const used = `UPDATE typecase_application_passwords SET last_used = '2030-01-02T03:04:05', last_ip = '10.0.0.9'`;
    await runSql(DATABASE_URL!, used);
    expect((await load(target, folder)).summary.changed).toBe(false);
  });

  it('generates ids above the highest one', async () => {
    const site = await start(target);
    try {
      const talk = new Talk(site);
      talk.headers = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
      const highest = Math.max(
        ...['post', 'page', 'attachment', 'post-revision', 'page-revision'].flatMap((name) =>
          linesOf(folder, name).map(({ id }) => id),
        ),
      );
      expect(await talk.make('/posts', { title: 'Next' })).toBe(highest + 1);
    } finally {
      await site.close();
    }
  });
});

const servers = availableEngines().filter((engine) => engine !== 'sqlite');
describe.each(servers.length > 0 ? servers : (['sqlite'] as const))('another database: %s', (engine) => {
  let database: FreshDatabase;
  let other: Place;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    other = newPlace('schemas', { ...SETTINGS, DATABASE_URL: database.url });
    await load(other, folder);
  });
  afterAll(() => database?.drop());

  it('produces an identical dump', async () => {
    expect(textsOf((await dump(other, true)).folder)).toEqual(textsOf(folder));
  });

  it('responds like the source', async () => {
    const headers = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
    expect(await everyResponse(other, made, headers)).toEqual(await everyResponse(source, made, headers));
  });

  it('generates ids above the highest one', async () => {
    const site = await start(other);
    try {
      const talk = new Talk(site);
      talk.headers = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
      const highest = Math.max(...['tag', 'category'].flatMap((name) => linesOf(folder, name).map(({ id }) => id)));
      expect(await talk.make('/tags', { name: 'Next' })).toBe(highest + 1);
    } finally {
      await site.close();
    }
  });
});
