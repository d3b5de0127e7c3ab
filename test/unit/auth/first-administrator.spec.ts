import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFirstAdministrator, type AccountWriter } from '../../../src/auth/first-administrator.js';
import { requestWith, basicHeader, makeWorld, type World } from './world.js';

let world: World;
let writer: AccountWriter;
const settings = { username: 'root', email: 'root@example.org' };

beforeEach(async () => {
  world = await makeWorld();
  writer = {
    batch: (work) =>
      world.store.transaction((tx) =>
        work({
          tx,
          create: async (resource, values) => {
            expect(resource).toBe('member');
            const { nick, email, secret, groups } = values as Record<string, string>;
            const id = await tx.insert('members', { nick, email, pass_hash: secret, kind: 'reader' });
            await tx.insertMany(
              'members_groups',
              [...(groups as unknown as string[])].map((value) => ({ owner_id: id, value })),
            );
            return id;
          },
        }),
      ),
  };
});
afterEach(() => world.end());

describe('the first administrator', () => {
  it('is created with a generated password that is returned once', async () => {
    const made = await createFirstAdministrator(world.accounts, writer, world, settings);
    expect(made).toMatchObject({ username: 'root' });
    const actor = await world.actors.actorOf(requestWith(basicHeader('root', made!.generatedPassword!)));
    expect(actor).toMatchObject({ id: made!.id, roles: ['chief'] });
    expect(await createFirstAdministrator(world.accounts, writer, world, settings)).toBeUndefined();
  });

  it('gets the configured password, which is not returned', async () => {
    const made = await createFirstAdministrator(world.accounts, writer, world, { ...settings, password: 'given one' });
    expect(made).toEqual({ id: made!.id, username: 'root' });
    expect(await world.actors.actorOf(requestWith(basicHeader('root@example.org', 'given one')))).toMatchObject({
      id: made!.id,
    });
  });

  it('is created once when several processes start', async () => {
    const all = await Promise.all(
      [1, 2, 3].map(() => createFirstAdministrator(world.accounts, writer, world, settings)),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
  });

  it('is not created where accounts exist or no resource stores accounts', async () => {
    expect(await createFirstAdministrator(undefined, writer, world, settings)).toBeUndefined();
    await world.add({ nick: 'ann' });
    expect(await createFirstAdministrator(world.accounts, writer, world, settings)).toBeUndefined();
  });
});
