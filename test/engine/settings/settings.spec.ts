// Settings of the site that a schema refers to, dates that were not set, the periodic emptying of the trash, and error
// codes that a schema defines.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { runTasks } from '../../../src/maintenance/scheduler.js';
import { unservedSettings } from '../../../src/config/unsupported.js';
import { readConfig } from '../../../src/config/config.js';
import { administrator, makeActor } from '../../support/actors.js';
import { startTestSite } from '../../support/start-test-site.js';
import { scenario, type SavedIds, type Stage } from '../../support/scenario.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const start = (environment: Record<string, string>) =>
  startTestSite(here('schemas'), { ROLES_FILE: here('roles.json'), ...environment });
const DONE = '2026-01-02T03:04:05';

let stage: Stage;
const saved: SavedIds = {};

beforeAll(async () => {
  const site = await start({
    SITE_DEFAULT_COMMENT_STATUS: 'closed',
    SITE_COMMENT_MAX_LINKS: '7',
    SITE_SHOW_AVATARS: 'off',
    SITE_LOCALES: 'en_US,et_EE',
    SITE_TRASH_RETENTION_DAYS: '30',
  });
  stage = { site, actors: { lead: administrator(site), helper: await makeActor(site, 'subscriber', 'hugo') } };
});
afterAll(() => stage.site.close());

describe('settings of the site', () => {
  scenario(
    () => stage,
    [
      {
        name: 'are defaults of fields',
        method: 'POST',
        path: '/tasks',
        body: { title: 'Paint', done: DONE },
        status: 201,
        has: { talk: 'closed', links: 7, due: null, meeting: null },
        saveAs: 'paint',
      },
      {
        name: 'are published as defaults',
        method: 'OPTIONS',
        path: '/tasks',
        status: 200,
        check: ({ body }) => {
          expect(body.schema.properties.talk.default).toBe('closed');
          expect(body.schema.properties.due.type).toEqual(['string', 'null']);
          expect(body.schema.properties.done.type).toBe('string');
        },
      },
      {
        name: 'list allowed values and take fields away',
        method: 'OPTIONS',
        path: '/people',
        status: 200,
        check: ({ body }) => {
          expect(body.schema.properties.language.enum).toEqual(['', 'en_US', 'et_EE']);
          expect(body.schema.properties).not.toHaveProperty('picture');
        },
      },
      { name: 'take fields out of responses', path: '/people', status: 200, hasNot: ['0.picture'] },
      {
        name: 'refuse other values',
        as: 'lead',
        method: 'PATCH',
        path: '/people/1',
        body: { language: 'de_DE' },
        status: 400,
        has: { data: { details: { language: { code: 'rest_not_in_enum' } } } },
      },
    ],
    saved,
  );

  test('change nothing where the operator configures nothing', async () => {
    const site = await start({});
    const { body } = await site.send('GET', '/people');
    await site.close();
    expect(body[0]).toHaveProperty('picture.24');
  });
});

describe('missing dates', () => {
  test('stay missing when a whole item is sent back', async () => {
    const { site, actors } = stage;
    const target = `/tasks/${saved['paint']}`;
    const { body: item } = await site.send('GET', target, { as: actors['lead']!.headers });
    const response = await site.send('PUT', target, { as: actors['lead']!.headers, body: item });
    expect(response.body).toMatchObject({ due: null, meeting: null, done: `${DONE}+00:00` });
    expect(response.status).toBe(200);
  });

  scenario(
    () => stage,
    [
      {
        name: 'can be given',
        as: 'lead',
        method: 'PATCH',
        path: '/tasks/{paint}',
        body: { due: '2026-05-06' },
        status: 200,
        has: { due: '2026-05-06' },
      },
      { name: 'are found by day', path: '/tasks?due_from=2026-05-06', status: 200, items: ['paint'] },
      { name: 'are not found after it', path: '/tasks?due_from=2026-05-07', status: 200, items: [] },
      {
        name: 'can be taken back',
        as: 'lead',
        method: 'PATCH',
        path: '/tasks/{paint}',
        body: { due: null },
        status: 200,
        has: { due: null },
      },
      { name: 'texts are asked for without more words', path: '/tasks?title=Paint', status: 200, items: ['paint'] },
      {
        name: 'are missed where they are required',
        method: 'POST',
        path: '/tasks',
        body: { title: 'x', done: '' },
        status: 400,
        has: { data: { details: { done: { code: 'rest_invalid_date' } } } },
      },
    ],
    saved,
  );
});

