// Events of items: the rows of two tables. A change writes its events into the outbox, in its own transaction. From
// there one process at a time moves them to the log, whose ids are their order.
import type { SiteEvent } from '../model/audit.js';
import type { Row } from '../model/query.js';
import type { TableModel, ColumnModel } from '../model/table.js';

const columns = (): Map<string, ColumnModel> =>
  new Map<string, ColumnModel>([
    ['id', { name: 'id', kind: 'integer', primary: true }],
    ['resource', { name: 'resource', kind: 'varchar', length: 100, default: '', nullable: false }],
    ['item', { name: 'item', kind: 'integer', default: 0, nullable: false }],
    ['action', { name: 'action', kind: 'varchar', length: 20, default: '', nullable: false }],
    ['fields', { name: 'fields', kind: 'varchar', length: 1000, default: '', nullable: false }],
    ['actor', { name: 'actor', kind: 'integer', default: 0, nullable: false }],
    ['at', { name: 'at', kind: 'integer', default: 0, nullable: false }],
    ['open', { name: 'open', kind: 'integer', default: 0, nullable: false }],
  ]);

/** Events of committed changes that have no position in the log yet. */
export const OUTBOX: TableModel = { name: 'typecase_outbox', columns: columns(), indexes: new Map(), counted: [] };

/** Events in the order of commits. */
export const EVENTS: TableModel = { name: 'typecase_events', columns: columns(), indexes: new Map(), counted: [] };

export const EVENT_COLUMNS = ['id', 'resource', 'item', 'action', 'fields', 'actor', 'at', 'open'];

/** Bits of the column `open`. */
export const BEFORE = 1;
export const AFTER = 2;

/** Maximum length of a list of names in characters, below that of the column. */
const MAX_NAMES = 900;

/** A list of names as stored; what does not fit is left out. */
export function storedNames(names: readonly string[]): string {
  let left = MAX_NAMES;
  return names.filter((name) => (left -= name.length + 1) > 0).join(' ');
}

/** An event of the log from its row. */
export function eventOf(row: Row): SiteEvent {
  const { id, resource, item, action, fields, actor, at, open } = row;
  return {
    id: Number(id),
    resource,
    item: Number(item),
    action,
    fields: fields === '' ? [] : String(fields).split(' '),
    account: Number(actor),
    at: Number(at),
    open: { before: (Number(open) & BEFORE) !== 0, after: (Number(open) & AFTER) !== 0 },
  };
}

/** `order.created`. */
export function typeOf({ resource, action }: Pick<SiteEvent, 'resource' | 'action'>): string {
  return `${resource}.${action}`;
}
