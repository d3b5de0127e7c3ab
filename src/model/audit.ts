// What the audit log records: who did what, never with which values (docs/operations.md#audit-log). Also tells which
// fields an operation has changed.
import type { Actor } from './actor.js';
import type { ResourceModel } from './model.js';
import type { Operation } from './operation.js';
import type { Row } from './query.js';
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

/** One entry of the log. */
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

/** Writes an entry in the transaction of the act that it is about. */
export type AuditWriter = (entry: AuditEntry, actor: Actor, tx: Transaction) => Promise<void>;

/** Names of the fields that a creation was sent. */
export function sentFields(model: ResourceModel, op: Operation): string[] {
  return Object.keys(op.values).filter((name) => op.values[name] !== undefined && model.fields.has(name));
}

/** Names of the fields that an update has changed; hidden and read-only ones, which follow from them, are left out. */
export function changedFields(model: ResourceModel, row: Row, previous: Row, op: Operation): string[] {
  const changed = [...model.fields.values()].filter(({ name, hidden, readOnly, columns, many, meta }) => {
    if (many) {
      const { before, after } = op.state.sets?.get(name) ?? { before: [], after: [] };
      return before.length !== after.length || before.some((value) => !after.includes(value));
    }
    if (meta) return op.state.metaChanged === true && op.values[name] !== undefined;
    if (hidden || readOnly) return false;
    return columns.some((column) => column.name in row && row[column.name] !== previous[column.name]);
  });
  return changed.map(({ name }) => name);
}

/** Actions that cause events (docs/events.md). */
export const EVENT_ACTIONS = ['created', 'updated', 'published', 'trashed', 'restored', 'deleted', 'login'] as const;
export type EventAction = (typeof EVENT_ACTIONS)[number];

/** One event, as in the log. */
export interface SiteEvent {
  /** Its place in the order of commits; grows, with gaps. */
  readonly id: number;
  readonly resource: string;
  readonly item: number;
  readonly action: EventAction;
  /** Names of the fields that were sent, of a creation, or changed. */
  readonly fields: readonly string[];
  /** Account that did it; 0 for anonymous callers and for the server itself. */
  readonly account: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether everybody could read the item before the change, and after it. */
  readonly open: { readonly before: boolean; readonly after: boolean };
}
