// What all callers use is shared among clients, not among requests: one client with many requests keeps no other waiting
// until all of its own are answered.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { BoundedSemaphore } from '../../src/storage/sql/semaphore.js';
import { administrator, makeActor } from '../support/actors.js';
import { bootSite, type TestSite } from '../support/boot-site.js';
import { from } from './site-with-limits.js';

let site: TestSite;

beforeAll(async () => {
  site = await bootSite('schemas', { RESPONSE_MEMORY: '8mb', TRUST_PROXY: '1' });
});
afterAll(() => site?.close());

test('memory for large answers', async () => {
  const body = { title: 'Long', content: 'word '.repeat(40_000), status: 'publish' };
  for (let made = 0; made < 5; made++)
    await site.send('POST', '/posts', { as: administrator(site).headers, body, status: 201 });
  const greedy = await makeActor(site, 'author', 'greedy');
  const modest = await makeActor(site, 'author', 'modest');
  // Their passwords have been checked before.
  for (const { headers } of [greedy, modest]) await site.send('GET', '/users/me', { as: headers, status: 200 });
  const list = { query: { _fields: 'content' }, status: 200 };
  let answered = 0;
  const many = Array.from({ length: 20 }, async () => {
    await site.send('GET', '/posts', { ...list, as: greedy.headers });
    answered++;
  });
  await Promise.race(many);
  await site.send('GET', '/posts', { ...list, as: modest.headers });
  const before = answered;
  await Promise.all(many);
  expect(before).toBeLessThan(10);
});

// How clients take turns there: test/unit/storage/fair-reads.spec.ts.
test('the database: reads that may wait are those of the client who asks for them', async () => {
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
