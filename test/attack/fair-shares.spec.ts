// What all callers use is shared among clients, not among requests: one client with many requests keeps no other waiting
// until all of its own are answered.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator, makeActor } from '../support/actors.js';
import { bootSite, type TestSite } from '../support/boot-site.js';

let site: TestSite;

beforeAll(async () => {
  site = await bootSite('schemas', { RESPONSE_MEMORY: '8mb' });
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
