// The table of application passwords, and its rows.
import { and, equals, type Row } from '../model/query.js';
import type { Transaction } from '../model/store.js';
import type { Scope } from '../model/actor.js';
import type { ColumnModel, TableModel } from '../model/table.js';

/** Name of the table. */
export const TABLE = 'typecase_application_passwords';

const column = (name: string, kind: ColumnModel['kind'], more: Partial<ColumnModel> = {}): [string, ColumnModel] => [
  name,
  { name, kind, ...more },
];

/** Table of application passwords. Date-times are UTC. */
export const APPLICATION_PASSWORDS: TableModel = {
  name: TABLE,
  columns: new Map([
    column('id', 'integer', { primary: true }),
    column('uuid', 'varchar', { length: 36, binary: true }),
    column('app_id', 'varchar', { length: 36, default: '' }),
    column('account_id', 'integer'),
    column('name', 'varchar', { length: 255 }),
    column('hash', 'varchar', { length: 43, binary: true }),
    column('created', 'datetime'),
    column('last_used', 'datetime', { nullable: true, ofUse: true }),
    column('last_ip', 'varchar', { length: 45, nullable: true, ofUse: true }),
    column('scope', 'varchar', { length: 1000, default: '', nullable: false }),
  ]),
  indexes: new Map([
    [
      'typecase_application_passwords_hash',
      { name: 'typecase_application_passwords_hash', columns: ['hash'], unique: true },
    ],
    [
      'typecase_application_passwords_account',
      { name: 'typecase_application_passwords_account', columns: ['account_id', 'uuid'] },
    ],
  ]),
  counted: [],
};

/** One application password as stored, without the password itself. */
export interface ApplicationPassword {
  readonly uuid: string;
  readonly app_id: string;
  readonly account_id: number;
  readonly name: string;
  readonly created: string;
  readonly last_used: string | null;
  readonly last_ip: string | null;
  /** What it may be used for; absent: whatever the account may do. */
  readonly scope?: Scope;
}

/** Columns that callers see. */
export const SHOWN_COLUMNS = [
  'uuid',
  'app_id',
  'account_id',
  'name',
  'created',
  'last_used',
  'last_ip',
  'scope',
] as const;

/** Maximum per account: the list is not paginated. */
const MAX_PER_ACCOUNT = 100;

/** Whether an account has the maximum number of application passwords. */
export async function isFull(tx: Transaction, accountId: number): Promise<boolean> {
  const where = equals('account_id', accountId);
  const order = [{ column: 'uuid', direction: 'asc' as const }];
  const last = await tx.select({ table: TABLE, columns: ['id'], where, order, offset: MAX_PER_ACCOUNT - 1, limit: 1 });
  return last.length > 0;
}

/** The condition for the application password of an account with this UUID. */
export function ofAccount(accountId: number, uuid: string) {
  return and(equals('account_id', accountId), equals('uuid', uuid));
}

/** A row as callers see it. */
export function passwordOf(row: Row): ApplicationPassword {
  const { scope, ...rest } = row;
  const limits = scope ? { scope: JSON.parse(String(scope)) as Scope } : {};
  return { ...(rest as ApplicationPassword), account_id: Number(row['account_id']), ...limits };
}

/** A time in milliseconds as the table stores it: UTC, to the second. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
