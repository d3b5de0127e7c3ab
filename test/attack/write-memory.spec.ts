// Writes of large texts, and small changes of items that have them: memory is bounded, and requests that find none get
// 503 with Retry-After.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import {
  AS_ADMINISTRATOR as headers,
  memoryOf,
  type ServerProcess,
  type ServerProcesses,
  serverProcesses,
  until,
} from '../support/server-process.js';

const MIB = 1024 * 1024;
const MOST_MEMORY = 512 * MIB;
const content = 'Some words of no interest. '.repeat((4 * MIB) / 27);

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

const post = (body: object, key: string) =>
  server.send('POST', '/posts', { headers: { ...headers, 'Idempotency-Key': key }, body });

test('many concurrent large writes take limited memory', async () => {
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, n) => post({ title: `Post ${n}`, content }, `k${n}`)),
  );
  for (const { status, headers } of responses) {
    expect([201, 503]).toContain(status);
    if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(responses.some(({ status }) => status === 201)).toBe(true);
  expect(memoryOf(server, 'VmHWM')).toBeLessThan(MOST_MEMORY);
});

test('a retried large write returns the current item', async () => {
  const body = { title: 'Once', content };
  const first = await until(
    () => post(body, 'again'),
    ({ status }) => status !== 503,
  );
  const path = `/posts/${first.body.id}`;
  await server.send('PATCH', path, { as: headers, body: { title: 'Twice' } });
  const second = await post(body, 'again');
  expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, 'true']);
  expect(second.body).toMatchObject({ id: first.body.id, title: { raw: 'Twice' }, content: { raw: content } });
});

test('many concurrent small changes of large items, and their deletion, take limited memory', async () => {
  const { body: posts } = await server.send('GET', '/posts?context=edit&_fields=id,title&status=draft', {
    as: headers,
  });
  const changed = await Promise.all(
    posts.map(({ id }: { id: number }) =>
      until(
        () => server.send('PATCH', `/posts/${id}`, { as: headers, body: { title: 'Changed' } }),
        ({ status }) => status !== 503,
      ),
    ),
  );
  expect(changed.map(({ body }) => body.title.raw)).toEqual(posts.map(() => 'Changed'));
  const deleted = await Promise.all(
    posts.map(({ id }: { id: number }) =>
      until(
        () => server.send('DELETE', `/posts/${id}?force=true`, { as: headers }),
        ({ status }) => status !== 503,
      ),
    ),
  );
  expect(deleted.map(({ status }) => status)).toEqual(posts.map(() => 200));
  expect(memoryOf(server, 'VmHWM')).toBeLessThan(MOST_MEMORY);
});
