// Shared resources are divided among clients, not among requests: a client with many requests does not delay others
// until all of its own are answered.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { BoundedSemaphore } from '../../src/storage/sql/semaphore.js';
import { administrator, makeActor } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import { from } from './site-with-limits.js';

let site: TestSite;
let extensions: string;

const CHARACTERS = 3_000_000;
const LARGE_ACTION = `
import { defineExtension } from 'typecase';
export default defineExtension({
  action: {
    name: 'print', resource: 'post', on: 'collection', description: 'Prints.', needs: { signedIn: true },
    returns: { type: 'object', properties: { text: { type: 'string' } } },
    run: async () => ({ text: 'x'.repeat(${CHARACTERS}) }),
  },
});
`;

beforeAll(async () => {
  extensions = mkdtempSync(join(tmpdir(), 'typecase-large-'));
  writeFileSync(join(extensions, 'large.mjs'), LARGE_ACTION);
  site = await startTestSite('schemas', {
    RESPONSE_MEMORY: '8mb',
    TRUST_PROXY: '1',
    MCP: 'on',
    EXTENSIONS_DIR: extensions,
  });
  const body = { title: 'Long', content: 'word '.repeat(40_000), status: 'publish' };
  for (let made = 0; made < 5; made++)
    await site.send('POST', '/posts', { as: administrator(site).headers, body, status: 201 });
});
afterAll(async () => {
  await site?.close();
  rmSync(extensions, { recursive: true, force: true });
});

test('memory for large responses is shared between clients', async () => {
  const greedy = await makeActor(site, 'author', 'greedy');
  const modest = await makeActor(site, 'author', 'modest');
  // Their passwords have been checked before.
  for (const { headers } of [greedy, modest]) await site.send('GET', '/users/me', { as: headers, status: 200 });
  const list = { query: { _fields: 'content' }, status: 200 };
  let received = 0;
  const many = Array.from({ length: 20 }, async () => {
    await site.send('GET', '/posts', { ...list, as: greedy.headers });
    received++;
  });
  await Promise.race(many);
  await site.send('GET', '/posts', { ...list, as: modest.headers });
  const before = received;
  await Promise.all(many);
  expect(before).toBeLessThan(10);
});

test('large results of tools and actions are sent completely to concurrent clients', async () => {
  const as = { ...administrator(site).headers, Accept: 'application/json, text/event-stream' };
  const params = { name: 'list_posts', arguments: { _fields: 'content' } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const tools = await Promise.all(
    Array.from({ length: 16 }, async () => (await site.send('POST', '//mcp', { as, body: message, status: 200 })).text),
  );
  expect(new Set(tools).size).toBe(1);
  expect(tools[0]!.length).toBeGreaterThan(5 * 200_000);
  const actions = await Promise.all(
    Array.from({ length: 16 }, async () => (await site.send('POST', '/posts/print', { as, status: 200 })).body.text),
  );
  expect(actions.map((text) => text.length)).toEqual(Array(16).fill(CHARACTERS));
});

// How clients take turns there: test/unit/storage/fair-reads.spec.ts.
test('reads that may wait for the database are attributed to the client of the request', async () => {
  const { id, headers } = await makeActor(site, 'author', 'reader');
  const gate = jest.spyOn(BoundedSemaphore.prototype, 'run');
  // The engine itself looks for changed settings, which is done for all requests at once.
  const clients = () => [
    ...new Set(gate.mock.calls.splice(0).flatMap(([, requester]) => (requester?.client ? [requester.client] : []))),
  ];
  // A text of this length is compared in a process of its own.
  const search = (word: string) => `/posts?search=${encodeURIComponent(`${word} `.repeat(30))}`;
  try {
    await site.send('GET', search('alpha'), { as: from('192.0.2.7'), status: 200 });
    expect(clients()).toEqual(['192.0.2.7']);
    await site.send('GET', search('beta'), { as: from('2001:db8:1:2:3::4'), status: 200 });
    expect(clients()).toEqual(['2001:db8:1:2']);
    await site.send('GET', search('gamma'), { as: headers, status: 200 });
    // Until the password is proved, the reads are those of the network.
    expect(clients().filter((client) => client !== '127.0.0.1')).toEqual([`#${id}`]);
  } finally {
    gate.mockRestore();
  }
});
