// Rejects duplicate comments and comments in quick succession, by database queries, so that all processes are covered.
import { createHash } from 'node:crypto';
import { ResourceError } from '../../errors/resource-error.js';
import type { Operation, Draft } from '../../model/operation.js';
import { and, equals, or, type Row, valueAfter } from '../../model/query.js';
import type { Parts } from './parts.js';
import { moderates } from './rejections.js';

/** Minimum time between two comments of one author, in seconds. */
const PAUSE_SECONDS = 15;

/** Stores the fingerprint that identifies duplicates; only for a draft that changes what it is computed from. */
export function setFingerprint({ column }: Parts, draft: Draft, current?: Row): void {
  const sources = [column.on, column.name, column.content];
  if (sources.every((name) => draft.row[name] === undefined)) return;
  const text = JSON.stringify(sources.map((name) => valueAfter(draft.row, current, name)));
  draft.row['fingerprint'] = createHash('sha256').update(text).digest('hex');
}

/** Locks, so that of two equal comments, or two by one writer, the second is checked once the first is stored. */
export async function lockRepeats({ table, column }: Parts, { row }: Draft, op: Operation): Promise<void> {
  const writers = [senderOf(op), ...(row[column.email] ? [row[column.email]] : [])].map(
    (writer) => `writer ${table} ${String(writer).toLowerCase()}`,
  );
  await op.tx!.lock([`fingerprint ${table} ${row['fingerprint']}`, ...writers]);
}

/** Rejects a comment that exists already. */
export async function rejectDuplicate({ model, table, column }: Parts, { row }: Draft, op: Operation): Promise<void> {
  const same = ['fingerprint', column.parent, ...(row[column.email] ? [column.email] : [])];
  const duplicates = and(
    ...same.map((name) => equals(name, row[name])),
    { op: 'ne', column: column.status, value: 'trash' },
    model.rowScope,
  );
  if (await op.store.first(table, ['id'], duplicates)) throw new ResourceError('comment_duplicate');
}

/** Rejects the second comment of an author within the pause. The time of creation counts, not the date sent. */
export async function rejectFlood(parts: Parts, { row }: Draft, op: Operation): Promise<void> {
  if (moderates(parts, op) || op.actor.capabilities.has('manage_options')) return;
  const { model, table, column } = parts;
  const secondsFromNow = (seconds: number) => new Date(op.site.now() + seconds * 1000).toISOString().slice(0, 19);
  const writer = or(
    equals('received_from', senderOf(op)),
    ...(row[column.email] ? [equals(column.email, row[column.email])] : []),
  );
  const recent = and(
    { op: 'gt', column: 'received_at', value: secondsFromNow(-PAUSE_SECONDS) },
    // A later one was received before the clock was set back; clocks of processes differ by less than the pause.
    { op: 'le', column: 'received_at', value: secondsFromNow(PAUSE_SECONDS) },
    writer,
    model.rowScope,
  );
  if (await op.store.first(table, ['id'], recent)) throw new ResourceError('comment_flood');
}

/** Identity of the sender of a comment, independent of the name given: the account, or the IP address of an anonymous caller. */
export function senderOf({ actor }: Operation): string {
  return actor.id > 0 ? `#${actor.id}` : actor.address;
}
