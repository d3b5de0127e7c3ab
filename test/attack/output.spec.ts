// Responses that are too much for the server: pages of large items, clients that read nothing, many requests on one connection.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Headers } from '../support/actors.js';
import { expectResponsive } from '../support/event-loop.js';
import { engineOf, type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import {
  AS_ADMINISTRATOR,
  type ServerProcess,
  memoryOf as memory,
  type ServerProcesses,
  serverProcesses,
  until,
} from '../support/server-process.js';

const MIB = 1024 * 1024;
/** Resident memory of the process with the shipped limits, in bytes. */
const MOST_MEMORY = 512 * MIB;
const LIMIT = 16 * MIB;
/** Posts, and the bytes of the rendered text of each. */
const POSTS = 70;
const LARGE_TEXT = 3.5 * MIB;

let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;
let ids: number[];

beforeAll(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url, { RATE_LIMIT: 'none' });
  const seeding = await servers.start();
  await seeding.ready();
  ids = await seed(seeding);
  await seeding.end();
  server = await servers.start();
  await server.ready();
});

afterAll(async () => {
  await servers.close();
  await database.drop();
});

/** Posts that are enlarged past the server; one of them has revisions. */
async function seed(target: ServerProcess): Promise<number[]> {
  const made: number[] = [];
  for (let n = 0; n < POSTS; n++) {
    const body = { title: `Post ${n}`, content: 'x', status: 'publish' };
    const response = await target.send('POST', '/posts', { as: AS_ADMINISTRATOR, body });
    expect(response.status).toBe(201);
    made.push(response.body.id);
  }
  for (let n = 0; n < 10; n++) {
    const body = { content: `version ${n}` };
    await target.send('POST', `/posts/${made[0]}`, { as: AS_ADMINISTRATOR, body });
  }
  const large = repeated('<p>Some "words" \u2014 é</p> ', LARGE_TEXT);
  await database.run(`UPDATE contents SET content_rendered = ${large}, content = 'x'`);
  await database.run(`UPDATE contents SET content = ${large} WHERE id NOT IN (${made.join()})`);
  return made;
}

/** SQL that makes a text of about so many bytes. */
function repeated(text: string, bytes: number): string {
  const times = Math.floor(bytes / Buffer.byteLength(text));
  return engineOf(database.url) === 'sqlite'
    ? `replace(hex(zeroblob(${times})), '00', '${text}')`
    : `repeat('${text}', ${times})`;
}