describe('error codes of a schema', () => {
  const refusal = (code: string, message: string) => ({ code, message });
  scenario(
    () => stage,
    [
      {
        name: 'of an item',
        path: '/tasks/99',
        status: 404,
        has: refusal('task_unknown', 'There is no task with ID 99.'),
      },
      {
        name: 'of a page',
        path: '/tasks?page=9',
        status: 400,
        has: refusal(
          'task_page_too_far',
          'The page lies beyond the last one. X-WP-TotalPages says how many there are.',
        ),
      },
      {
        name: 'of a list parameter',
        path: '/tasks?owner=1',
        status: 401,
        has: { code: 'task_owner_hidden' },
        check: worded,
      },
      { name: 'of a list parameter, signed in', as: 'helper', path: '/tasks?owner=1', status: 403, check: worded },
      {
        name: 'of a field',
        method: 'POST',
        path: '/tasks',
        body: { title: 'x', done: DONE, budget: 5 },
        status: 401,
        has: refusal('task_budget_fixed', 'You may not set budget so. Leave it out, or send another value.'),
      },
      {
        name: 'of an update',
        method: 'PATCH',
        path: '/tasks/{paint}',
        body: { title: 'x' },
        status: 401,
        has: refusal('task_kept', 'You may not edit this item.'),
      },
      {
        name: 'of a deletion',
        method: 'DELETE',
        path: '/tasks/{paint}',
        status: 401,
        has: refusal('task_stays', 'You may not delete this.'),
      },
      {
        name: 'of a slug',
        as: 'lead',
        method: 'PATCH',
        path: '/people/2',
        body: { slug: 'admin' },
        status: 400,
        has: refusal('person_slug_taken', 'Another item has this slug. Send another one.'),
      },
      {
        name: 'of a long name',
        as: 'lead',
        method: 'POST',
        path: '/people',
        body: { username: 'a'.repeat(21), email: 'a@example.org', password: 'a password of its own' },
        status: 400,
        has: refusal('person_name_too_long', 'username is too long. Use at most 20 characters.'),
      },
      {
        name: 'of a successor',
        as: 'lead',
        method: 'DELETE',
        path: '/people/2?force=true&reassign=99',
        status: 400,
        has: { code: 'person_cannot_take_over' },
        check: worded,
      },
      {
        name: 'texts that must not all be empty are named',
        method: 'POST',
        path: '/tasks',
        body: { done: DONE },
        status: 400,
        has: refusal('empty_content', 'title and notes are all empty. Fill at least one of them.'),
      },
    ],
    saved,
  );

  function worded({ body }: { body: { code: string; message: string } }): void {
    expect(body.message).toMatch(/^[A-Z].* .*\.$/);
    expect(body.message).not.toContain(body.code);
  }
});

describe('the trash', () => {
  const left = async () => {
    const { writer } = stage.site.site;
    return { gone: await writer.find('task', { title: 'gone' }), fresh: await writer.find('task', { title: 'fresh' }) };
  };

  test('is emptied of items that are older than the retention time', async () => {
    const { writer, store } = stage.site.site;
    await writer.batch(async ({ create, tx }) => {
      const put = async (title: string, trashed_at: string) => {
        const id = await create('task', { title, done: DONE });
        await tx.update('tasks', { status: 'trash', trashed_at }, { op: 'eq', column: 'id', value: id });
      };
      const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 19);
      await put('gone', day(31));
      await put('fresh', day(29));
    });
    await runTasks(writer, 'sweep');
    expect(await left()).toEqual({ gone: undefined, fresh: expect.objectContaining({ status: 'trash' }) });
    expect(await store.reader.count('tasks', { op: 'eq', column: 'status', value: 'trash' })).toBe(1);
  });
});

describe('settings without an effect', () => {
  test('are reported, one line each', () => {
    const lines = unservedSettings(readConfig({ WORKERS: '3', REDIS_URL: 'redis://cache', DATABASE_POOL: '5' }, false));
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['DATABASE_POOL']);
    expect(unservedSettings(readConfig({}, false))).toEqual([]);
  });

  test('include those of parts that are switched off', () => {
    const environment = {
      MEDIA_URL: 's3://bucket',
      PRIVATE_MEDIA_DIR: 'private',
      IMAGE_ON_DEMAND: 'off',
      IMAGE_ON_DEMAND_FORMATS: 'avif',
      LIVE_CONNECTIONS: '5',
      WORKER_TIMEOUT: '10s',
    };
    expect(unservedSettings(readConfig(environment, false))).toEqual([
      'PRIVATE_MEDIA_DIR has no effect: files are kept in a bucket',
      'IMAGE_ON_DEMAND_FORMATS has no effect: IMAGE_ON_DEMAND is off',
      'LIVE_CONNECTIONS has no effect: LIVE_UPDATES is off',
      'WORKER_TIMEOUT has no effect: WORKERS is 1',
    ]);
    const used = { LIVE_UPDATES: 'on', LIVE_CONNECTIONS: '5', WORKERS: '2', WORKER_TIMEOUT: '10s', MEDIA_DIR: 'm' };
    expect(unservedSettings(readConfig(used, false))).toEqual([]);
  });

  test('include placeholders that no URL has', () => {
    const linesOf = (structure: string) => unservedSettings(readConfig({ SITE_PERMALINK_STRUCTURE: structure }, false));
    expect(linesOf('/%category%/%postname%/')).toEqual([
      expect.stringMatching(/^SITE_PERMALINK_STRUCTURE: %category% has no effect: it is none of %year%, /),
    ]);
    expect(linesOf('/%year%/%post_id%-%postname%/')).toEqual([]);
  });

  test('include unknown parameters of database URLs', () => {
    const linesOf = (query: string) => unservedSettings(readConfig({ DATABASE_URL: `mysql://a/b?${query}` }, false));
    const open = '; the connection is not encrypted without sslmode=require or verify-full';
    expect(linesOf('ssl=true')).toEqual([`DATABASE_URL: the parameter "ssl" has no effect${open}`]);
    expect(linesOf('sslrootcert=/ca.pem')).toEqual([`DATABASE_URL: the parameter "sslrootcert" has no effect${open}`]);
    expect(linesOf('sslmode=require&channel_binding=require')).toEqual([
      'DATABASE_URL: the parameter "channel_binding" has no effect',
    ]);
    expect(linesOf('sslmode=verify-full&sslrootcert=/ca.pem')).toEqual([]);
  });
});
