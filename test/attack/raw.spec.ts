// Bytes that are nearly requests, sent to a real server and cut off at any point. The process stays and responds, no
// response is a 5xx, and a request that was not acknowledged leaves neither rows nor temporary files. RAW_REQUESTS says
// how many (120).
import { existsSync, readdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runs } from '../support/runs.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import {
  AS_ADMINISTRATOR,
  serverProcesses,
  type ServerProcess,
  type ServerProcesses,
  until,
} from '../support/server-process.js';

const REQUESTS = Number(process.env['RAW_REQUESTS']) || runs(120);
const AT_ONCE = 8;
const AUTH = `Authorization: ${AS_ADMINISTRATOR['Authorization']}\r\n`;
const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: api.test\r\n${AUTH}${more}`;
const json = (line: string, body: string, more = '') =>
  `${head(line, `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}`)}\r\n${body}`;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
).toString('latin1');
const FORM = `--b\r\nContent-Disposition: form-data; name="file"; filename="dot.png"\r\nContent-Type: image/png\r\n\r\n${PNG}\r\n--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nDot\r\n--b--\r\n`;

/** Whole requests of every phase: heads, bodies of each kind, chunks, uploads, two on one connection. Latin-1: a character is a byte. */
const SEEDS = [
  `${head('GET /cms/v2/posts?per_page=100')}\r\n`,
  `${head('GET /cms/v2/posts?search=x&_fields=id', 'If-None-Match: "x"\r\n')}\r\n`,
  json('POST /cms/v2/posts', '{"title":"Raw","content":"x","status":"publish"}'),
  json('POST /cms/v2/posts', `{"title":"Raw","content":"${'long '.repeat(4000)}"}`, 'Idempotency-Key: raw\r\n'),
  json('POST /cms/v2/tags?_method=DELETE', '{"name":"Raw"}', 'Expect: 100-continue\r\n'),
  `${head('POST /cms/v2/posts', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n')}\r\n9\r\n{"title":\r\n6\r\n"Raw"}\r\n0\r\n\r\n`,
  `${head('POST /cms/v2/posts', 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n')}\r\ntitle=Raw`,
  `${head('POST /cms/v2/media', `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${FORM.length}\r\n`)}\r\n${FORM}`,
  `${head('POST /cms/v2/media', `Content-Type: image/png\r\nContent-Disposition: attachment; filename=dot.png\r\nContent-Length: ${PNG.length}\r\n`)}\r\n${PNG}`,
  `${head('GET /cms/v2/posts')}\r\n${json('POST /cms/v2/tags', '{"name":"Raw"}')}${head('OPTIONS /cms/v2/posts')}\r\n`,
];

let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;
beforeAll(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url, { RATE_LIMIT: 'none' });
  server = await servers.start();
  await server.ready();
});
afterAll(async () => {
  await servers.close();
  await database.drop();
});

/** Numbers below `most`, the same ones in every run. */
function chance(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

function mutated(text: string, random: (most: number) => number): string {
  let bytes = text;
  for (let times = random(4); times > 0; times -= 1) {
    const at = random(bytes.length + 1);
    const to = Math.min(bytes.length, at + 1 + random(12));
    const middle = [
      '',
      String.fromCharCode(random(256)),
      bytes.slice(at, to).repeat(1 + random(40)),
      ['\0', '\r\n', '\r\n\r\n', '%', '\xff\xfe', '{', '"', '--b--', '99999999999', '-1', ':', 'é'][random(12)]!,
    ][random(4)]!;
    bytes = bytes.slice(0, at) + middle + bytes.slice(random(2) === 0 ? at : to);
  }
  return bytes;
}

/** Sends bytes in pieces; leaves after `cut` of them when that is less than all. Resolves with what came back. */
function send(bytes: string, cut: number, pieces: number, reset: boolean): Promise<string> {
  return new Promise((resolve) => {
    let response = '';
    const socket = createConnection({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
    const timer = setTimeout(() => socket.destroy(), 1_500);
    socket.setEncoding('latin1').on('data', (text: string) => (response += text));
    socket
      .on('error', () => undefined)
      .once('close', () => {
        clearTimeout(timer);
        resolve(response);
      });
    socket.once('connect', () => {
      const size = Math.max(1, Math.ceil(cut / pieces));
      for (let at = 0; at < cut; at += size) socket.write(bytes.slice(at, Math.min(cut, at + size)), 'latin1');
      if (cut >= bytes.length) socket.end();
      else if (reset) setTimeout(() => socket.resetAndDestroy(), cut % 7);
      else setTimeout(() => socket.destroy(), cut % 7);
    });
  });
}

test('malformed requests that are truncated anywhere cause no crash', async () => {
  const faults: string[] = [];
  let next = 0;
  const client = async () => {
    while (next < REQUESTS) {
      const seed = next++;
      const random = chance(seed * 7919 + 1);
      const bytes = mutated(SEEDS[seed % SEEDS.length]!, random);
      const cut = random(3) === 0 ? bytes.length : random(bytes.length);
      const response = await send(bytes, cut, 1 + random(4), random(2) === 0);
      for (const [, status] of response.matchAll(/^HTTP\/1\.1 (\d{3})/gm))
        if (Number(status) >= 500)
          faults.push(`request ${seed} (${JSON.stringify(bytes.slice(0, cut).slice(0, 300))}): ${response}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  expect(faults).toEqual([]);
  expect((await server.send('GET', '//livez')).status).toBe(200);
  expect(server.output()).not.toMatch(/unexpectedly|nobody (caught|handled)/);
});

/** Files below a folder of the server. */
function filesIn(folder: string): string[] {
  const path = join(servers.folder, folder);
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test('truncated requests leave no state', async () => {
  const isSettled = (names: string[]) => names.every((name) => !name.startsWith('.'));
  // Responses whose client has left are still being prepared.
  await until(
    () => filesIn('data/incoming'),
    (names) => names.length === 0,
  );
  const files = await until(() => filesIn('media'), isSettled);
  let rows = 0;
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const path = `/media?per_page=100&page=${page}&status=any&context=edit`;
    const response = await server.send('GET', path, { as: AS_ADMINISTRATOR });
    pages = Number(response.headers['x-wp-totalpages']);
    rows += response.body.length;
  }
  // Each stored file is that of a row, and each row has one: images of one pixel have no copies.
  expect(files).toHaveLength(rows);
});
