import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BasicVerifier } from '../../../src/auth/credentials.js';
import { requestWith, basicHeader, makeWorld, refusal, type World } from './world.js';

const WRONG = '401 incorrect_password';
const PASSWORD = 'open sesame: now';
let world: World;
let ann: number;

const as = (name: string, password: string, address?: string) =>
  world.actors.actorOf(requestWith(basicHeader(name, password), address));

async function start(options = {}): Promise<void> {
  await world?.end();
  world = await makeWorld(options);
  const pass_hash = await world.hasher.hash(PASSWORD);
  ann = await world.add({ nick: 'ann', email: 'ann@example.org', pass_hash }, ['helper']);
}

beforeEach(() => start());
afterEach(() => world.end());

describe('an account password', () => {
  it.each(['ann', 'ANN', 'ann@example.org', 'Ann@Example.org'])('is accepted with the name %s', async (name) => {
    expect(await as(name, PASSWORD)).toMatchObject({
      id: ann,
      roles: ['helper'],
      via: 'password',
      address: '192.0.2.7',
      agent: 'spec',
    });
  });

  it.each([
    ['another password', basicHeader('ann', 'open sesame')],
    ['an unknown name', basicHeader('bob', PASSWORD)],
    ['no password', basicHeader('ann', '')],
    ['no name', basicHeader('', PASSWORD)],
    ['nothing', 'Basic'],
    ['blanks', 'Basic   '],
    ['no colon', `Basic ${Buffer.from('ann').toString('base64')}`],
    ['what is not base64', `Basic ${basicHeader('ann', PASSWORD).slice(6)}*`],
    ['half a byte', 'Basic YW5uO'],
    ['a NUL in the name', basicHeader('ann\0', PASSWORD)],
    ['a NUL in the password', basicHeader('ann', `${PASSWORD}\0`)],
    ['what is not UTF-8', `Basic ${Buffer.from([0x61, 0xff, 0x3a, 0x62]).toString('base64')}`],
    ['a name no wider than SQL', basicHeader("' OR 1=1 --", PASSWORD)],
    ['a pattern as name', basicHeader('a%', PASSWORD)],
    ['too long a password', basicHeader('ann', 'p'.repeat(5000))],
  ])('is refused in the same way with %s', async (_, header) => {
    expect(await refusal(world.actors.actorOf(requestWith(header)))).toBe(WRONG);
  });

  it('costs a slow hash for unknown names as well', async () => {
    await refusal(as('bob', PASSWORD));
    await refusal(as('ann', 'wrong'));
    expect(world.hasher.verified).toBe(2);
  });

  it('is cached after verification, until it changes', async () => {
    for (let i = 0; i < 20; i++) await as('ann', PASSWORD);
    expect(world.hasher.verified).toBe(1);
    await world.change(ann, { pass_hash: await world.hasher.hash('another one') });
    expect(await refusal(as('ann', PASSWORD))).toBe(WRONG);
    expect(await as('ann', 'another one')).toMatchObject({ id: ann });
  });

  it('stops working when the account is deleted or renamed', async () => {
    await as('ann', PASSWORD);
    await world.change(ann, { nick: 'anna' });
    expect(await refusal(as('ann', PASSWORD))).toBe(WRONG);
    await as('anna', PASSWORD);
    await world.remove(ann);
    expect(await refusal(as('anna', PASSWORD))).toBe(WRONG);
  });

  it('grants the current rights of the account', async () => {
    expect((await as('ann', PASSWORD)).capabilities.has('buy')).toBe(false);
    await world.setRoles(ann, ['chief', 'helper']);
    expect([...(await as('ann', PASSWORD)).capabilities].toSorted()).toEqual(['buy', 'chief', 'helper', 'lend']);
    await world.change(ann, { extra: '{"paint":true,"lend":false}' });
    await world.setRoles(ann, ['helper']);
    expect([...(await as('ann', PASSWORD)).capabilities].toSorted()).toEqual(['helper', 'paint']);
  });

  it('is hashed once for concurrent requests', async () => {
    const actors = await Promise.all(Array.from({ length: 30 }, () => as('ann', PASSWORD)));
    expect(new Set(actors.map((actor) => actor.id))).toEqual(new Set([ann]));
    expect(world.hasher.verified).toBe(1);
  });

  it('matches the username before the e-mail address, and only accounts', async () => {
    const pass_hash = await world.hasher.hash('mine');
    const eve = await world.add({ nick: 'ann@example.org', email: 'eve@example.org', pass_hash });
    await world.add({ nick: 'machine', kind: 'robot', pass_hash });
    expect(await as('ann@example.org', 'mine')).toMatchObject({ id: eve });
    expect(await refusal(as('ann@example.org', PASSWORD))).toBe(WRONG);
    expect(await refusal(as('machine', 'mine'))).toBe(WRONG);
  });

  it('can be disabled for Basic authentication', async () => {
    await start({ accountPasswords: false });
    expect(await refusal(as('ann', PASSWORD))).toBe(WRONG);
    expect(await world.basic.verifyAccount('ann', PASSWORD, '192.0.2.7')).toMatchObject({ account: { id: ann } });
    expect((await world.passwords.create(ann, 'phone')).password).toHaveLength(29);
  });

  it('is never valid on a site without accounts', async () => {
    const { passwords: applicationPasswords, hasher } = world;
    const { Secret } = await import('../../../src/auth/secret.js');
    const bare = new BasicVerifier({ applicationPasswords, hasher, secret: new Secret('x'), accountPasswords: true });
    expect(await refusal(bare.verify(basicHeader('ann', PASSWORD).slice(6), '192.0.2.7'))).toBe(WRONG);
  });
});

