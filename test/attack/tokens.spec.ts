// Requests for tokens and application passwords: how many, how often, and what forged ones can do.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeActor, type TestActor } from '../support/actors.js';
import type { TestSite } from '../support/start-test-site.js';
import { bootLimited, from, limitOf, refusalOf, TOO_MANY } from './site-with-limits.js';

let site: TestSite;

beforeAll(async () => {
  site = await bootLimited();
});
afterAll(() => site?.close());

const post = (path: string, body: object, address: string) => site.send('POST', path, { headers: from(address), body });
const issue = ({ username, password }: TestActor, address: string) =>
  post('//auth/token', { username, password }, address);
const me = (access: string, address: string) =>
  site.send('GET', '/users/me', { headers: from(address, { Authorization: `Bearer ${access}` }) });

describe('rate limits', () => {
  test('apply to tokens of one account from all addresses', async () => {
    const actor = await makeActor(site, 'author', 'collector');
    const responses = [];
    for (let at = 0; at < 62; at++) responses.push(await issue(actor, `192.0.2.${at % 4}`));
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(60).fill(200), 429, 429]);
    expect(refusalOf(responses[61]!)).toBe(TOO_MANY);
    expect(limitOf(responses[61]!)).toEqual({ limit: 60, remaining: 0, resets: true });
    expect(responses[0]!.headers).toMatchObject({ 'ratelimit-limit': '60', 'ratelimit-remaining': '59' });
    expect((await issue(await makeActor(site, 'author', 'bystander'), '192.0.2.1')).status).toBe(200);
  });

  test('apply to refreshes, and do not use up the refused token', async () => {
    const actor = await makeActor(site, 'author', 'renewer');
    let { body } = await issue(actor, '192.0.2.10');
    const statuses = [];
    for (let at = 0; at < 61; at++) {
      const renewed = await post('//auth/token', { refresh_token: body.refresh_token }, '192.0.2.10');
      statuses.push(renewed.status);
      if (renewed.status === 200) body = renewed.body;
    }
    expect(statuses).toEqual([...Array<number>(59).fill(200), 429, 429]);
    expect((await me(body.access_token, '192.0.2.10')).status).toBe(200);
  });

  test('apply to one address for all endpoints', async () => {
    const statuses = [];
    for (let at = 0; at < 302; at++)
      statuses.push((await post('//auth/revoke', { token: `x${at}` }, '2001:db8::' + at.toString(16))).status);
    expect(statuses).toEqual([...Array<number>(300).fill(200), 429, 429]);
    const refused = await post('//auth/token', { refresh_token: 'x' }, '2001:db8::ffff');
    expect(refusalOf(refused)).toBe(TOO_MANY);
    expect(limitOf(refused)).toEqual({ limit: 300, remaining: 0, resets: true });
  });

  test('apply to application passwords', async () => {
    const actor = await makeActor(site, 'author', 'maker');
    const make = (at: number) =>
      site.send('POST', '/users/me/application-passwords', {
        headers: from(`192.0.2.${20 + (at % 3)}`, actor.headers),
        body: { name: `number ${at}` },
      });
    const responses = [];
    for (let at = 0; at < 61; at++) responses.push(await make(at));
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(60).fill(201), 429]);
    expect(limitOf(responses[60]!)).toEqual({ limit: 60, remaining: 0, resets: true });
  });

  test('of all requests apply to token endpoints and wrong credentials too', async () => {
    const narrow = await bootLimited({ RATE_LIMIT: '5/60' });
    try {
      const request = (address: string, headers = {}) =>
        narrow.send('GET', '/posts', { headers: from(address, headers) });
      const revoke = () => narrow.send('POST', '//auth/revoke', { headers: from('192.0.2.1'), body: { token: 'x' } });
      const revoked = [];
      for (let at = 0; at < 6; at++) revoked.push((await revoke()).status);
      expect(revoked).toEqual([200, 200, 200, 200, 200, 429]);
      const wrong = [];
      for (let at = 0; at < 6; at++) wrong.push((await request('192.0.2.2', { Authorization: 'Bearer x' })).status);
      expect(wrong).toEqual([401, 401, 401, 401, 401, 429]);
    } finally {
      await narrow.close();
    }
  });
});

describe('logins of one account', () => {
  test('stay valid for the fifty newest', async () => {
    const actor = await makeActor(site, 'author', 'hoarder');
    const pairs = [];
    for (let at = 0; at < 53; at++) pairs.push((await issue(actor, '192.0.2.30')).body);
    const alive = await Promise.all(pairs.map(({ access_token }) => me(access_token, '192.0.2.30')));
    expect(alive.map(({ status }) => status)).toEqual([401, 401, 401, ...Array<number>(50).fill(200)]);
  });
});

describe('application passwords of one account', () => {
  test('are limited to a hundred, also for concurrent requests', async () => {
    const actor = await makeActor(site, 'author', 'gatherer');
    const { applicationPasswords: passwords } = site.site;
    for (let at = 0; at < 95; at++) await passwords.create(actor.id, `number ${at}`);
    const path = '/users/me/application-passwords';
    const make = async (name: string) =>
      refusalOf(await site.send('POST', path, { headers: from('192.0.2.90', actor.headers), body: { name } }));
    const responses = await Promise.all(Array.from({ length: 10 }, (_, at) => make(`more ${at}`)));
    const [first, ...others] = await passwords.list(actor.id);
    expect(others).toHaveLength(99);
    expect(responses.sort()).toEqual([
      ...Array<string>(5).fill('201'),
      ...Array<string>(5).fill('409 rest_too_many_application_passwords'),
    ]);
    await passwords.remove(actor.id, first!.uuid);
    expect(await make('again')).toBe('201');
  });
});

describe('a forged token with the id of another account', () => {
  test('ends no tokens', async () => {
    const actor = await makeActor(site, 'author', 'victim');
    const { body } = await issue(actor, '192.0.2.40');
    const [family] = body.refresh_token.split('.');
    const forged = `${family}.${'A'.repeat(43)}`;
    expect((await post('//auth/revoke', { token: forged }, '192.0.2.41')).body).toEqual({ revoked: true });
    const renewed = await post('//auth/token', { refresh_token: forged }, '192.0.2.41');
    expect(refusalOf(renewed)).toBe('401 rest_invalid_token');
    const [head, claims] = body.access_token.split('.');
    await post('//auth/revoke', { token: `${head}.${claims}.${'A'.repeat(43)}` }, '192.0.2.41');
    expect((await me(body.access_token, '192.0.2.40')).status).toBe(200);
    expect((await post('//auth/token', { refresh_token: body.refresh_token }, '192.0.2.40')).status).toBe(200);
  });
});
