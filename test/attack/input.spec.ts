// Whatever comes in over HTTP has a bound that is enforced before it costs time, memory or disk: a real server, attacked from outside.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expectResponsive } from '../support/event-loop.js';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import { AS_ADMINISTRATOR, serverProcesses, until } from '../support/server-process.js';
import type { ServerProcess, ServerProcesses } from '../support/server-process.js';
import { exchange, type RawResponse } from '../unit/http/raw-socket.js';

const MIB = 1024 * 1024;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const ADMIN = `Authorization: ${AS_ADMINISTRATOR['Authorization']}\r\n`;

let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;
let port: number;

beforeAll(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url, { RATE_LIMIT: 'none' });
  server = await servers.start();
  port = Number(new URL(server.url).port);
  await server.ready();
});

afterAll(async () => {
  // Nothing of this may have ended the process.
  const { status } = await server.send('GET', '//livez');
  await servers.close();
  await database.drop();
  expect(status).toBe(200);
});

const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n${more}\r\n`;

/** Sends a body as one request of its own; the response is read to its end. */
function post(path: string, body: string | Buffer, more = '', type = JSON_TYPE): Promise<RawResponse> {
  return exchange(port, [head(path, Buffer.byteLength(body), `Content-Type: ${type}\r\n${more}`), body], 20_000);
}

/** Checks a refusal, and reports what came instead. */
function refused({ status, body, text }: RawResponse, wanted: number, code: string): void {
  if (status !== wanted || !body.includes(`"code":"${code}"`)) throw new Error(`${status} instead: ${text}`);
}

/** Resident memory of the server, in MiB. */
function memory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;
}

/** Connections that are held open; what the server says to them is gathered. */
class Crowd {
  private readonly sockets: Socket[] = [];
  /** First lines of the responses. */
  readonly responses: string[] = [];

  async join(...pieces: (string | Buffer)[]): Promise<void> {
    const socket = connect(port, '127.0.0.1');
    this.sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (text) => this.responses.push(text.toString('latin1')));
    await new Promise((resolve) => socket.once('connect', resolve));
    for (const piece of pieces) socket.write(piece);
  }

  leave(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

/** Runs `work` with a crowd; resolves with the largest growth of the server's memory during it, in MiB. */
async function growthWhile(work: (crowd: Crowd) => Promise<void>): Promise<number> {
  const before = memory();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, memory() - before)), 50);
  const crowd = new Crowd();
  try {
    await work(crowd);
  } finally {
    clearInterval(watch);
    crowd.leave();
  }
  return most;
}

describe('_fields', () => {
  test.each([
    ['deep', 'a.'.repeat(4000)],
    ['wide', Array.from({ length: 500 }, (_, at) => `f${at}`).join(',')],
    ['long', 'x'.repeat(8000)],
  ])('that is too %s is refused in a query with the limit', async (_name, text) => {
    for (const path of ['/posts', '//cms/v2']) {
      const response = await server.send('GET', `${path}?_fields=${text}`);
      expect([response.status, response.body.code]).toEqual([400, 'rest_invalid_param']);
      expect(response.body.data.params._fields).toMatch(/at most \d+|deeper than \d+/);
    }
  });

  test('of any size in a body does not block the event loop', async () => {
    await expectResponsive(server, 400_000, async (size) => {
      const body = JSON.stringify({ title: 'x', _fields: 'a.'.repeat(size) });
      refused(await post('/cms/v2/posts', body, ADMIN), 400, 'rest_invalid_param');
    });
  });

  test('of megabytes, sent repeatedly, leaves no memory allocated', async () => {
    const growth = await growthWhile(async () => {
      for (let at = 0; at < 30; at++) {
        const body = JSON.stringify({ title: 'x', _fields: [`${at}${'.a'.repeat(3_500_000)}`] });
        refused(await post('/cms/v2/posts', body, ADMIN), 400, 'rest_invalid_param');
      }
    });
    expect(growth).toBeLessThan(300);
  });

  test('is validated before anything is deleted', async () => {
    const { body } = await server.send('POST', '/tags', { as: AS_ADMINISTRATOR, body: { name: 'Stays' } });
    const path = `/tags/${body.id}`;
    const response = await server.send('DELETE', `${path}?force=true&_fields=${'a.'.repeat(100)}`, {
      as: AS_ADMINISTRATOR,
    });
    expect([response.status, (await server.send('GET', path)).status]).toEqual([400, 200]);
  });
});

describe('bodies of callers who may not write', () => {
  test('are refused because of their size, and the client receives the response', async () => {
    await expectResponsive(server, 2 * MIB, async (size) => {
      const response = await post('/cms/v2/posts', JSON.stringify({ title: 'x'.repeat(size) }));
      refused(response, 413, 'rest_request_too_large');
    });
    const chunked = `POST /cms/v2/posts HTTP/1.1\r\nHost: x\r\nContent-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    refused(await exchange(port, [chunked, chunk.repeat(40)], 10_000), 413, 'rest_request_too_large');
  });

  test('are refused on routes that accept few parameters, whoever sends them', async () => {
    const body = JSON.stringify({ x: 'x'.repeat(MIB - 100) });
    for (const path of ['/cms/v2/users/me/application-passwords', '/auth/token', '/nowhere'])
      refused(await post(path, body, path === '/auth/token' ? '' : ADMIN), 413, 'rest_request_too_large');
  });

  test.each([
    ['members', `{${'"a":1,'.repeat(2000)}"b":1}`],
    ['list items', `{"a":[${'1,'.repeat(2000)}1]}`],
    ['levels', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`],
  ])('are limited by their %s', async (what, body) => {
    const response = await post('/cms/v2/comments', body);
    refused(response, 400, 'rest_invalid_json');
    expect(response.body).toContain(what);
  });

  test('are not read from callers with wrong credentials', async () => {
    const wrong = `Authorization: Basic ${Buffer.from('admin:wrong').toString('base64')}\r\n`;
    const response = await post('/cms/v2/posts', '{broken', wrong);
    expect(response.status).toBe(401);
  });

  test('take little memory when many are sent slowly', async () => {
    const part = Buffer.alloc(7 * MIB, 0x20);
    const growth = await growthWhile(async (crowd) => {
      for (let at = 0; at < 60; at++) {
        await crowd.join(head('/cms/v2/posts', part.length + 1, `Content-Type: ${JSON_TYPE}\r\n`), part);
        await crowd.join(
          head('/cms/v2/comments', 250_000, `Content-Type: ${JSON_TYPE}\r\n`),
          part.subarray(0, 200_000),
        );
      }
      const statuses = () => [...new Set(crowd.responses.map((text) => /^HTTP\/1.1 (\d+)/.exec(text)?.[1]))].sort();
      await until(statuses, (found) => found.length > 1);
      expect(statuses()).toEqual(['413', '503']);
      expect(crowd.responses.find((text) => text.includes(' 503 '))).toMatch(/Retry-After: \d+/);
      // Who may write still does.
      const created = await server.send('POST', '/posts', { as: AS_ADMINISTRATOR, body: { title: 'Meanwhile' } });
      expect(created.status).toBe(201);
    });
    expect(growth).toBeLessThan(200);
    await until(
      () => server.send('POST', '/comments', { body: {} }),
      ({ status }) => status !== 503,
    );
  });

  test('may contain comments of every allowed length', async () => {
    const { body: open } = await server.send('POST', '/posts', {
      as: AS_ADMINISTRATOR,
      body: { title: 'Open', status: 'publish' },
    });
    const comment = { post: open.id, author_name: 'G', author_email: 'g@x.test', content: '中 '.repeat(15_000) };
    const response = await server.send('POST', '/comments', { body: comment });
    // Anonymous comments are off: it was read, and not refused for its size.
    expect(response).toMatchObject({ status: 401, body: { code: 'rest_comment_login_required' } });
  });
});

describe('bodies of callers who may write', () => {
  const hostile: [string, (size: number) => string][] = [
    ['opened lists', (size) => '['.repeat(size)],
    ['list items', (size) => `{"a":[${'0,'.repeat(size / 2)}0]}`],
    ['members', (size) => `{${'"":0,'.repeat(size / 5)}"":0}`],
    ['escapes', (size) => `{"a":"${'\\u0061'.repeat(size / 6)}"}`],
    ['quotes', (size) => `{"a":"${'\\"'.repeat(size / 2)}"}`],
    ['digits', (size) => `{"a":${'1'.repeat(size)}}`],
    ['line ends and a mistake', (size) => `{"a":1,${'\n'.repeat(size)}}`],
    ['escapes and a mistake', (size) => `{"a":"${'\\n'.repeat(size / 2)}",}`],
    ['a name', (size) => `{"${'a'.repeat(size)}":1}`],
    ['letters of three bytes', (size) => `{"a":"${'中'.repeat(size / 3)}"}`],
    ['commas in a text for a list', (size) => `{"title":"x","categories":"${'1,'.repeat(size / 2)}"}`],
  ];

  test.each(hostile)('of many %s do not block the event loop', async (_name, make) => {
    await expectResponsive(server, 2 * MIB - 1_000, async (size) => {
      const response = await post('/cms/v2/posts', make(Math.floor(size)), ADMIN);
      expect(response.status).toBeGreaterThan(199);
      expect(response.status).toBeLessThan(500);
    });
  });

  test.each([
    ['plus signs', (size: number) => `a=${'+'.repeat(size)}`],
    ['escapes', (size: number) => `a=${'%41'.repeat(size / 3)}`],
    ['broken escapes', (size: number) => `a=${'%zz'.repeat(size / 3)}`],
    ['parameters', (size: number) => 'a&'.repeat(size / 2)],
    ['brackets', (size: number) => `${'['.repeat(size)}=1`],
    ['list items', (size: number) => 'a[]=1&'.repeat(size / 6)],
  ])('as forms of many %s do not block the event loop', async (_name, make) => {
    await expectResponsive(server, 2 * MIB - 1_000, async (size) => {
      const response = await post('/cms/v2/posts', make(Math.floor(size)), ADMIN, FORM_TYPE);
      expect(response.status).toBeGreaterThan(199);
      expect(response.status).toBeLessThan(500);
    });
  });

  test('that are compressed are counted while they are decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MIB, 0x20));
    const growth = await growthWhile(async () => {
      for (let at = 0; at < 5; at++)
        refused(await post('/cms/v2/posts', bomb, `${ADMIN}Content-Encoding: gzip\r\n`), 413, 'rest_request_too_large');
    });
    expect(growth).toBeLessThan(150);
  });

  test('are limited by a memory budget, beyond which they get 503 with Retry-After', async () => {
    const part = Buffer.alloc(7 * MIB, 0x20);
    const growth = await growthWhile(async (crowd) => {
      for (let at = 0; at < 40; at++)
        await crowd.join(head('/cms/v2/posts', part.length + 1, `${ADMIN}Content-Type: ${JSON_TYPE}\r\n`), part);
      await until(
        () => crowd.responses.length,
        (count) => count >= 36,
      );
      expect(crowd.responses.every((text) => / 503 [\s\S]*Retry-After: \d+/.test(text))).toBe(true);
      expect((await server.send('GET', '/posts')).status).toBe(200);
    });
    expect(growth).toBeLessThan(300);
    const path = '/posts';
    await until(
      () => server.send('POST', path, { as: AS_ADMINISTRATOR, body: { title: 'After' } }),
      ({ status }) => status === 201,
    );
  });

  test('in tiny chunks take no more memory than others', async () => {
    const chunked = `POST /cms/v2/posts HTTP/1.1\r\nHost: x\r\n${ADMIN}Content-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const growth = await growthWhile(async (crowd) => {
      for (let at = 0; at < 4; at++) await crowd.join(chunked, '1\r\n \r\n'.repeat(1_000_000));
      await sleep(3_000);
    });
    expect(growth).toBeLessThan(250);
  });

  test('that stop arriving end with a timeout', async () => {
    const type = `Content-Type: ${JSON_TYPE}\r\n`;
    const response = await exchange(port, [head('/cms/v2/posts', 1000, ADMIN + type), '{"title":'], 120_000);
    refused(response, 408, 'rest_request_timeout');
  });
});

describe('multipart bodies', () => {
  const type = 'multipart/form-data; boundary=x';
  const opened = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const spools = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.upload'));
  /** Files that are being received: they wait beside an embedded database, else below the working directory. */
  const incoming = () => {
    const [, file] = /^sqlite:([^?]*)/.exec(database.url) ?? [];
    return [...spools(servers.folder), ...(file === undefined ? [] : spools(dirname(file)))];
  };

  test.each([
    ['/cms/v2/comments', ''],
    ['/cms/v2/posts', ''],
    ['/cms/v2/posts', ADMIN],
    ['/cms/v2/media', ''],
  ])('to %s %s are not stored in a temporary file', async (path, credentials) => {
    const crowd = new Crowd();
    try {
      for (let at = 0; at < 20; at++)
        await crowd.join(
          head(path, 50 * MIB, `${credentials}Content-Type: ${type}\r\n`),
          opened,
          Buffer.alloc(200_000, 0x61),
        );
      await sleep(300);
      expect(incoming()).toEqual([]);
    } finally {
      crowd.leave();
    }
  });

  test('with too large a body on a route without files are refused', async () => {
    for (const [credentials, size] of [
      ['', 400_000],
      [ADMIN, 1.5 * MIB],
    ] as const) {
      const body = `${opened}${'a'.repeat(size)}\r\n--x--\r\n`;
      refused(await post('/cms/v2/comments', body, credentials, type), 413, 'rest_request_too_large');
    }
  });

  test('of uploads are limited in number', async () => {
    const crowd = new Crowd();
    try {
      for (let at = 0; at < 20; at++)
        await crowd.join(
          head('/cms/v2/media', MIB, `${ADMIN}Content-Type: ${type}\r\n`),
          opened,
          Buffer.alloc(100_000, 0x61),
        );
      await until(
        () => crowd.responses.length,
        (count) => count >= 12,
      );
      expect(crowd.responses.every((text) => text.includes(' 503 '))).toBe(true);
      expect(incoming()).toHaveLength(8);
    } finally {
      crowd.leave();
    }
    await until(incoming, (names) => names.length === 0);
  });

  test('of uploads that stop arriving end with a timeout, without temporary files', async () => {
    const pieces = [head('/cms/v2/media', MIB, `${ADMIN}Content-Type: ${type}\r\n`), opened, 'abc'];
    const response = await until(
      () => exchange(port, pieces, 30_000),
      ({ status }) => status !== 503,
    );
    refused(response, 408, 'rest_request_timeout');
    await until(incoming, (names) => names.length === 0);
  });
});

describe('request lines and headers', () => {
  test.each([
    ['path', (size: number) => `POST ${'/'.repeat(size)}x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`],
    ['Content-Type', (size: number) => post2(`Content-Type: application/json${';'.repeat(size)}charset`)],
    ['Content-Type', (size: number) => post2(`Content-Type: multipart/form-data; ${'boundary '.repeat(size / 9)}`)],
    ['Content-Disposition', (size: number) => post2(`Content-Disposition: attachment${'; a='.repeat(size / 4)}`)],
    ['If-None-Match', (size: number) => get(`If-None-Match: ${'W/"",'.repeat(size / 5)}`)],
    ['Authorization', (size: number) => get(`Authorization: Digest ${' '.repeat(size)}x`)],
    ['X-Request-Id', (size: number) => get(`X-Request-Id: ${'a'.repeat(size)}`)],
    ['Range', (size: number) => get(`Range: bytes=${'0-0,'.repeat(size / 4)}`)],
    ['Accept', (size: number) => get(`Accept: ${'*/*;q=0,'.repeat(size / 8)}`)],
    ['Cookie', (size: number) => get(`Cookie: ${'a=b; '.repeat(size / 5)}`)],
    ['X-HTTP-Method-Override', (size: number) => post2(`X-HTTP-Method-Override: ${'a'.repeat(size)}`)],
  ])('with a long %s take little time', async (_name, make) => {
    await expectResponsive(server, 3_900, async (size) => {
      const response = await exchange(port, [make(size)], 2_000);
      expect(response.status).toBeGreaterThan(199);
      expect(response.status).toBeLessThan(500);
    });
  });

  function get(header: string): string {
    return `GET /cms/v2/posts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`;
  }

  function post2(header: string): string {
    return head('/cms/v2/media', 2, `${ADMIN}${header}\r\n`) + '{}';
  }

  test('allow at most 100 items in list parameters, and 500 ids', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, at) => at + 1).join(',');
    for (const [name, count, status] of [
      ['include', 500, 200],
      ['include', 501, 400],
      ['exclude', 501, 400],
      ['categories', 100, 200],
      ['categories', 101, 400],
      ['author', 101, 400],
      ['slug', 101, 400],
    ] as const) {
      const response = await server.send('GET', `/posts?${name}=${list(count)}`);
      expect([name, count, response.status]).toEqual([name, count, status]);
    }
    expect((await server.send('GET', '/posts?context=view&include=x')).status).toBe(400);
  });

  test('are quoted in errors only in part', async () => {
    const long = 'é'.repeat(2_500);
    for (const path of [`/posts?order=${long}`, `/posts?filter[${long}]=1`, `/posts?orderby=${long}`, `/${long}`]) {
      const response = await server.send('GET', path);
      expect(JSON.stringify(response.body).length).toBeLessThan(20_000);
    }
    const body = JSON.stringify({ title: 'x', meta: { ['k'.repeat(100_000)]: 1 }, status: 's'.repeat(100_000) });
    expect((await post('/cms/v2/posts', body, ADMIN)).body.length).toBeLessThan(5_000);
  });
});

describe('connections', () => {
  test('with incomplete headers take little memory each', async () => {
    const growth = await growthWhile(async (crowd) => {
      const part = `GET /livez HTTP/1.1\r\nHost: x\r\n${`X-A: ${'x'.repeat(1000)}\r\n`.repeat(15)}`;
      for (let at = 0; at < 500; at++) await crowd.join(part);
      await sleep(500);
      expect((await server.send('GET', '//livez')).status).toBe(200);
    });
    expect(growth).toBeLessThan(100);
  });
});
