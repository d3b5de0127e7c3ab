// The same remark twice, and too many at once (decisions 14.24, 14.25): asked of the database, so that every process sees them.
// Called by the trait moderated.
import { createHash } from 'node:crypto';
import { ResourceError } from '../../errors/resource-error.js';
import { and, equals, or } from '../../model/query.js';
import { moderates } from './refusals.js';
/** Shortest time between two remarks of one writer, in seconds. */
const PAUSE = 15;
/** Keeps the key by which a remark is found again; only for a draft that changes what it is made of. */
export function keepFingerprint({ column }, draft, current) {
    const made = [column.on, column.name, column.content];
    if (made.every((name) => draft.row[name] === undefined))
        return;
    const text = JSON.stringify(made.map((name) => draft.row[name] ?? current?.[name]));
    draft.row['fingerprint'] = createHash('sha256').update(text).digest('hex');
}
/** Refuses what stands there already. */
export async function refuseTwin({ table, ours, column }, { row }, op) {
    const same = ['fingerprint', column.parent, ...(row[column.email] ? [column.email] : [])];
    const twin = and(...same.map((name) => equals(name, row[name])), { op: 'ne', column: column.status, value: 'trash' }, ours);
    if (await op.store.first(table, ['id'], twin))
        throw new ResourceError('comment_duplicate');
}
/** Refuses the second remark of a writer within the pause. It counts when they came in, whatever date they claim. */
export async function refuseFlood(parts, { row }, op) {
    if (moderates(parts, op) || op.actor.capabilities.has('manage_options'))
        return;
    const { table, ours, column } = parts;
    const since = new Date(op.site.now() - PAUSE * 1000).toISOString().slice(0, 19);
    const writer = or(equals('received_from', senderOf(op)), ...(row[column.email] ? [equals(column.email, row[column.email])] : []));
    const recent = and({ op: 'gt', column: 'received_at', value: since }, writer, ours);
    if (await op.store.first(table, ['id'], recent))
        throw new ResourceError('comment_flood');
}
/** Who sent a remark, whatever name it bears: an account, or for guests an address. */
export function senderOf({ actor }) {
    return actor.id > 0 ? `#${actor.id}` : actor.address;
}
