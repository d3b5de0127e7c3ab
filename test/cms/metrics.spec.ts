// `/metrics`: every way in which a request ends is counted, by declared routes alone; access, and what is off.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMINISTRATOR, startTestSite, type TestSite } from '../support/start-test-site.js';
import { basic } from '../support/actors.js';
import { testEngine } from '../support/fresh-database.js';

const ADMIN = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
const TOKEN = 'token-of-the-monitoring';

let open: TestSite;
beforeAll(async () => {
  open = await startTestSite('schemas');
});
afterAll(() => open.close());

/** Values by name and labels: `name{a="b"}`. */
async function metrics(site = open): Promise<Map<string, number>> {
  const { text } = await site.send('GET', '//metrics', { status: 200 });
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** The growth of each value that has grown. The response is counted when it has closed. */
async function grown(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const before = await metrics();
  await work();
  const after = await metrics();
  return new Map(
    [...after].map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const).filter(([, n]) => n > 0),
  );
}

const counted = (route: string, method: string, status: number) =>
  `typecase_http_requests_total{route="${route}",method="${method}",status="${status}"}`;

describe('requests', () => {
  test('are counted whether they are answered by Nest, a compiled read or the cache', async () => {
    const post = await open.send('POST', '/posts', {
      as: ADMIN,
      body: { title: 'One', status: 'publish' },
      status: 201,
    });
    const one = `/posts/${post.body.id}`;
    const got = await grown(async () => {
      for (let i = 0; i < 4; i++) await open.send('GET', '/posts', { status: 200 });
      for (let i = 0; i < 3; i++) await open.send('GET', one, { as: ADMIN, status: 200 });
      await open.send('HEAD', one, { status: 200 });
      await open.send('PATCH', one, { as: ADMIN, body: { title: 'Two' }, status: 200 });
      await open.send('OPTIONS', one, { status: 200 });
    });
    const item = '/cms/v2/posts/:id';
    expect(got.get(counted('/cms/v2/posts', 'GET', 200))).toBe(4);
    expect(got.get(counted(item, 'GET', 200))).toBe(3);
    expect(got.get(counted(item, 'HEAD', 200))).toBe(1);
    expect(got.get(counted(item, 'PATCH', 200))).toBe(1);
    expect(got.get(counted(item, 'OPTIONS', 200))).toBe(1);
    expect(got.get('typecase_response_cache_total{result="hit"}')).toBeGreaterThanOrEqual(2);
    expect(got.get('typecase_response_cache_total{result="miss"}')).toBeGreaterThanOrEqual(2);
    expect(got.get(`typecase_http_request_duration_seconds_count{route="${item}"}`)).toBe(6);
    expect(got.get(`typecase_http_request_duration_seconds_bucket{le="+Inf",route="${item}"}`)).toBe(6);
    expect(got.get(`typecase_http_request_duration_seconds_sum{route="${item}"}`)).toBeLessThan(60);
  });

  test('that match no route, or have an unknown method, share labels', async () => {
    const got = await grown(async () => {
      for (const path of ['/secret-name', '//secret-name', '/posts/secret-name/secret-name'])
        await open.send('GET', path, { status: 404 });
      await open.send('GET', '/posts/999999', { status: 404 });
      await open.send('PURGE' as 'GET', '/secret-name', { status: 404 });
      await open.send('GET', '//uploads/secret-name.png', { status: 404 });
      await open.send('GET', '//', { headers: { Accept: 'text/html' }, status: 200 });
      await open.send('OPTIONS', '/posts', {
        headers: { Origin: 'http://other.test', 'Access-Control-Request-Method': 'POST' },
      });
    });
    expect(got.get(counted('unmatched', 'GET', 404))).toBe(3);
    expect(got.get(counted('unmatched', 'other', 404))).toBe(1);
    expect(got.get(counted('/cms/v2/posts/:id', 'GET', 404))).toBe(1);
    expect(got.get(counted('/uploads/*', 'GET', 404))).toBe(1);
    expect(got.get(counted('browser', 'GET', 200))).toBe(1);
    expect(
      [...got.keys()].filter((key) => /requests_total.*route="preflight",method="OPTIONS"/.test(key)),
    ).toHaveLength(1);
    expect([...(await metrics()).keys()].filter((key) => key.includes('secret'))).toEqual([]);
  });
});

