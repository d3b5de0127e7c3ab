// COMPRESSION=off and RESPONSE_CACHE=off: what a proxy in front may do instead.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';

let site: TestSite;

beforeAll(async () => {
  site = await startTestSite('schemas', { COMPRESSION: 'off', RESPONSE_CACHE: 'off' });
  const body = { title: 'Long', content: 'Words that repeat. '.repeat(400), status: 'publish' };
  await site.send('POST', '/posts', { as: administrator(site).headers, body, status: 201 });
});
afterAll(() => site?.close());

test('with COMPRESSION=off no response is compressed', async () => {
  const response = await site.send('GET', '/posts', { headers: { 'Accept-Encoding': 'br, gzip' }, status: 200 });
  expect(response.headers['content-encoding']).toBeUndefined();
  expect(response.text.length).toBeGreaterThan(1024);
});

test('with the response cache off no response is cached', async () => {
  for (let asked = 0; asked < 4; asked += 1) await site.send('GET', '/posts', { status: 200 });
  const { text } = await site.send('GET', '//metrics', { status: 200 });
  const counted = [...text.matchAll(/^typecase_response_cache_total\{result="\w+"\} (\d+)$/gm)];
  expect(counted.map(([, count]) => count)).toEqual(['0', '0']);
});
