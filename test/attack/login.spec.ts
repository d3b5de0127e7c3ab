// Guessing passwords of accounts, and floods of wrong logins that could delay right ones.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PasswordHasher } from '../../src/auth/password-hasher.js';
import { basic, makeActor, type Headers } from '../support/actors.js';
import { ADMINISTRATOR, type TestSite } from '../support/start-test-site.js';
import { bootLimited, from, limitOf, refusalOf, TOO_MANY } from './site-with-limits.js';

const WRONG = '401 incorrect_password';
let site: TestSite;

beforeAll(async () => {
  // The flood waits longer than a request may, and for hashes rather than for requests.
  site = await bootLimited({ REQUEST_TIMEOUT: '10m', HASH_MEMORY_COST: '4096' });
});
afterAll(() => site?.close());

const signIn = (name: string, password: string, address: string) =>
  site.send('GET', '/users/me', { headers: from(address, basic(name, password)) });
const token = (username: string, password: string, address: string) =>
  site.send('POST', '//auth/token', { headers: from(address), body: { username, password } });

describe('guessing a password', () => {
  test('is limited by account, however its name is spelled', async () => {
    const spellings = ['admin', 'ADMIN', ' admin', 'admin  ', 'ａｄｍｉｎ', 'admin@example.org', 'Admin@Example.ORG '];
    const responses = [];
    for (let at = 0; at < 12; at++)
      responses.push(refusalOf(await signIn(spellings[at % spellings.length]!, `wrong ${at}`, '192.0.2.1')));
    expect(responses).toEqual([...Array<string>(10).fill(WRONG), TOO_MANY, TOO_MANY]);
    expect(refusalOf(await token('aDmin', 'wrong', '192.0.2.1'))).toBe(TOO_MANY);
    expect((await signIn(ADMINISTRATOR.username, ADMINISTRATOR.password, '192.0.2.2')).status).toBe(200);
  });

  test('is limited alike for unknown names', async () => {
    const spellings = ['nobody', 'NoBody', ' nobody ', 'ｎobody'];
    const responses = [];
    for (let at = 0; at < 11; at++)
      responses.push(await signIn(spellings[at % spellings.length]!, `wrong ${at}`, '192.0.2.3'));
    expect(responses.map(refusalOf)).toEqual([...Array<string>(10).fill(WRONG), TOO_MANY]);
    expect(limitOf(responses[10]!)).toEqual({ limit: 10, remaining: 0, resets: true });
  });

  test('is limited by network for IPv6 addresses', async () => {
    const responses = [];
    for (let at = 0; at < 11; at++) responses.push(await signIn('somebody', 'wrong', `2001:db8:0:1::${at}`));
    expect(responses.map(refusalOf)).toEqual([...Array<string>(10).fill(WRONG), TOO_MANY]);
    expect(refusalOf(await signIn('somebody', 'wrong', '2001:db8:0:2::1'))).toBe(WRONG);
  });

  test('blocks right passwords of the same network for the same time', async () => {
    const { username, password } = await makeActor(site, 'author', 'guessed');
    for (let at = 0; at < 10; at++) await signIn(username, `wrong ${at}`, '192.0.2.4');
    expect(refusalOf(await signIn(username, password, '192.0.2.4'))).toBe(TOO_MANY);
    expect((await signIn(username, password, '192.0.2.5')).status).toBe(200);
  });
});

describe('a flood of wrong logins from a thousand addresses', () => {
  const ADDRESSES = 1000;
  const AT_ONCE = 300;

  /** Starts it; `done` says how many of its requests have responses so far. */
  function flood(requests: number) {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const { port } = site.server.address() as AddressInfo;
    const counts = { done: 0, statuses: {} as Record<number, number> };
    const one = (at: number) =>
      new Promise<void>((resolve, reject) => {
        const address = `10.1.${at >> 8}.${at & 255}`;
        const headers: Headers = from(address, basic(ADMINISTRATOR.username, `wrong ${at}`));
        get({ port, host: '127.0.0.1', path: `${site.base}/users/me`, headers, agent }, (response) => {
          const status = response.statusCode!;
          counts.done++;
          counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
          response.resume().once('end', resolve);
        }).once('error', reject);
      });
    const done = Promise.all(Array.from({ length: requests }, (_, at) => one(at % ADDRESSES))).finally(() =>
      agent.destroy(),
    );
    return { counts, done };
  }

  /** Resolves once the queue is as long as the flood makes it. */
  const under = async (counts: { done: number }, done: number) => {
    while (counts.done < done) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  /** Passwords checked so far, and how many of others were checked while the right one of a user was waiting for its turn. */
  const checked = { all: 0, before: 0 };
  const { verify } = PasswordHasher.prototype;
  jest.spyOn(PasswordHasher.prototype, 'verify').mockImplementation(async function (this: PasswordHasher, ...args) {
    const started = checked.all;
    const isRight = await verify.apply(this, args);
    if (isRight) checked.before = checked.all - started;
    checked.all += 1;
    return isRight;
  });

  /**
   * How many wrong passwords of a flood are checked before a right one is, counted where they wait, so that a machine that is
   * busy otherwise changes nothing; the fewest of three floods, because what is being checked cannot be overtaken.
   */
  async function overtaken(requests: number, rightSignIn: () => Promise<{ status: number }>): Promise<number> {
    let fewest = Infinity;
    for (let attempt = 0; attempt < 3 && fewest > 100; attempt++) {
      const { counts, done } = flood(requests);
      await under(counts, 5);
      checked.before = 0;
      const { status } = await rightSignIn();
      if (status === 200) fewest = Math.min(fewest, checked.before);
      await done;
      expect(Object.keys(counts.statuses).filter((each) => !['401', '429', '503'].includes(each))).toEqual([]);
    }
    return fewest;
  }

  test('does not delay successful logins', async () => {
    const { username, password } = await makeActor(site, 'author', 'regular');
    expect((await signIn(username, password, '192.0.2.10')).status).toBe(200);
    // A name that is spelt in another way is not remembered: this costs a hash.
    let spelt = username;
    const respelt = () => {
      spelt =
        spelt === username.toUpperCase() ? `${username[0]!.toUpperCase()}${username.slice(1)}` : username.toUpperCase();
      return signIn(spelt, password, '192.0.2.10');
    };
    // Of some 300 that were waiting before it.
    expect(await overtaken(ADDRESSES, respelt)).toBeLessThan(50);
    // From where nobody has failed.
    let address = 11;
    expect(await overtaken(100, () => signIn(username, password, `192.0.2.${address++}`))).toBeLessThan(20);
  });
});
