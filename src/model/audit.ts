// What the audit log records: who did what, never with which values (docs/operations.md#audit-log).
import type { Actor } from './actor.js';
import type { Transaction } from './store.js';

/** What was done: to an item, or with credentials. */
export type AuditAction =
  | 'create'
  | 'update'
  | 'trash'
  | 'restore'
  | 'delete'
  | 'login'
  | 'password-create'
  | 'password-rename'
  | 'password-revoke';

/** One act. */
export interface AuditEntry {
  action: AuditAction;
  /** Name of the resource. */
  resource: string;
  /** Id of the item; 0 where there is none. */
  item: number;
  /** Names of the fields that were written. */
  fields: readonly string[];
  /** UUID of the application password that it is about; else the one that the caller used is recorded. */
  credential?: string;
}

/** Records an act in a transaction: with it, or not at all. */
export type AuditWriter = (entry: AuditEntry, actor: Actor, tx: Transaction) => Promise<void>;
