// Texts that are too large for the database, or become so when they are cleaned, rendered, searched or kept as
// revisions: each is stored completely, or refused with a 400 or 413 that names the limit, on every engine; a refused
// write stores nothing.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditData } from '../../src/maintenance/check-data.js';
import { administrator, type Headers } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import { testEngine } from '../support/fresh-database.js';
import type { HttpResponse } from '../support/send.js';

const MEGA = 1024 ** 2;
let site: TestSite;
let admin: Headers;
let post: number;

beforeAll(async () => {
  site = await startTestSite('schemas', {
    CONTENT_BODY_LIMIT: '20mb',
    BODY_LIMIT: '20mb',
    // Nothing here is about time.
    REQUEST_TIMEOUT: '30m',
  });
  admin = administrator(site).headers;
  post = (await send('/posts', { title: 'Host', status: 'publish' })).body.id;
});
afterAll(() => site.close());

function send(path: string, body: object, headers: Headers = {}): Promise<HttpResponse> {
  return site.send('POST', path, { headers: { ...admin, ...headers }, body });
}

/** Rows of every table of the content. */
async function rows(): Promise<Record<string, number>> {
  const { models, store } = site.site;
  const counts: Record<string, number> = {};
  for (const name of models.tables.keys()) counts[name] = await store.reader.count(name, { op: 'true' });
  return counts;
}

/** Stored, or refused by a limit that the message names; then everything is as it was. */
async function tried(path: string, body: object, headers: Headers = {}): Promise<number> {
  const before = await rows();
  const { status, body: response } = await send(path, body, headers);
  if (status < 300) return status;
  const text = JSON.stringify(response);
  expect({ status, told: text.slice(0, 1000) }).toEqual({
    status: status === 413 ? 413 : 400,
    told: expect.any(String),
  });
  expect(response).toMatchObject({ code: expect.any(String), message: expect.any(String), data: { status } });
  // Codes of their own say in words which of their limits was passed.
  if (response.code.startsWith('rest_')) expect(text).toMatch(/(at most|more than|larger than the) \d+/);
  expect(await rows()).toEqual(before);
  return status;
}

const KINDS: [name: string, character: string, mega: number][] = [
  ['plain letters', 'a', 8],
  ['quotes, which become seven characters', '"', 8],
  ['paragraphs', 'a\n\n', 1],
  ['ampersands', '& ', 1],
  ['angle brackets', '< ', 1],
  ['letters of four bytes', '😀', 1],
  ['control characters', '\u0001', 1],
];

describe('large texts of a post', () => {
  test.each(KINDS)('are stored or refused when made of %s', async (_name, character, mega) => {
    const text = character.repeat(Math.floor((mega * MEGA) / Buffer.byteLength(character)));
    const status = await tried('/posts', { title: 'x', content: text, excerpt: 'x' });
    // What the body limit lets through by default is stored where it does not grow.
    if (mega === 1 || (testEngine() !== 'mysql' && character === 'a')) expect(status).toBe(201);
  });

  test('are refused before they are rendered where they are too large for the database', async () => {
    const { status, body } = await send('/posts', { content: 'a'.repeat(17 * MEGA), title: 'x' });
    expect({ status, params: body.data.params }).toEqual({
      status: 400,
      params: { content: expect.stringMatching(/^content must have at most \d+ bytes/) },
    });
  });

  test('are stored or refused in each of its fields, alone and together', async () => {
    const text = '"'.repeat(MEGA / 4);
    for (const name of ['title', 'excerpt', 'content']) await tried('/posts', { title: 'x', [name]: text });
    await tried('/posts', { title: text, excerpt: text, content: text });
  });

  test('are stored or refused when they grow with every update, with their revisions', async () => {
    const { id } = (await send('/posts', { title: 'Grows', content: 'x' })).body;
    for (const mega of [0.5, 2]) {
      for (const name of ['content', 'excerpt', 'title'])
        await tried(`/posts/${id}`, { [name]: `${mega}"${'a "'.repeat((mega * MEGA) / 3)}` });
    }
    expect((await site.send('GET', `/posts/${id}`, { as: admin })).status).toBe(200);
  });

  test('are stored or refused with the response saved for an Idempotency-Key', async () => {
    for (const mega of [1, 2]) {
      const body = { title: 'x', content: '\n"'.repeat((mega * MEGA) / 2) };
      await tried('/posts', body, { 'Idempotency-Key': `large-${mega}` });
    }
  });

  test('are stored or refused in its meta', async () => {
    for (const mega of [8, 17]) await tried('/posts', { title: 'x', meta: { footnotes: '"'.repeat(mega * MEGA) } });
  });
});

describe('other large texts', () => {
  test('are stored or refused when sanitizing makes them longer than their column', async () => {
    for (const size of [200, 600]) {
      for (const character of ['&', '<', '& ', '😀'])
        await tried('/categories', { name: `${character.repeat(size)}${size}` });
    }
  });

  test.each([
    ['/categories', { name: 'Large' }, 'description'],
    ['/tags', { name: 'Large' }, 'description'],
    ['/users', { username: 'large', email: 'large@example.org', password: 'long enough for it' }, 'description'],
    ['/pages', { title: 'Large' }, 'content'],
  ])('are stored or refused when made of %s', async (path, others, name) => {
    let at = 0;
    for (const character of ['"', '<', '中']) {
      for (const mega of [1]) {
        const own = Object.fromEntries(
          Object.entries(others).map(([key, value]) => [key, key === 'email' ? `l${at}@example.org` : `${value}${at}`]),
        );
        at += 1;
        await tried(path, { ...own, [name]: character.repeat((mega * MEGA) / Buffer.byteLength(character)) });
      }
    }
  });

  test('are stored or refused in comments', async () => {
    for (const size of [65_525, 65_526, 8 * MEGA]) {
      for (const character of ['"', '中'])
        await tried('/comments', { post, content: `${size}${character.repeat(size)}` });
    }
  });

  test('are stored or refused in every short field, in characters of one to four bytes', async () => {
    const fields = ['first_name', 'last_name', 'nickname', 'name', 'slug', 'url', 'locale', 'email', 'username'];
    for (const field of fields) {
      for (const character of ['&', '😀']) {
        for (const size of [60, 255, 70_000]) {
          const base = { username: `u${size}`, email: `u${size}@example.org`, password: 'long enough for it' };
          const { status, body } = await send('/users', { ...base, [field]: character.repeat(size) });
          expect({ field, character, size, status, body: status < 500 ? '' : body }).toMatchObject({ body: '' });
          if (status === 201) await site.send('DELETE', `/users/${body.id}?force=true&reassign=1`, { as: admin });
        }
      }
    }
  });
});

test('the data is consistent afterwards, and the site still responds', async () => {
  expect(await auditData(site.site.models, site.site.store)).toEqual([]);
  expect((await site.send('GET', '//livez')).status).toBe(200);
});
