// Application passwords: created, listed, verified, revoked. They have too many bits to be guessed, so a fast keyed
// hash suffices and no throttle is needed.
import { randomInt, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ResourceError } from '../errors/resource-error.js';
import { equals } from '../model/query.js';
import { readerFor, smallReader } from '../model/functions/reader-for.js';
import type { Reader, Requester, Store, Transaction } from '../model/store.js';
import { type Actor, type Scope, systemActor } from '../model/actor.js';
import type { AuditAction, AuditWriter } from '../model/audit.js';
import type { Secret } from './secret.js';
import { seal, unseal } from './sealed-text.js';
import {
  type ApplicationPassword,
  timestamp,
  isFull,
  TABLE,
  passwordOf,
  SHOWN_COLUMNS,
  ofAccount,
} from './application-password-rows.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 24;
const USE_NOTED_EVERY = 60_000;

/** Where changes are recorded: in the transaction of the change. */
export interface PasswordAudit {
  write: AuditWriter;
  /** Name of the resource with the accounts. */
  resource: string;
}

/** A creation that may be repeated: the retry returns the password of the first request. */
export interface Repeatable {
  /** What the first request made. */
  find(reader: Reader): Promise<{ uuid: string; password: string } | undefined>;
  /** Stores what was created, in the same transaction. */
  store(created: { uuid: string; password: string }, tx: Transaction): Promise<void>;
}

/** An application password with its secret part. */
export type NewPassword = ApplicationPassword & { password: string; isRepeated?: true };

/** The actor of changes without a caller. */
const COMMAND = systemActor(0, 'command');

/** The code in a password as a client sent it, with or without spaces; undefined for what is no application password. */
export function codeIn(password: string): string | undefined {
  const code = password.replace(/[^A-Za-z0-9]/g, '');
  return code.length === LENGTH ? code : undefined;
}

/** The application passwords of every account. */
export class ApplicationPasswords {
  private readonly noted = new LRUCache<string, number>({ max: 10_000 });
  private readonly writing = new Set<Promise<unknown>>();

  constructor(
    private readonly store: Store,
    private readonly secret: Secret,
    private readonly now: () => number = Date.now,
    private readonly audit?: PasswordAudit | undefined,
  ) {}

  /**
   * Creates one; `password` is returned only here, and stored only sealed, for a `repeatable` creation.
   * @throws ResourceError 409 `rest_too_many_application_passwords` when the account has 100
   */
  async create(
    accountId: number,
    name: string,
    appId = '',
    by = COMMAND,
    scope?: Scope,
    repeatable?: Repeatable,
  ): Promise<NewPassword> {
    const password = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    const row = {
      uuid: randomUUID(),
      app_id: appId,
      account_id: accountId,
      name,
      created: timestamp(this.now()),
      last_used: null,
      last_ip: null,
      scope: scope ? JSON.stringify(scope) : '',
    };
    const shown = password.match(/.{4}/g)!.join(' ');
    return this.store.transaction(async (tx) => {
      const first = repeatable && (await this.findRepeated(accountId, repeatable, tx));
      if (first) return first;
      if (await isFull(tx, accountId)) throw new ResourceError('rest_too_many_application_passwords');
      await tx.insert(TABLE, { ...row, hash: this.hash(password) });
      await this.record('password-create', accountId, row.uuid, by, tx);
      await repeatable?.store({ uuid: row.uuid, password: shown }, tx);
      return { ...passwordOf(row), password: shown };
    });
  }

  /**
   * What the first request of a repeatable creation created, if there was one.
   * @throws ResourceError 404 when it has been revoked since
   */
  async findRepeated(
    accountId: number,
    repeatable: Repeatable,
    reader: Reader = this.store.reader,
  ): Promise<NewPassword | undefined> {
    const first = await repeatable.find(reader);
    if (!first) return undefined;
    const row = await reader.first(TABLE, SHOWN_COLUMNS, ofAccount(accountId, first.uuid));
    if (!row) throw new ResourceError('rest_application_password_not_found');
    return { ...passwordOf(row), password: first.password, isRepeated: true };
  }