/** A connection that sends a request and reads nothing, or only the beginning. */
async function silent(path: string, times = 1): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET /cms/v2${path} HTTP/1.1\r\nHost: test\r\n\r\n`.repeat(times));
  return socket;
}

/** Reads a response and discards it, so that the client does not slow the measured server down. */
async function swallow(path: string, headers: Headers = {}): Promise<{ status: number; bytes: number }> {
  const asked = get(`${server.url}/cms/v2${path}`, { headers, agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(response, 'end');
  return { status: response.statusCode!, bytes };
}

/** Retries until a 503 response with Retry-After is followed by a real one. */
function patiently(path: string): Promise<{ status: number; body: any }> {
  return until(
    () => server.send('GET', path),
    ({ status }) => status !== 503,
  );
}

const query = (member: Record<string, string>) => `/posts?${new URLSearchParams(member)}`;

describe('a page of large items', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['for strangers', { per_page: '100' }, false],
    ['of the usual length', {}, false],
    ['in edit context', { per_page: '100', context: 'edit' }, true],
    ['in any order', { per_page: '100', orderby: 'title' }, false],
    ['of chosen ids', { per_page: '100', include: '' }, false],
    ['without most fields', { per_page: '100', _fields: 'content' }, false],
    ['found by a search', { per_page: '100', search: 'Post' }, false],
    ['for people', { per_page: '100', _pretty: '1' }, false],
  ])('is refused %s before it is read', async (_name, asked, signedIn) => {
    const params = asked['include'] === undefined ? asked : { ...asked, include: ids.join() };
    const headers = signedIn ? AS_ADMINISTRATOR : {};
    for (const method of ['GET', 'HEAD'] as const) {
      const response = await server.send(method, query(params), { as: headers });
      expect(response.status).toBe(413);
      if (method === 'HEAD') continue;
      expect(response.body).toMatchObject({ code: 'rest_response_too_large', data: { status: 413, limit: LIMIT } });
      expect(response.body.message).toMatch(/16777216 bytes.*per_page.*_fields/);
    }
    expect(memory(server, 'VmHWM')).toBeLessThan(MOST_MEMORY);
  });

  test('is refused wherever rows are listed', async () => {
    const response = await server.send('GET', `/posts/${ids[0]}/revisions`, { as: AS_ADMINISTRATOR });
    expect([response.status, response.body.code]).toEqual([413, 'rest_response_too_large']);
  });

  test('is sent when it fits, or without the large texts', async () => {
    const few = await server.send('GET', query({ per_page: '3' }));
    expect(few.status).toBe(200);
    expect(few.body.map(({ content }: any) => content.rendered.length > 3 * MIB)).toEqual([true, true, true]);
    expect(few.headers['x-wp-total']).toBe(String(POSTS));
    const names = await server.send('GET', query({ per_page: '100', _fields: 'id,title,excerpt' }));
    expect(names.status).toBe(200);
    expect(names.body).toHaveLength(POSTS);
  });

  test('has the same ETag for GET and HEAD, and is not sent again', async () => {
    const first = await server.send('GET', query({ per_page: '2' }));
    const tag = first.headers['etag']!;
    const head = await server.send('HEAD', query({ per_page: '2' }));
    expect([head.status, head.headers['etag']]).toEqual([200, tag]);
    expect(head.headers['content-length']).toBe(first.headers['content-length']);
    expect((await server.send('GET', query({ per_page: '2' }), { headers: { 'if-none-match': tag } })).status).toBe(
      304,
    );
  });

  test('does not block the event loop', async () => {
    await expectResponsive(server, 1, async (size) => {
      const response = await swallow(query({ per_page: String(size) }));
      expect(response.status).toBe(200);
      expect(response.bytes).toBeGreaterThan(size * LARGE_TEXT);
    });
  });
});

describe('a single large item', () => {
  test('can be read in every context without blocking the event loop', async () => {
    const made = new Map<number, string>();
    // A database server takes no more than its largest packet.
    const least = engineOf(database.url) === 'mysql' ? 1 : 2;
    for (const size of [least, 4 * least]) {
      const line = 'Nothing but "words" \u2014 é.\n';
      const content = line.repeat(Math.floor((size * 0.99 * MIB) / (Buffer.byteLength(JSON.stringify(line)) - 2)));
      const body = { title: 'Large', content, status: 'publish' };
      const response = await server.send('POST', '/posts', { as: AS_ADMINISTRATOR, body });
      expect([response.status, response.body.content?.raw?.length]).toEqual([201, content.length]);
      made.set(size, `/posts/${response.body.id}`);
    }
    const edited = await server.send('GET', `${made.get(4 * least)}?context=edit`, { as: AS_ADMINISTRATOR });
    expect(edited.status).toBe(200);
    expect(edited.body.content.raw).toMatch(/^Nothing but "words" \u2014 é\.\n/);
    expect(edited.body.content.rendered.length).toBeGreaterThan(3 * least * MIB);
    expect((await patiently(made.get(4 * least)!)).status).toBe(200);
    await expectResponsive(server, least, async (size) => {
      const response = await swallow(`${made.get(size)}?context=edit`, AS_ADMINISTRATOR);
      expect(response.status).toBe(200);
      expect(response.bytes).toBeGreaterThan(size * MIB * 1.8);
    });
  });
});

describe('slow or pipelining clients', () => {
  beforeAll(async () => {
    await server.end();
    server = await servers.start();
    await server.ready();
  });

  test.each([12, 200])('in numbers of %i take limited memory, and do not block others', async (count) => {
    const readers = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        silent(
          at % 2 ? `/posts/${ids[at % POSTS]}` : query({ per_page: String((at % 4) + 1), offset: String(at % 50) }),
        ),
      ),
    );
    try {
      const small = Array.from({ length: 5 }, async (_, at) => {
        await sleep(at * 200);
        const response = await patiently(query({ per_page: '5', _fields: 'id' }));
        expect([response.status, response.body.length]).toEqual([200, 5]);
      });
      await Promise.all(small);
      // They are put off the line as soon as somebody else wants to be served.
      expect((await patiently(`/posts/${ids[0]}`)).status).toBe(200);
      expect(memory(server, 'VmHWM')).toBeLessThan(MOST_MEMORY);
    } finally {
      for (const reader of readers) reader.destroy();
    }
  });

  test('get one response at a time per connection', async () => {
    const readers = await Promise.all([1, 2, 3, 4].map(() => silent(query({ per_page: '4' }), 100)));
    await sleep(3_000);
    expect((await patiently(`/posts/${ids[1]}`)).status).toBe(200);
    expect(memory(server, 'VmHWM')).toBeLessThan(MOST_MEMORY);
    for (const reader of readers) reader.destroy();
  });

  test('get all responses to pipelined requests when they read them', async () => {
    const socket = await silent(query({ include: `${ids[0]},${ids[1]}` }), 3);
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
    await until(
      () => bytes,
      (sofar) => sofar > 3 * 2 * LARGE_TEXT,
    );
    socket.destroy();
  });
});

test('thousands of pipelined requests leave room for other clients', async () => {
  await expectResponsive(server, 1_000, async (times) => {
    const socket = await silent(`/posts/${ids[1]}?_fields=id`, times);
    const responses = Buffer.from('HTTP/1.1 200');
    let count = 0;
    socket.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(responses); at >= 0; at = chunk.indexOf(responses, at + 1)) count += 1;
    });
    socket.resume();
    // A status line that falls on two chunks is not counted.
    await until(
      () => count,
      (sofar) => sofar >= times * 0.9,
    );
    socket.destroy();
  });
});
