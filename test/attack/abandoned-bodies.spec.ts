// Clients that send a whole compressed body and leave while it is inflated: what their bodies held has to be given back.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BodyBudget, sharesOf } from '../../src/http/memory/body-budget.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { type ServerProcess, type ServerProcesses, serverProcesses, until } from '../support/server-process.js';

const KIB = 1024;
const COMMENT = { content: 'x'.repeat(200 * KIB) };
const JSON_BODY = JSON.stringify(COMMENT);
const BODIES = [
  { encoding: 'gzip', bytes: gzipSync(JSON_BODY) },
  { encoding: 'br', bytes: brotliCompressSync(JSON_BODY) },
];

let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;

beforeAll(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url, { RATE_LIMIT: 'none', BODY_MEMORY: '16mb' });
  server = await servers.start();
  await server.ready();
});

afterAll(async () => {
  await servers.close();
  await database.drop();
});

async function abandon(number: number): Promise<void> {
  const { encoding, bytes } = BODIES[number % BODIES.length]!;
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head =
    `POST /cms/v2/comments HTTP/1.1\r\nHost: api.test\r\nContent-Type: application/json\r\n` +
    `Content-Encoding: ${encoding}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  await new Promise((sent) => socket.write(Buffer.concat([Buffer.from(head), bytes]), sent));
  await sleep(number % 5);
  socket.resetAndDestroy();
}

test('clients that disconnect while their bodies are decompressed do not use up the memory for bodies', async () => {
  for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 60 }, (_, n) => abandon(n)));
  const last = await until(
    () => server.send('POST', '/comments', { body: COMMENT }),
    ({ status }) => status !== 503,
  );
  expect(last.status).toBeLessThan(500);
});

test('a body that continues after its memory was released takes no further memory', () => {
  const budget = new BodyBudget(sharesOf(64 * KIB, KIB, KIB));
  const hold = budget.open('guest', false, () => false);
  hold.take(KIB);
  hold.release();
  expect(() => hold.take(KIB)).toThrow('The client has left.');
  expect(budget.size).toBe(0);
});
