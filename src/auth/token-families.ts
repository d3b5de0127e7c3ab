// What is kept of a login by token: one row per family, with the fingerprint of its newest refresh token (decisions 0.21).
// An older token of the family finds another fingerprint there: it was spent, and may have been stolen. Used by tokens.ts.
import type { TableModel } from '../model/model.js';
import { and, equals } from '../model/query.js';
import type { Reader, Store, Transaction } from '../model/store.js';

const TABLE = 'typecase_refresh_tokens';
const COLUMNS = ['family', 'account_id', 'hash', 'version', 'expires'] as const;

/** Where families are kept. `expires` is in seconds since 1970. */
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

/** One login and what follows from it. */
export interface Family {
  family: string;
  account_id: number;
  /** Fingerprint of the refresh token that is not spent yet. */
  hash: string;
  /** Fingerprint of the password it began with. */
  version: string;
  expires: number;
}

/** The families of a site. */
export class TokenFamilies {
  constructor(
    private readonly store: Store,
    private readonly seconds: () => number,
  ) {}

  /** Begins a family, and forgets those that are over. */
  async begin(family: Family): Promise<void> {
    await this.store.transaction(async (tx) => {
      await tx.delete(TABLE, { op: 'lt', column: 'expires', value: this.seconds() });
      await tx.insert(TABLE, { ...family });
    });
  }

  /** A family that goes on. */
  async find(family: string): Promise<Family | undefined> {
    return this.findIn(this.store.reader, family);
  }

  /** Puts a new token in the place of `spent`; false when that was not the newest one, and then the family is over. */
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

  /** Ends all families of an account, in `tx` if there is one already. */
  async endAll(accountId: number, tx?: Transaction): Promise<void> {
    const where = equals('account_id', accountId);
    await (tx ? tx.delete(TABLE, where) : this.store.transaction((own) => own.delete(TABLE, where)));
  }

  private async findIn(reader: Reader, family: string): Promise<Family | undefined> {
    const row = await reader.first(TABLE, COLUMNS, equals('family', family));
    if (!row || Number(row['expires']) <= this.seconds()) return undefined;
    return { ...(row as Family), account_id: Number(row['account_id']) };
  }
}
