// Searches as an attacker sends them: long texts, texts and needles that repeat one letter, many at once. None may hold the
// server or keep others from reading.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FreshDatabase, freshDatabase, testEngine } from '../support/fresh-database.js';
import { expectResponsive } from '../support/event-loop.js';
import {
  AS_ADMINISTRATOR,
  serverProcesses,
  type ServerProcess,
  type ServerProcesses,
} from '../support/server-process.js';
import type { HttpResponse } from '../support/send.js';

const MEBIBYTE = 1024 ** 2;
const LONGEST = 200;
/** Posts of a mebibyte of one letter: on servers enough of them to keep a connection busy for a while. */
const REPEATED = testEngine() === 'sqlite' ? 4 : 6;

let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;
let plain: number;

beforeAll(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url, { RATE_LIMIT: 'none' });
  server = await servers.start();
  await server.ready();
  plain = await make('/posts', { title: 'Zq', content: 'An ordinary text about a jigsaw', status: 'publish' });
  await make('/comments', { post: plain, content: 'Said by somebody' });
  for (let n = 0; n < REPEATED; n++)
    await make('/posts', { title: `Repeated ${n}`, content: `aab ${'a'.repeat(MEBIBYTE)}`, status: 'publish' });
});

afterAll(async () => {
  await servers?.close();
  await database?.drop();
});

async function make(path: string, body: object): Promise<number> {
  const response = await server.send('POST', path, { as: AS_ADMINISTRATOR, body });
  if (response.status !== 201) throw new Error(`${response.status}: ${JSON.stringify(response.body).slice(0, 500)}`);
  return response.body.id;
}

const search = (text: string, more = ''): Promise<HttpResponse> =>
  server.send('GET', `/posts?_fields=id&search=${encodeURIComponent(text)}${more}`);

function expectRefused(response: HttpResponse, param: string): void {
  expect(response.body).toMatchObject({
    code: 'rest_invalid_param',
    message: expect.stringContaining(param),
    data: {
      status: 400,
      params: { [param]: expect.stringContaining(`at most ${LONGEST} characters`) },
      details: { [param]: { code: 'rest_too_long' } },
    },
  });
  expect(response.status).toBe(400);
}

describe('too long search texts are refused before the search', () => {
  test.each(['posts', 'pages', 'media', 'comments', 'users', 'tags', 'categories'])(
    'in searches of %s',
    async (collection) => {
      const search = (text: string) =>
        server.send('GET', `/${collection}?search=${encodeURIComponent(text)}`, { as: AS_ADMINISTRATOR });
      expect((await search('a'.repeat(LONGEST))).status).toBe(200);
      expect((await search('\u{1f600}'.repeat(LONGEST))).status).toBe(200);
      expectRefused(await search('a'.repeat(LONGEST + 1)), 'search');
      expectRefused(await search(`${'a'.repeat(9_000)}b`), 'search');
      expectRefused(await search('a b '.repeat(100)), 'search');
      // One character that is compared as eighteen.
      expect((await search('\ufdfa'.repeat(10))).status).toBe(200);
      expectRefused(await search('\ufdfa'.repeat(LONGEST)), 'search');
    },
  );

  test('in every other kind of search', async () => {
    const long = 'a'.repeat(LONGEST + 1);
    for (const more of ['', '&filter[sentence]=1', '&filter[exact]=1'])
      expectRefused(await server.send('GET', `/posts?filter[s]=${long}${more}`), 'search');
  });
});

describe('short search texts find items', () => {
  test.each(['z', 'q', 'zq', 'ZQ', 'jigsaw', 'ry', 'text about a jigsaw'])('%s', async (text) => {
    const { status, body } = await search(text);
    expect([status, body]).toEqual([200, [{ id: plain }]]);
  });

  test('and repeated letters are distinguished', async () => {
    const total = async (text: string) => Number((await search(text)).headers['x-wp-total']);
    expect(await total('a'.repeat(LONGEST))).toBe(REPEATED);
    expect(await total(`aab ${'a'.repeat(50)}`)).toBe(REPEATED);
    expect(await total(`${'a'.repeat(50)}b`)).toBe(0);
    expect(await total(`aab ${'a'.repeat(50)}b`)).toBe(0);
    expect(await total('"aab aa"')).toBe(REPEATED);
    expect(await total('ababab')).toBe(0);
  });
});

describe('texts that repeat one letter', () => {
  const needles: Record<string, (size: number) => string> = {
    'ending in another': (size) => `${'a'.repeat(size - 1)}b`,
    'beginning with another': (size) => `b${'a'.repeat(size - 1)}`,
    'with another in the middle': (size) => `${'a'.repeat(size / 2)}b${'a'.repeat(size / 2 - 1)}`,
    'found at once': (size) => 'a'.repeat(size),
    'as nine words': (size) =>
      Array.from({ length: 9 }, (_, n) => `${'a'.repeat(Math.floor(size / 9) - 2 - (n % 4))}b`).join(' '),
  };

  test.each(Object.keys(needles))('%s', async (name) => {
    let n = 0;
    await expectResponsive(server, LONGEST / 4, async (size) => {
      // A repeated search is read from the cache.
      const more = `&exclude=${++n + 1_000_000}&orderby=${n % 2 ? 'date' : 'title'}`;
      const { status } = await search(needles[name]!(size), more);
      expect([200, 503]).toContain(status);
    });
  });
});

test('many concurrent searches do not block other reads', async () => {
  const searches = Array.from({ length: 24 }, (_, n) => search(`${'a'.repeat(LONGEST - 30 + n)}b`, `&page=1`));
  let hasEnded = false;
  const all = Promise.all(searches).finally(() => (hasEnded = true));
  const reads: number[] = [];
  do {
    const headers = AS_ADMINISTRATOR;
    const path = ['/tags', '/users?context=edit', `/posts/${plain}`, '/comments'][reads.length % 4]!;
    reads.push((await server.send('GET', path, { as: headers })).status);
  } while (!hasEnded && reads.length < 500);
  expect(reads.filter((status) => status !== 200)).toEqual([]);
  for (const { status, body, headers } of await all) {
    expect([200, 503]).toContain(status);
    if (status !== 503) continue;
    expect(body).toMatchObject({ code: 'rest_unavailable', message: expect.stringMatching(/narrow/i) });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  // Once they are over, searches succeed again.
  expect((await search('jigsaw')).body).toEqual([{ id: plain }]);
});
