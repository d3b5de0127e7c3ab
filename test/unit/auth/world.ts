// A tiny site of members in a fresh SQLite file, with everything that authentication is made of, for the specs of this folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Accounts } from '../../../src/auth/accounts.js';
import { ActorSource } from '../../../src/auth/actor-source.js';
import { ApplicationPasswords } from '../../../src/auth/application-passwords.js';
import { MemoryCounters } from '../../../src/auth/rate-limit/memory-counters.js';
import { BasicVerifier } from '../../../src/auth/credentials.js';
import { PasswordHasher } from '../../../src/auth/password-hasher.js';
import { RoleSet, type Role } from '../../../src/auth/roles.js';
import { Secret } from '../../../src/auth/secret.js';
import { LoginThrottle } from '../../../src/auth/rate-limit/login-throttle.js';
import { REFRESH_TOKENS } from '../../../src/auth/token-families.js';
import { Tokens } from '../../../src/auth/tokens.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import type { ModelSet, ResourceModel } from '../../../src/model/model.js';
import { equals, type Row } from '../../../src/model/query.js';
import { openSqliteStore, type SqliteStore } from '../../../src/storage/sqlite/store.js';
import type { TableModel } from '../../../src/model/table.js';
import { APPLICATION_PASSWORDS } from '../../../src/auth/application-password-rows.js';

const MEMBERS: TableModel = {
  name: 'members',
  columns: new Map([
    ['id', { name: 'id', kind: 'integer', primary: true }],
    ['kind', { name: 'kind', kind: 'varchar', length: 20, default: 'reader' }],
    ['nick', { name: 'nick', kind: 'varchar', length: 60 }],
    ['email', { name: 'email', kind: 'varchar', length: 100, default: '' }],
    ['pass_hash', { name: 'pass_hash', kind: 'varchar', length: 255, default: '' }],
    ['extra', { name: 'extra', kind: 'json', nullable: true }],
  ]),
  indexes: new Map([['members_nick', { name: 'members_nick', columns: ['nick'], unique: true }]]),
  counted: [],
};

const GROUPS: TableModel = {
  name: 'members_groups',
  columns: new Map([
    ['owner_id', { name: 'owner_id', kind: 'integer', primary: true }],
    ['value', { name: 'value', kind: 'varchar', length: 50, primary: true }],
  ]),
  indexes: new Map(),
  counted: [],
};

const fields = new Map<string, unknown>([
  ['nick', { name: 'nick', column: 'nick' }],
  ['secret', { name: 'secret', column: 'pass_hash' }],
  ['groups', { name: 'groups', many: { table: 'members_groups', value: 'value' } }],
]);

const MODEL = {
  name: 'member',
  table: MEMBERS,
  integerKey: true,
  fields,
  discriminator: { kind: 'reader' },
  rowScope: { op: 'eq', column: 'kind', value: 'reader' },
  faces: {
    accounts: {
      fields: { username: 'nick', email: 'email', password: 'secret', roles: 'groups', extra: 'extra' },
      keys: { username: 'login_key', email: 'email_key' },
    },
  },
} as unknown as ResourceModel;

const ROLES = new Map<string, Role>([
  ['chief', { label: 'Chief', capabilities: ['lend', 'buy'] }],
  ['helper', { label: 'Helper', capabilities: ['lend'] }],
]);

export class CountingHasher extends PasswordHasher {
  verified = 0;
  override verify(...args: Parameters<PasswordHasher['verify']>): Promise<boolean> {
    this.verified++;
    return super.verify(...args);
  }
}

/** For tests that are not about the strength of hashes. */
export const CHEAP_HASH = { memoryCost: 8, timeCost: 1 };

/** Everything, wired as app.ts does. */
export interface World {
  store: SqliteStore;
  accounts: Accounts;
  models: ModelSet;
  hasher: CountingHasher;
  passwords: ApplicationPasswords;
  basic: BasicVerifier;
  tokens: Tokens;
  actors: ActorSource;
  roles: RoleSet;
  clock: { ms: number };
  add(row: Row, roles?: string[]): Promise<number>;
  change(id: number, row: Row): Promise<void>;
  setRoles(id: number, roles: string[]): Promise<void>;
  remove(id: number): Promise<void>;
  end(): Promise<void>;
}

export async function makeWorld(options: { throttled?: boolean; accountPasswords?: boolean } = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-auth-'));
  const tables = [MEMBERS, GROUPS, APPLICATION_PASSWORDS, REFRESH_TOKENS];
  const store = await openSqliteStore(
    join(folder, 'db.sqlite'),
    { synchronous: 'normal', statementMs: 0 },
    new Map(tables.map((table) => [table.name, table])),
  );
  const models = { byName: new Map([['member', MODEL]]), tables: new Map(), ofTable: new Map() } as ModelSet;
  const clock = { ms: Date.parse('2030-05-04T03:02:01Z') };
  const now = () => clock.ms;
  const secret = new Secret('a secret of the tests');
  const accounts = Accounts.of(models, store.reader)!;
  const hasher = new CountingHasher({ cost: CHEAP_HASH });
  const passwords = new ApplicationPasswords(store, secret, now);
  const throttle = options.throttled ? new LoginThrottle(new MemoryCounters(now)) : undefined;
  const accountPasswords = options.accountPasswords ?? true;
  const basic = new BasicVerifier({
    accounts,
    applicationPasswords: passwords,
    hasher,
    secret,
    throttle,
    accountPasswords,
  });
  const tokens = new Tokens(accounts, store, secret, now);
  const roles = new RoleSet(ROLES, 'chief');
  let ended = false;
  const actors = new ActorSource({ basic, bearer: tokens, roles, trustProxy: false });
  return {
    store,
    accounts,
    models,
    hasher,
    passwords,
    basic,
    tokens,
    actors,
    roles,
    clock,
    add: (row, names = []) =>
      store.transaction(async (tx) => {
        const id = await tx.insert('members', { kind: 'reader', ...row });
        await tx.insertMany(
          'members_groups',
          names.map((value) => ({ owner_id: id, value })),
        );
        return id;
      }),
    change: async (id, row) => {
      await store.transaction((tx) => tx.update('members', row, equals('id', id)));
    },
    setRoles: (id, names) =>
      store.transaction(async (tx) => {
        await tx.delete('members_groups', equals('owner_id', id));
        await tx.insertMany(
          'members_groups',
          names.map((value) => ({ owner_id: id, value })),
        );
      }),
    remove: async (id) => {
      await store.transaction((tx) => tx.delete('members', equals('id', id)));
    },
    end: async () => {
      if (ended) return;
      ended = true;
      await passwords.flush();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A request as the actor source sees it. */
export function requestWith(authorization?: string, address = '192.0.2.7') {
  return { headers: { authorization, 'user-agent': 'spec' }, socket: { remoteAddress: address } };
}

export function basicHeader(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

/** Status and code of a refusal, or what was not refused. */
export async function refusal(work: unknown): Promise<string> {
  try {
    return `no refusal: ${JSON.stringify(await work)}`;
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    return `${error.statusFor(false)} ${error.code}`;
  }
}
