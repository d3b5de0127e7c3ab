import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { Secret } from '../../../src/auth/secret.js';
import type { TokenPair } from '../../../src/auth/tokens.js';
import { requestWith, makeWorld, refusal, type World } from './world.js';

const INVALID = '401 rest_invalid_token';
let world: World;
let ann: number;
let pair: TokenPair;

const bearer = (token: string) => world.actors.actorOf(requestWith(`Bearer ${token}`));
const minutes = (count: number) => {
  world.clock.ms += count * 60_000;
};

beforeEach(async () => {
  world = await makeWorld();
  ann = await world.add({ nick: 'ann', pass_hash: 'one' }, ['helper']);
  pair = await world.tokens.issue((await world.accounts.load(ann))!);
});
afterEach(() => world.end());

describe('an access token', () => {
  it('identifies its account for a quarter of an hour', async () => {
    expect(pair).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    expect(await bearer(pair.access_token)).toMatchObject({ id: ann, roles: ['helper'], via: 'token' });
    minutes(14.9);
    await bearer(pair.access_token);
    minutes(0.2);
    expect(await refusal(bearer(pair.access_token))).toBe(INVALID);
  });

  it('reflects changed roles at once', async () => {
    await world.setRoles(ann, []);
    expect((await bearer(pair.access_token)).capabilities.size).toBe(0);
  });

  it.each([
    ['the password changes', () => world.change(ann, { pass_hash: 'two' })],
    ['the account goes', () => world.remove(ann)],
    ['it is revoked', () => world.tokens.revoke(pair.access_token)],
    ['its refresh token is revoked', () => world.tokens.revoke(pair.refresh_token)],
  ])('becomes invalid when %s, as does its refresh token', async (_, happens) => {
    await bearer(pair.access_token);
    await happens();
    expect(await refusal(bearer(pair.access_token))).toBe(INVALID);
    expect(await refusal(world.tokens.refresh(pair.refresh_token))).toBe(INVALID);
  });

  const unsigned = (header: object, payload: object) =>
    `${[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

  it.each<[string, () => string | Promise<string>]>([
    ['is empty', () => ''],
    ['is nonsense', () => 'a.b.c'],
    ['is a refresh token', () => pair.refresh_token],
    [
      'has another last letter',
      () => pair.access_token.slice(0, -2) + (pair.access_token.at(-2) === 'A' ? 'B' : 'A') + pair.access_token.at(-1),
    ],
    [
      'is unsigned',
      () =>
        unsigned(
          { alg: 'none', typ: 'at+jwt' },
          { sub: String(ann), fam: pair.refresh_token.slice(0, 22), iss: 'typecase', exp: 2e9 },
        ),
    ],
    ['is signed with another key', () => sign(new Secret('another secret').key('access-token'))],
    ['is signed for another purpose', () => sign(new Secret('a secret of the tests').key('refresh-token'))],
    ['names another account', () => sign(new Secret('a secret of the tests').key('access-token'), ann + 1)],
  ])('is refused when it %s', async (_, make) => {
    expect(await refusal(bearer(await make()))).toBe(INVALID);
  });

  it('is refused with a challenge when it is invalid', async () => {
    const error: unknown = await Promise.resolve(bearer('x')).catch((each: unknown) => each);
    expect(error).toMatchObject({ headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
  });

  function sign(key: Uint8Array, account = ann): Promise<string> {
    const seconds = Math.floor(world.clock.ms / 1000);
    return new SignJWT({ fam: pair.refresh_token.slice(0, 22) })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setIssuer('typecase')
      .setSubject(String(account))
      .setExpirationTime(seconds + 60)
      .sign(key);
  }
});

describe('a refresh token', () => {
  it('is exchanged for a new pair of tokens', async () => {
    const next = await world.tokens.refresh(pair.refresh_token);
    expect(next.refresh_token).not.toBe(pair.refresh_token);
    expect(await bearer(next.access_token)).toMatchObject({ id: ann });
    expect(await bearer(pair.access_token)).toMatchObject({ id: ann });
    await world.tokens.refresh(next.refresh_token);
  });

  it('that is forged ends no family of tokens', async () => {
    const family = pair.refresh_token.slice(0, 22);
    const forged = [
      `${family}.${'A'.repeat(43)}`,
      pair.refresh_token.slice(0, -1) + (pair.refresh_token.endsWith('A') ? 'B' : 'A'),
    ];
    for (const token of forged) {
      expect(await refusal(world.tokens.refresh(token))).toBe(INVALID);
      await world.tokens.revoke(token);
    }
    expect(await bearer(pair.access_token)).toMatchObject({ id: ann });
    await world.tokens.refresh(pair.refresh_token);
  });

  it('that was used can still revoke its family', async () => {
    const next = await world.tokens.refresh(pair.refresh_token);
    await world.tokens.revoke(pair.refresh_token);
    expect(await refusal(bearer(next.access_token))).toBe(INVALID);
  });

  it('of an older version is accepted while it is the newest', async () => {
    const token = `${pair.refresh_token.slice(0, 22)}.${'q'.repeat(43)}`;
    const hash = new Secret('a secret of the tests').fingerprint('refresh-token', token);
    await world.store.transaction((tx) => tx.update('typecase_refresh_tokens', { hash }, { op: 'true' }));
    expect(await bearer((await world.tokens.refresh(token)).access_token)).toMatchObject({ id: ann });
  });

  it('ends when its account has fifty newer families', async () => {
    const account = (await world.accounts.load(ann))!;
    const second = await world.tokens.issue(account);
    for (let at = 0; at < 49; at++) await world.tokens.issue(account);
    expect(await refusal(world.tokens.refresh(pair.refresh_token))).toBe(INVALID);
    await world.tokens.refresh(second.refresh_token);
  });

  it('calls the given check before it is used, and stays valid when the check fails', async () => {
    const full = () => Promise.reject(new Error('full'));
    await expect(world.tokens.refresh(pair.refresh_token, full)).rejects.toThrow('full');
    await world.tokens.refresh(pair.refresh_token);
  });

  it('that is used twice ends only its own family', async () => {
    const other = await world.tokens.issue((await world.accounts.load(ann))!);
    const next = await world.tokens.refresh(pair.refresh_token);
    expect(await refusal(world.tokens.refresh(pair.refresh_token))).toBe(INVALID);
    expect(await refusal(world.tokens.refresh(next.refresh_token))).toBe(INVALID);
    expect(await refusal(bearer(next.access_token))).toBe(INVALID);
    expect(await bearer(other.access_token)).toMatchObject({ id: ann });
  });

  it('works once when it is sent concurrently', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => refusal(world.tokens.refresh(pair.refresh_token))));
    expect(all.filter((each) => each.startsWith('no refusal'))).toHaveLength(1);
  });

  it('is valid for thirty days from its issue, and each refresh issues a new one', async () => {
    minutes(29 * 24 * 60);
    const next = await world.tokens.refresh(pair.refresh_token);
    minutes(29 * 24 * 60);
    const last = await world.tokens.refresh(next.refresh_token);
    minutes(30 * 24 * 60);
    expect(await refusal(world.tokens.refresh(last.refresh_token))).toBe(INVALID);
  });

  it('is stored as a hash, and deleted at its end', async () => {
    const rows = () =>
      world.store.reader.select({
        table: 'typecase_refresh_tokens',
        columns: ['family', 'hash', 'version'],
        where: { op: 'true' },
        order: [],
      });
    expect(JSON.stringify(await rows())).not.toContain(pair.refresh_token.slice(23));
    minutes(31 * 24 * 60);
    await world.tokens.issue((await world.accounts.load(ann))!);
    expect(await rows()).toHaveLength(1);
  });

  it('can be revoked by an expired access token; unknown tokens revoke nothing', async () => {
    minutes(60);
    for (const token of ['', 'x', 'a.b.c', `${'a'.repeat(22)}.${'b'.repeat(43)}`]) await world.tokens.revoke(token);
    const next = await world.tokens.refresh(pair.refresh_token);
    await world.tokens.revoke(pair.access_token);
    expect(await refusal(world.tokens.refresh(next.refresh_token))).toBe(INVALID);
  });
});
