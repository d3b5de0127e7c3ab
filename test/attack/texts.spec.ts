// Texts that are made to cost time: a real server, attacked by a contributor and a subscriber.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { basic, type Headers } from '../support/actors.js';
import { expectResponsive } from '../support/event-loop.js';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import { AS_ADMINISTRATOR, serverProcesses } from '../support/server-process.js';
import type { ServerProcess, ServerProcesses } from '../support/server-process.js';
import type { HttpResponse } from '../support/send.js';

const MIB = 2 ** 20;
const PASSWORD = 'a password of its own';

let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;
const as: Record<string, Headers> = {};

beforeAll(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url, { RATE_LIMIT: 'none' });
  server = await servers.start();
  await server.ready();
  for (const role of ['contributor', 'subscriber']) {
    const body = { username: role, email: `${role}@example.org`, password: PASSWORD, roles: [role] };
    const { status } = await server.send('POST', '/users', { as: AS_ADMINISTRATOR, body });
    expect(status).toBe(201);
    as[role] = basic(role, PASSWORD);
  }
});

afterAll(async () => {
  // Nothing of this may have ended the process or failed inside of it.
  const { status } = await server.send('GET', '//livez');
  const output = server.output();
  await servers.close();
  await database.drop();
  expect(status).toBe(200);
  expect(output).not.toMatch(/RangeError|TextsMissing|"level":"error"/);
});

const filled = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)));

function post(path: string, body: unknown, role: string): Promise<HttpResponse> {
  return server.send('POST', path, { as: as[role]!, body });
}

/** Taken or refused with a reason; never a failure of the server. */
function orderly({ status, body }: HttpResponse): number {
  if (status >= 400) expect(body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  expect([200, 201, 400, 413]).toContain(status);
  return status;
}

describe('runs of combining marks', () => {
  const marks = (bytes: number) => `a${filled('\u0301\u0316', bytes)}`;

  test.each([
    ['slug', 'subscriber', '/users/me'],
    ['name', 'subscriber', '/users/me'],
    ['username', 'subscriber', '/users/me'],
    ['email', 'subscriber', '/users/me'],
    ['url', 'subscriber', '/users/me'],
    ['slug', 'contributor', '/posts'],
    ['title', 'contributor', '/posts'],
  ])('in %s of a %s cost no more than other characters', async (field, role, path) => {
    const small = field === 'title' ? MIB / 16 : MIB / 5;
    await expectResponsive(server, small, async (bytes) => {
      orderly(await post(path, { [field]: marks(bytes) }, role));
    });
  });

  test('in a login cost no more than other characters', async () => {
    await expectResponsive(server, MIB / 5, async (bytes) => {
      const { status } = await server.send('POST', '//auth/token', { body: { username: marks(bytes), password: 'x' } });
      expect(status).toBeLessThan(500);
    });
  });
});

const HOSTILE: Record<string, string> = {
  marks: '\u0301\u0316',
  'lower signs': '<',
  ampersands: '&',
  'double quotes': '"',
  'single quotes': " '",
  brackets: '[',
  'open tags': '<a href=',
  'open comments': '<!--',
  'open quotes': "<a b='",
  'nested tags': '<b>',
  'crossed tags': '<b><i></b></i>',
  words: 'a',
  links: 'http://x.test/ ',
  'blank lines': '\n\n',
  Cyrillic: 'Привет, мир. ',
};

/** The larger of the two sizes that are compared. */
const LARGE = 2 * MIB;

describe('a large text', () => {
  test.each(Object.entries(HOSTILE))('of %s leaves the server responsive', async (_name, piece) => {
    await expectResponsive(server, LARGE / 4, async (bytes) => {
      const escaped = Buffer.byteLength(JSON.stringify(piece)) - 2;
      const room = bytes * (Buffer.byteLength(piece) / escaped);
      orderly(await post('/posts', { title: 'Large', content: filled(piece, room) }, 'contributor'));
    });
  });

  test('is stored like a small one', async () => {
    const piece = '<p onclick="x()">He said "1 &amp; 2" — <a href="java&Tab;script:x">éa</a></p>\n\n';
    const { body: small } = await post('/posts', { title: 'a', content: piece }, 'contributor');
    const { status, body: large } = await post(
      '/posts',
      { title: 'a', content: filled(piece, MIB / 4) },
      'contributor',
    );
    expect(status).toBe(201);
    const times = Math.floor(MIB / 4 / Buffer.byteLength(piece));
    expect(large.content.raw).toBe(small.content.raw.repeat(times));
    expect(large.content.rendered).toBe(small.content.rendered.repeat(times));
    expect(large.excerpt.rendered).not.toBe('');
    const { body: changed } = await post(`/posts/${large.id}`, { title: 'b' }, 'contributor');
    expect(changed.content).toEqual(large.content);
    const { body: found } = await server.send('GET', `/posts?status=draft&context=edit&search=said&_fields=id`, {
      as: AS_ADMINISTRATOR,
    });
    expect(found.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([small.id, large.id]));
  });

  test('that takes too long is refused without stored data', async () => {
    const count = async () =>
      (await server.send('GET', '/posts?status=any&per_page=1', { as: AS_ADMINISTRATOR })).headers['x-wp-total'];
    const before = await count();
    // Each quote becomes an entity of seven characters: more than a result may have.
    const response = await post('/posts', { title: 'Costly', content: filled("' ", 7.5 * MIB) }, 'contributor');
    // A server with small packets says so before.
    expect([400, 413]).toContain(response.status);
    expect(['rest_invalid_param', 'rest_text_too_costly', 'rest_request_too_large']).toContain(response.body.code);
    expect(await count()).toBe(before);
  });

  test('in a revision is compared in limited time', async () => {
    const lines = (seed: number) => Array.from({ length: 4000 }, (_, at) => `${(at * seed) % 4001}`).join('\n');
    const { body: made } = await post('/posts', { title: 'a', content: lines(7) }, 'contributor');
    await post(`/posts/${made.id}`, { content: lines(11) }, 'contributor');
    const { body: kept } = await post(`/posts/${made.id}`, { content: lines(13) }, 'contributor');
    expect(kept.content.raw).toBe(lines(13));
    const headers = as['contributor']!;
    const { body: revisions } = await server.send('GET', `/posts/${made.id}/revisions?_fields=id`, { as: headers });
    await expectResponsive(server, 1, async () => {
      const { status, body } = await server.send(
        'GET',
        `/posts/${made.id}/revisions/${revisions.at(-1).id}?diff=true`,
        { as: headers },
      );
      expect([status, Array.isArray(body.diff.content)]).toEqual([200, true]);
    });
  });
});