describe('failed password checks', () => {
  const LATER = '429 rest_too_many_requests';
  beforeEach(() => start({ throttled: true }));

  it('block a name from one address, even with the right password, but no other name or address', async () => {
    for (let i = 0; i < 10; i++) expect(await refusal(as('ann', `wrong ${i}`))).toBe(WRONG);
    expect(await refusal(as('ann', 'wrong'))).toBe(LATER);
    expect(await refusal(as('ann', PASSWORD))).toBe(LATER);
    expect(await as('ann', PASSWORD, '192.0.2.8')).toMatchObject({ id: ann });
    world.clock.ms += 60_000;
    expect(await as('ann', PASSWORD)).toMatchObject({ id: ann });
  });

  it('block the right password although it is cached', async () => {
    await as('ann', PASSWORD);
    for (let i = 0; i < 10; i++) await refusal(as('ann', `wrong ${i}`));
    expect(await refusal(as('ann', PASSWORD))).toBe(LATER);
  });

  it('of a network block the right password although it is cached', async () => {
    await as('ann', PASSWORD);
    for (let i = 0; i < 100; i++) await refusal(as(`name ${i}`, 'wrong'));
    expect(await as('ann', PASSWORD)).toMatchObject({ id: ann });
    for (let i = 0; i < 10; i++) expect(await refusal(as('ann', `wrong ${i}`))).toBe(LATER);
    expect(await refusal(as('ann', PASSWORD))).toBe(LATER);
  });

  it('are counted when the same wrong password is sent concurrently', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => refusal(as('ann', 'wrong'))));
    expect(new Set(all)).toEqual(new Set([WRONG]));
    expect(await refusal(as('ann', 'wrong'))).toBe(LATER);
  });

  it('do not result from concurrent requests with the right password', async () => {
    await Promise.all(Array.from({ length: 40 }, () => as('ann', PASSWORD)));
    expect(await as('ann', PASSWORD)).toMatchObject({ id: ann });
  });

  it('do not block a request that was authenticated before, until the password changes', async () => {
    const request = requestWith(basicHeader('ann', PASSWORD));
    await world.actors.actorOf(request);
    for (let i = 0; i < 10; i++) await refusal(as('ann', `wrong ${i}`));
    expect(await refusal(as('ann', PASSWORD))).toBe('429 rest_too_many_requests');
    const { verified } = world.hasher;
    expect(await world.actors.actorOf(request)).toMatchObject({ id: ann, via: 'password' });
    expect(world.hasher.verified).toBe(verified);
    await world.change(ann, { pass_hash: await world.hasher.hash('another one') });
    expect(await refusal(world.actors.actorOf(request))).toMatch(/^4/);
  });

  it('do not block application passwords', async () => {
    const { password } = await world.passwords.create(ann, 'phone');
    for (let i = 0; i < 11; i++) await refusal(as('ann', `wrong ${i}`));
    expect(await as('ann', password)).toMatchObject({ id: ann, via: 'application' });
  });
});

