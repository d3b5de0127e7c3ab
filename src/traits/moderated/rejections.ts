// Permission to write a comment, and on which items: checked before the body is validated.
import { ResourceError } from '../../errors/resource-error.js';
import type { Operation } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import type { Parts } from './parts.js';

const DAY = 24 * 60 * 60 * 1000;

/** Whether the caller moderates. */
export function moderates(parts: Parts, op: Operation): boolean {
  return op.actor.capabilities.has(parts.moderators);
}

/**
 * Rejects a forbidden new comment, in the documented order; stores the target's row for the computation of the status.
 */
export async function rejectNew(parts: Parts, op: Operation): Promise<void> {
  rejectGuest(op);
  if (!moderates(parts, op)) rejectImpersonation(parts, op);
  const target = await loadTarget(parts, op);
  if (target['status'] === 'draft' || target['status'] === 'auto-draft')
    throw new ResourceError('rest_comment_draft_post');
  if (target['status'] === 'trash') throw new ResourceError('rest_comment_trash_post');
  if (!target['visible'] && !(await parts.target.opens(target['id'], op.raw['password'], op))) {
    throw new ResourceError('rest_cannot_read_post');
  }
  if (isClosed(parts, target, op)) throw new ResourceError('rest_comment_closed');
  op.state.target = target;
}

function rejectGuest(op: Operation): void {
  const { commentRegistration, allowAnonymousComments } = op.site.settings;
  if (op.actor.id === 0 && (commentRegistration || !allowAnonymousComments))
    throw new ResourceError('rest_comment_login_required');
}

/** Only moderators may set another author, IP address or status. */
function rejectImpersonation({ field }: Parts, { values, actor }: Operation): void {
  const author = values[field.author];
  if (author !== undefined && author !== actor.id) throw new ResourceError('rest_comment_invalid_author');
  const address = values[field.address];
  if (address !== undefined && address !== '' && address !== actor.address)
    throw new ResourceError('rest_comment_invalid_author_ip');
  if (values[field.status] !== undefined) throw new ResourceError('rest_comment_invalid_status');
}

/** Only moderators may assign a comment to another account, whose name, e-mail address and URL are copied. */
export function rejectOtherAuthor(parts: Parts, op: Operation, current: Row): void {
  const author = op.values[parts.field.author];
  if (author === undefined || author === current[parts.column.author] || moderates(parts, op)) return;
  throw new ResourceError('rest_comment_invalid_author');
}

async function loadTarget({ target, field, accepts, owner }: Parts, op: Operation): Promise<Row> {
  const id = Number(op.values[field.on] ?? 0);
  const fields = ['status', owner, 'date_gmt', ...Object.keys(accepts)];
  const row = await target.load(id, fields, op, { visible: target.visible(op.actor) });
  if (!row) throw new ResourceError('rest_comment_invalid_post_id');
  return row;
}

function isClosed({ target, accepts, expiring }: Parts, row: Row, op: Operation): boolean {
  const closed = Object.entries(accepts).some(([field, wanted]) => row[target.columnOf(field) ?? field] !== wanted);
  const { closeCommentsForOldPosts, closeCommentsDaysOld } = op.site.settings;
  if (closed || !closeCommentsForOldPosts || closeCommentsDaysOld <= 0) return closed;
  if (!expiring.includes(target.modelOf(row)?.name ?? '')) return false;
  const age = op.site.now() - Date.parse(`${String(row['date_gmt'])}Z`);
  return age > closeCommentsDaysOld * DAY;
}
