// Refresh token families: one row per login, with the fingerprint of its newest refresh token. An older token of the
// family does not match it: it was used before and may have been stolen.
import { and, equals, oneOf } from '../model/query.js';
import { readerFor, smallReader } from '../model/functions/reader-for.js';
import type { Requester, Reader, Store, Transaction } from '../model/store.js';
import type { TableModel } from '../model/table.js';

const TABLE = 'typecase_refresh_tokens';
/** Active families of one account; a further one ends the least recently renewed. */
const MAX_FAMILIES = 50;
/** Families deleted by one transaction. */
const BATCH = 1000;
const COLUMNS = ['family', 'account_id', 'hash', 'version', 'expires'] as const;

/** Table of families. `expires` is in seconds since 1970. */
export const REFRESH_TOKENS: TableModel = {
  name: TABLE,
  columns: new Map([
    ['id', { name: 'id', kind: 'integer', primary: true }],
    ['family', { name: 'family', kind: 'varchar', length: 22, binary: true }],
    ['account_id', { name: 'account_id', kind: 'integer' }],
    ['hash', { name: 'hash', kind: 'varchar', length: 43, binary: true }],
    ['version', { name: 'version', kind: 'varchar', length: 43, binary: true }],
    ['expires', { name: 'expires', kind: 'integer' }],
  ]),
  indexes: new Map([
    ['typecase_refresh_tokens_family', { name: 'typecase_refresh_tokens_family', columns: ['family'], unique: true }],
    ['typecase_refresh_tokens_account', { name: 'typecase_refresh_tokens_account', columns: ['account_id'] }],
    ['typecase_refresh_tokens_expires', { name: 'typecase_refresh_tokens_expires', columns: ['expires'] }],
  ]),
  counted: [],
};

/** One login and the refresh tokens that follow from it. */
export interface Family {
  family: string;
  account_id: number;
  /** Fingerprint of the refresh token that is still unused. */
  hash: string;
  /** Fingerprint of the password at login. */
  version: string;
  expires: number;
}

/** Storage of the families of a site. */
export class TokenFamilies {
  constructor(
    private readonly store: Store,
    private readonly seconds: () => number,
  ) {}

  /** Starts a family, deletes expired ones, and ends the oldest of the account beyond 50. */
  async begin(family: Family): Promise<void> {
    await this.store.transaction(async (tx) => {
      await tx.delete(TABLE, { op: 'lt', column: 'expires', value: this.seconds() });
      await tx.insert(TABLE, { ...family });
      await this.endOldest(tx, family.account_id);
    });
  }

  /** Finds an active family. */
  async find(family: string, requester?: Requester): Promise<Family | undefined> {
    return this.findIn(readerFor(smallReader(this.store.reader), requester), family);
  }

  /** Replaces the token `spent` by the next one; false when it was not the newest, and then the family is ended. */
  async rotate(family: string, spent: string, next: { hash: string; expires: number }): Promise<boolean> {
    return this.store.transaction(async (tx) => {
      const changed = await tx.update(TABLE, next, and(equals('family', family), equals('hash', spent)));
      if (changed === 0) await tx.delete(TABLE, equals('family', family));
      return changed > 0;
    });
  }

  /** Ends a family. */
  async end(family: string): Promise<void> {
    await this.store.transaction((tx) => tx.delete(TABLE, equals('family', family)));
  }

  private async endOldest(tx: Transaction, accountId: number): Promise<void> {
    const where = equals('account_id', accountId);
    const order = ['expires', 'id'].map((column) => ({ column, direction: 'desc' as const }));
    const old = await tx.select({ table: TABLE, columns: ['id'], where, order, offset: MAX_FAMILIES, limit: BATCH });
    const ids = old.map((row) => Number(row['id']));
    if (ids.length > 0) await tx.delete(TABLE, oneOf('id', ids));
  }

  private async findIn(reader: Reader, family: string): Promise<Family | undefined> {
    const row = await reader.first(TABLE, COLUMNS, equals('family', family));
    if (!row || Number(row['expires']) <= this.seconds()) return undefined;
    return { ...(row as Family), account_id: Number(row['account_id']) };
  }
}