test('statements, connections and the process are measured', async () => {
  const got = await grown(() => open.send('POST', '/tags', { as: ADMIN, body: { name: 'A tag' }, status: 201 }));
  const server = testEngine() !== 'sqlite';
  const role = server ? 'primary' : 'writer';
  expect(got.get(`typecase_database_statements_total{kind="insert",role="${role}"}`)).toBeGreaterThan(0);
  expect(got.get(`typecase_database_statement_seconds_total{kind="insert",role="${role}"}`)).toBeGreaterThan(0);
  const now = await metrics();
  expect(now.get('typecase_database_writers_waiting')).toBe(0);
  expect(now.get('typecase_database_pool_size{role="primary"}')).toBe(server ? 10 : undefined);
  expect(now.get('typecase_database_pool_waiting{role="primary"}')).toBe(server ? 0 : undefined);
  const connections = ['in_use', 'idle'].map((state) =>
    now.get(`typecase_database_pool_connections{role="primary",state="${state}"}`),
  );
  if (server) expect(connections[0]! + connections[1]!).toBeGreaterThan(0);
  else expect(connections).toEqual([undefined, undefined]);
  expect(now.get('process_resident_memory_bytes')).toBeGreaterThan(0);
  expect(now.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
  expect(now.get('typecase_http_requests_in_flight')).toBe(1);
});

test('transactions that wait for their turn are counted', async () => {
  const { store } = open.site;
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const all = Array.from({ length: 3 }, () => store.transaction(() => held));
  // The first one has to reach the database before the others queue behind it.
  while (store.load().writersWaiting !== 2) await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await metrics()).get('typecase_database_writers_waiting')).toBe(2);
  release();
  await Promise.all(all);
  expect((await metrics()).get('typecase_database_writers_waiting')).toBe(0);
});

describe('the endpoint', () => {
  test('forbids caching, and supports GET and HEAD only', async () => {
    const { headers, text } = await open.send('GET', '//metrics', { status: 200 });
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['etag']).toBeUndefined();
    expect(text.endsWith('\n')).toBe(true);
    const head = await open.send('HEAD', '//metrics', { status: 200 });
    expect(head.text).toBe('');
    expect(head.headers['content-type']).toBe(headers['content-type']);
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      expect((await open.send(method, '//metrics', { status: 404 })).body.code).toBe('rest_no_route');
  });

  test('requires only its token', async () => {
    const site = await startTestSite('schemas', { METRICS: TOKEN });
    try {
      const refused: Record<string, string>[] = [
        {},
        { Authorization: `Bearer ${TOKEN}x` },
        { Authorization: TOKEN },
        ADMIN,
      ];
      for (const headers of refused) {
        const response = await site.send('GET', '//metrics', { headers, status: 401 });
        expect(response.body.code).toBe('rest_metrics_token_required');
        expect(response.headers['www-authenticate']).toBe('Bearer realm="metrics"');
        expect(response.headers['cache-control']).toBe('no-store');
      }
      const response = await site.send('GET', '//metrics', {
        headers: { Authorization: `bearer ${TOKEN}` },
        status: 200,
      });
      expect(response.text).toContain(counted('/metrics', 'GET', 401) + ' 4\n');
      expect(response.text).not.toContain(TOKEN);
    } finally {
      await site.close();
    }
  });

  test('does not exist when it is off', async () => {
    const site = await startTestSite('schemas', { METRICS: 'off' });
    try {
      expect((await site.send('GET', '//metrics', { status: 404 })).body.code).toBe('rest_no_route');
    } finally {
      await site.close();
    }
  });
});
