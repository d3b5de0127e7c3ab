// Guessing the passwords of protected items, by the items themselves and by what belongs to them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { administrator, makeActor, type Headers } from '../support/actors.js';
import type { TestSite } from '../support/start-test-site.js';
import { bootLimited, from, limitOf, refusalOf, TOO_MANY } from './site-with-limits.js';

const WRONG = '403 rest_post_incorrect_password';
const RIGHT = 'open sesame';
let site: TestSite;
let admin: Headers;

beforeAll(async () => {
  site = await bootLimited();
  admin = administrator(site).headers;
});
afterAll(() => site?.close());

const make = async (values: object): Promise<number> => {
  const post = { title: 'Locked', content: 'Nobody reads this.', status: 'publish', password: RIGHT, ...values };
  const { body } = await site.send('POST', '/posts', { as: admin, body: post, status: 201 });
  return body.id;
};
const read = (id: number, password: string, address: string, headers: Headers = {}) =>
  site.send('GET', `/posts/${id}`, { query: { password }, headers: from(address, headers) });
const guess = async (id: number, times: number, address: string) => {
  const responses = [];
  for (let at = 0; at < times; at++) responses.push(refusalOf(await read(id, `wrong ${at}`, address)));
  return responses;
};

describe('wrong passwords of an item', () => {
  test('are limited to ten a minute per network, after which the right one is refused too', async () => {
    const id = await make({});
    expect(await guess(id, 12, '192.0.2.1')).toEqual([...Array<string>(10).fill(WRONG), TOO_MANY, TOO_MANY]);
    const right = await read(id, RIGHT, '192.0.2.1');
    expect(refusalOf(right)).toBe(TOO_MANY);
    expect(limitOf(right)).toEqual({ limit: 10, remaining: 0, resets: true });
    const elsewhere = await read(id, RIGHT, '192.0.2.2');
    expect([elsewhere.status, elsewhere.body.content.rendered]).toEqual([200, expect.stringContaining('Nobody')]);
    expect((await site.send('GET', `/posts/${id}`, { headers: from('192.0.2.1') })).status).toBe(200);
  });

  test('do not block callers who may edit the item', async () => {
    const id = await make({});
    await guess(id, 11, '192.0.2.3');
    expect((await read(id, RIGHT, '192.0.2.3', admin)).status).toBe(200);
    const edited = site.send('GET', `/posts/${id}?context=edit`, { headers: from('192.0.2.3', admin) });
    expect((await edited).body.content.rendered).toContain('Nobody');
  });

  test('from many networks block nobody', async () => {
    const id = await make({});
    for (let network = 0; network < 31; network++) await guess(id, 10, `198.51.100.${network}`);
    // One guess for each from now on.
    expect(await guess(id, 2, '192.0.2.4')).toEqual([WRONG, TOO_MANY]);
    for (const address of ['192.0.2.5', '192.0.2.5', '2001:db8::1'])
      expect((await read(id, RIGHT, address)).status).toBe(200);
  });

  test('are counted in requests for its comments, too', async () => {
    const id = await make({});
    const comments = (password: string, address: string) =>
      site.send('GET', '/comments', { query: { post: id, password }, headers: from(address) });
    const responses = [];
    for (let at = 0; at < 11; at++) responses.push(refusalOf(await comments(`wrong ${at}`, '192.0.2.6')));
    expect(responses).toEqual([...Array<string>(10).fill('401 rest_cannot_read_post'), TOO_MANY]);
    expect(refusalOf(await read(id, RIGHT, '192.0.2.6'))).toBe(TOO_MANY);
    expect((await comments(RIGHT, '192.0.2.7')).status).toBe(200);
  });
});

describe('an item that is hidden from the caller', () => {
  test('cannot be told from a missing one by its limit', async () => {
    const hidden = await make({ status: 'draft' });
    const stranger = await makeActor(site, 'subscriber');
    for (const headers of [{}, stranger.headers]) {
      const one = await read(hidden, 'wrong', '192.0.2.8', headers);
      const responses = [];
      for (let at = 0; at < 15; at++)
        responses.push(refusalOf(await read(hidden, `wrong ${at}`, '192.0.2.8', headers)));
      expect(new Set(responses)).toEqual(new Set([refusalOf(one)]));
      expect([401, 403, 404]).toContain(one.status);
      expect((await read(4711, 'wrong', '192.0.2.8', headers)).status).toBe(404);
    }
  });
});