describe('an application password', () => {
  it('has 24 letters and digits in groups of four, and is accepted with or without spaces', async () => {
    const { password, uuid } = await world.passwords.create(ann, 'phone', 'app');
    expect(password).toMatch(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    for (const sent of [password, password.replaceAll(' ', ''), `-${password}-`]) {
      expect(await as('ann', sent)).toMatchObject({ id: ann, via: 'application', applicationPassword: uuid });
    }
    expect(await as('ann@example.org', password)).toMatchObject({ id: ann });
    expect(world.hasher.verified).toBe(0);
  });

  it('is stored only as a hash', async () => {
    const { password } = await world.passwords.create(ann, 'phone');
    const columns = ['hash', 'name', 'uuid'];
    const rows = await world.store.reader.select({
      table: 'typecase_application_passwords',
      columns,
      where: { op: 'true' },
      order: [],
    });
    expect(JSON.stringify(rows)).not.toContain(password.replaceAll(' ', ''));
    expect(JSON.stringify(await world.passwords.list(ann))).not.toContain('hash');
  });

  it('belongs to one account and is deleted with it', async () => {
    const { password } = await world.passwords.create(ann, 'phone');
    await world.add({ nick: 'bob', pass_hash: '' });
    expect(await refusal(as('bob', password))).toBe(WRONG);
    await world.remove(ann);
    expect(await refusal(as('ann', password))).toBe(WRONG);
  });

  it('can be listed, renamed and revoked, with immediate effect', async () => {
    const one = await world.passwords.create(ann, 'phone');
    const two = await world.passwords.create(ann, 'laptop');
    expect(await world.passwords.rename(ann, one.uuid, 'old phone')).toBe(true);
    expect((await world.passwords.list(ann)).map(({ name }) => name)).toEqual(['old phone', 'laptop']);
    expect(await world.passwords.get(ann + 1, one.uuid)).toBeUndefined();
    expect(await world.passwords.remove(ann + 1, one.uuid)).toBe(false);
    await as('ann', one.password);
    expect(await world.passwords.remove(ann, one.uuid)).toBe(true);
    expect(await refusal(as('ann', one.password))).toBe(WRONG);
    await as('ann', two.password);
    expect(await world.passwords.removeAll(ann)).toBe(1);
    expect(await refusal(as('ann', two.password))).toBe(WRONG);
  });

  it('records its use at most once a minute', async () => {
    const { password, uuid } = await world.passwords.create(ann, 'phone');
    const uses = async () => {
      await world.passwords.flush();
      const found = await world.passwords.get(ann, uuid);
      return [found?.last_used, found?.last_ip];
    };
    expect(await uses()).toEqual([null, null]);
    await as('ann', password);
    expect(await uses()).toEqual(['2030-05-04T03:02:01', '192.0.2.7']);
    world.clock.ms += 59_000;
    await as('ann', password, '192.0.2.8');
    expect(await uses()).toEqual(['2030-05-04T03:02:01', '192.0.2.7']);
    world.clock.ms += 1_000;
    await as('ann', password, '192.0.2.8');
    expect(await uses()).toEqual(['2030-05-04T03:03:01', '192.0.2.8']);
  });
});

describe('other headers', () => {
  it.each([undefined, '', 'Digest username="ann"', 'Negotiate abc', 'nonsense', ':'])(
    '%j mean an anonymous caller',
    async (header) => {
      const actor = await world.actors.actorOf(requestWith(header, '::ffff:192.0.2.9'));
      expect(actor).toEqual({ id: 0, roles: [], capabilities: new Set(), address: '192.0.2.9', agent: 'spec' });
    },
  );

  it('name the scheme in upper or lower case', async () => {
    const header = basicHeader('ann', PASSWORD).replace('Basic ', 'bAsIc  ');
    expect(await world.actors.actorOf(requestWith(header))).toMatchObject({ id: ann });
  });
});