  /** A password as it may be stored for a while; `key`: what has to be sent to get it back. */
  seal(password: string, key: string): string {
    return seal(this.secret, key, password);
  }

  /** The password that was sealed with this key; undefined with another key or secret. */
  open(sealed: string, key: string): string | undefined {
    return unseal(this.secret, key, sealed);
  }

  /** The application passwords of an account, oldest first. */
  async list(accountId: number): Promise<ApplicationPassword[]> {
    const where = equals('account_id', accountId);
    const order = [{ column: 'id', direction: 'asc' as const }];
    return (await this.store.reader.select({ table: TABLE, columns: SHOWN_COLUMNS, where, order })).map(passwordOf);
  }

  /** One application password of an account. */
  async get(accountId: number, uuid: string): Promise<ApplicationPassword | undefined> {
    const row = await this.store.reader.first(TABLE, SHOWN_COLUMNS, ofAccount(accountId, uuid));
    return row && passwordOf(row);
  }

  /** Renames one; false when it does not exist. */
  async rename(accountId: number, uuid: string, name: string, by = COMMAND): Promise<boolean> {
    return this.store.transaction(async (tx) => {
      const found = (await tx.update(TABLE, { name }, ofAccount(accountId, uuid))) > 0;
      if (found) await this.record('password-rename', accountId, uuid, by, tx);
      return found;
    });
  }

  /** Revokes one immediately; false when it does not exist. */
  async remove(accountId: number, uuid: string, by = COMMAND): Promise<boolean> {
    return this.store.transaction(async (tx) => {
      const found = (await tx.delete(TABLE, ofAccount(accountId, uuid))) > 0;
      if (found) await this.record('password-revoke', accountId, uuid, by, tx);
      return found;
    });
  }

  /** Revokes all of an account; returns their number. */
  async removeAll(accountId: number, by = COMMAND): Promise<number> {
    return this.store.transaction(async (tx) => {
      const where = equals('account_id', accountId);
      const found = await tx.select({ table: TABLE, columns: ['uuid'], where, order: [] });
      for (const { uuid } of found) await this.record('password-revoke', accountId, uuid as string, by, tx);
      return tx.delete(TABLE, where);
    });
  }

  /** Finds the one with this code (`codeIn`). */
  async find(code: string, requester?: Requester): Promise<ApplicationPassword | undefined> {
    const reader = readerFor(smallReader(this.store.reader), requester);
    const row = await reader.first(TABLE, SHOWN_COLUMNS, equals('hash', this.hash(code)));
    return row && passwordOf(row);
  }

  /** Records the time and IP address of use, at most once a minute and without delaying the request. */
  recordUse(found: ApplicationPassword, address: string): void {
    const now = this.now();
    // The clock may have been set back.
    if (Math.abs(now - (this.noted.get(found.uuid) ?? 0)) < USE_NOTED_EVERY) return;
    this.noted.set(found.uuid, now);
    const set = { last_used: timestamp(now), last_ip: address };
    const writing = this.store
      .transaction((tx) => tx.update(TABLE, set, equals('uuid', found.uuid)))
      // A lost update is harmless: the next use writes another one.
      .catch(() => this.noted.delete(found.uuid))
      .finally(() => this.writing.delete(writing));
    this.writing.add(writing);
  }

  /** Resolves once no update is pending; to be awaited before the store closes. */
  async flush(): Promise<void> {
    await Promise.all(this.writing);
  }

  private async record(
    action: AuditAction,
    account: number,
    credential: string,
    by: Actor,
    tx: Transaction,
  ): Promise<void> {
    const { write, resource } = this.audit ?? {};
    if (write && resource !== undefined)
      await write({ action, resource, item: account, fields: [], credential }, by, tx);
  }

  private hash(password: string): string {
    return this.secret.fingerprint('application-password', password);
  }
}
