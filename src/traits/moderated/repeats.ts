// The same remark twice, and too many at once (decisions 14.24, 14.25): asked of the database, so that every process sees them.
// Called by the trait moderated.
import { ResourceError } from '../../errors/resource-error.js';
import type { Draft } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, or } from '../../model/query.js';
import type { Parts } from './parts.js';
import { moderates } from './refusals.js';

/** Shortest time between two remarks of one writer, in seconds. */
const PAUSE = 15;

/** Refuses what stands there already. */
export async function refuseTwin({ table, ours, column }: Parts, { row }: Draft, op: Operation): Promise<void> {
  const same = [column.on, column.parent, column.name, ...(row[column.email] ? [column.email] : []), column.content];
  const twin = and(...same.map((name) => equals(name, row[name])), { op: 'ne', column: 'status', value: 'trash' }, ours);
  if (await op.store.first(table, ['id'], twin)) throw new ResourceError('comment_duplicate');
}

/** Refuses the second remark of a writer within the pause. It counts when they came in, whatever date they claim. */
export async function refuseFlood(parts: Parts, { row }: Draft, op: Operation): Promise<void> {
  if (moderates(parts, op) || op.actor.capabilities.has('manage_options')) return;
  const { table, ours, column } = parts;
  const since = new Date(op.site.now() - PAUSE * 1000).toISOString().slice(0, 19);
  const writer = or(
    op.actor.id > 0 ? equals(column.author, op.actor.id) : equals(column.address, row[column.address]),
    ...(row[column.email] ? [equals(column.email, row[column.email])] : []),
  );
  const recent = and({ op: 'gt', column: 'received_at', value: since }, writer, ours);
  if (await op.store.first(table, ['id'], recent)) throw new ResourceError('comment_flood');
}
