// The settings of the shipped site: who reads and changes them, and what follows from a change.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { administrator, makeActor } from '../support/actors.js';
import { startTestSite } from '../support/start-test-site.js';
import { scenario, type SavedIds, type Stage } from '../support/scenario.js';

const schemas = fileURLToPath(new URL('../../schemas', import.meta.url));
const saved: SavedIds = {};
let stage: Stage;

beforeAll(async () => {
  const site = await startTestSite(schemas, { SITE_TITLE: 'Given', SITE_TIMEZONE: 'Europe/Paris' });
  stage = { site, actors: { admin: administrator(site), editor: await makeActor(site, 'editor', 'edda') } };
});
afterAll(() => stage.site.close());

/** Documents seen before and after a change. */
const documents: { body: any; tag: string }[] = [];
const describedStatus = (document: any): string =>
  document.components.schemas.PostCreate.properties.comment_status.description;

const MEMBERS = [
  'title',
  'description',
  'email',
  'timezone',
  'date_format',
  'time_format',
  'start_of_week',
  'language',
  'use_smilies',
  'default_category',
  'default_post_format',
  'posts_per_page',
  'show_on_front',
  'page_on_front',
  'page_for_posts',
  'default_ping_status',
  'default_comment_status',
  'site_logo',
  'site_icon',
];

describe('settings', () => {
  scenario(
    () => stage,
    [
      { name: 'are not for visitors', path: '/settings', status: 401, has: { code: 'rest_forbidden' } },
      { name: 'are not for editors', as: 'editor', path: '/settings', status: 403, has: { code: 'rest_forbidden' } },
      {
        name: 'begin as the environment says',
        as: 'admin',
        path: '/settings',
        status: 200,
        has: {
          title: 'Given',
          timezone: 'Europe/Paris',
          default_category: 1,
          default_comment_status: 'open',
          start_of_week: 1,
          posts_per_page: 10,
          email: '',
          language: 'en_US',
          show_on_front: 'posts',
          page_on_front: 0,
          page_for_posts: 0,
          site_logo: null,
          site_icon: 0,
        },
        members: MEMBERS,
      },
      {
        name: 'keep out of the way of categories',
        as: 'editor',
        method: 'POST',
        path: '/categories',
        body: { name: 'News' },
        status: 201,
        saveAs: 'news',
      },
      {
        name: 'refuse a category that there is not',
        as: 'admin',
        method: 'PATCH',
        path: '/settings',
        body: { default_category: 999, title: 'Half' },
        status: 400,
      },
      {
        name: 'keep out of the way of pages',
        as: 'editor',
        method: 'POST',
        path: '/pages',
        body: { title: 'Home', status: 'publish' },
        status: 201,
        saveAs: 'home',
      },
      {
        name: 'refuse a post as the front page, and a URL that is none',
        as: 'admin',
        method: 'PATCH',
        path: '/settings',
        body: { page_on_front: 999, email: 'nobody' },
        status: 400,
      },
      {
        name: 'name the front page',
        as: 'admin',
        method: 'PATCH',
        path: '/settings',
        body: { show_on_front: 'page', page_on_front: '{home}', email: 'site@example.test' },
        status: 200,
        has: { show_on_front: 'page', email: 'site@example.test' },
      },
      { name: 'let the page go', as: 'editor', method: 'DELETE', path: '/pages/{home}?force=true', status: 200 },
      {
        name: 'have no front page that is gone',
        as: 'admin',
        path: '/settings',
        status: 200,
        has: { page_on_front: 0, show_on_front: 'page' },
      },
      {
        name: 'are in the document as they are',
        path: '//docs-json',
        status: 200,
        has: { info: { title: 'Given' } },
        check: ({ body, headers }) => {
          expect(describedStatus(body)).toContain('Default: "open"');
          documents.push({ body, tag: String(headers['etag']) });
        },
      },
      {
        name: 'are changed',
        as: 'admin',
        method: 'POST',
        path: '/settings',
        body: {
          title: 'A <b>new</b> title',
          timezone: 'America/New_York',
          default_category: '{news}',
          default_comment_status: 'closed',
          date_format: 'Y-m-d',
        },
        status: 200,
        has: { title: 'A new title', default_category: '{news}', date_format: 'Y-m-d' },
      },
      {
        name: 'are in the index',
        path: '//',
        status: 200,
        has: { name: 'A new title', timezone_string: 'America/New_York' },
      },
      {
        name: 'are in the document as they are now, which is otherwise the same',
        path: '//docs-json',
        status: 200,
        has: { info: { title: 'A new title' } },
        check: ({ body, headers }) => {
          expect(describedStatus(body)).toContain('Default: "closed"');
          const [before] = documents;
          expect(headers['etag']).not.toBe(before!.tag);
          expect(body.paths).toEqual(before!.body.paths);
          expect(Object.keys(body.components.schemas)).toEqual(Object.keys(before!.body.components.schemas));
          documents.push({ body, tag: String(headers['etag']) });
        },
      },
      {
        name: 'do not move the tag of the document where it does not show them',
        as: 'admin',
        method: 'PATCH',
        path: '/settings',
        body: { date_format: 'j F Y' },
        status: 200,
        check: async () => {
          const { headers } = await stage.site.send('GET', '//docs-json');
          expect(headers['etag']).toBe(documents[1]!.tag);
        },
      },
      {
        name: 'decide about new posts',
        as: 'editor',
        method: 'POST',
        path: '/posts',
        body: { title: 'Late', date: '2026-01-02T12:00:00' },
        status: 201,
        has: { categories: ['{news}'], comment_status: 'closed', date_gmt: '2026-01-02T17:00:00' },
      },
      {
        name: 'keep the new default category',
        as: 'admin',
        method: 'DELETE',
        path: '/categories/{news}?force=true',
        status: 403,
        has: { code: 'rest_cannot_delete' },
      },
      {
        name: 'let the former one go',
        as: 'admin',
        method: 'DELETE',
        path: '/categories/1?force=true',
        status: 200,
        check: ({ body }) => expect(body.deleted).toBe(true),
      },
    ],
    saved,
  );
});

describe('a change', () => {
  test('is not reverted by a read that began before it and ended after it', async () => {
    const { site, actors } = stage;
    const { settings, store, site: shown } = site.site;
    const { reader } = store;
    const first = reader.first.bind(reader);
    const table = site.site.models.byName.get('settings')!.table!.name;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isOlder = true;
    reader.first = async (...asked) => {
      const waits = isOlder && asked[0] === table;
      if (waits) isOlder = false;
      const row = await first(...asked);
      if (waits) await released;
      return row;
    };
    try {
      const older = settings!.read();
      await site.send('PATCH', '/settings', { as: actors.admin!.headers, body: { title: 'Latest' }, status: 200 });
      expect(shown.settings.title).toBe('Latest');
      release();
      await older;
      expect(shown.settings.title).toBe('Latest');
    } finally {
      reader.first = first;
    }
  });

  test('of the default category in another process protects that category at once', async () => {
    const { site, actors } = stage;
    const as = actors.admin!.headers;
    const { settings, store, models } = site.site;
    const { id } = (await site.send('POST', '/categories', { as, body: { name: 'Chosen' }, status: 201 })).body;
    const { table, fields } = models.byName.get('settings')!;
    const column = fields.get('default_category')!.column!;
    // This process looks again after a second.
    await settings!.read();
    await store.transaction((tx) => tx.update(table!.name, { [column]: id }, { op: 'true' }));
    const { body } = await site.send('DELETE', `/categories/${id}`, { as, query: { force: true }, status: 403 });
    expect(body.code).toBe('rest_cannot_delete');
  });
});
