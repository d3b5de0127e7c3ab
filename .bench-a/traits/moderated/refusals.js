// Who may write a remark, on what (decisions 14.15-14.20): checked before the body is looked at. Called by the trait moderated.
import { ResourceError } from '../../errors/resource-error.js';
const DAY = 24 * 60 * 60 * 1000;
/** Note under which the target's row waits for the verdict. */
export const TARGET = 'moderated:target';
/** Whether the caller moderates. */
export function moderates(parts, op) {
    return op.actor.capabilities.has(parts.moderators);
}
/** Refuses a new remark, in the order of 14.15-14.19; leaves the target's row in the notes. */
export async function refuseNew(parts, op) {
    refuseGuest(op);
    if (!moderates(parts, op))
        refusePretence(parts, op);
    const target = await loadTarget(parts, op);
    if (target['status'] === 'draft' || target['status'] === 'auto-draft')
        throw new ResourceError('rest_comment_draft_post');
    if (target['status'] === 'trash')
        throw new ResourceError('rest_comment_trash_post');
    if (!target['visible'] && !(await parts.target.opens(target['id'], op.raw['password'], op))) {
        throw new ResourceError('rest_cannot_read_post');
    }
    if (isClosed(parts, target, op))
        throw new ResourceError('rest_comment_closed');
    op.notes[TARGET] = target;
}
function refuseGuest(op) {
    const { commentRegistration, allowAnonymousComments } = op.site.settings;
    if (op.actor.id === 0 && (commentRegistration || !allowAnonymousComments))
        throw new ResourceError('rest_comment_login_required');
}
/** Only moderators speak for others, from elsewhere, or decide themselves. */
function refusePretence({ field }, { values, actor }) {
    const author = values[field.author];
    if (author !== undefined && author !== actor.id)
        throw new ResourceError('rest_comment_invalid_author');
    const address = values[field.address];
    if (address !== undefined && address !== '' && address !== actor.address)
        throw new ResourceError('rest_comment_invalid_author_ip');
    if (values[field.status] !== undefined)
        throw new ResourceError('rest_comment_invalid_status');
}
async function loadTarget({ target, field, accepts, owner }, op) {
    const id = Number(op.values[field.on] ?? 0);
    const fields = ['status', owner, 'date_gmt', ...Object.keys(accepts)];
    const row = await target.load(id, fields, op, { visible: target.visible(op.actor) });
    if (!row)
        throw new ResourceError('rest_comment_invalid_post_id');
    return row;
}
function isClosed({ target, accepts, expiring }, row, op) {
    const closed = Object.entries(accepts).some(([field, wanted]) => row[target.columnOf(field) ?? field] !== wanted);
    const { closeCommentsForOldPosts, closeCommentsDaysOld } = op.site.settings;
    if (closed || !closeCommentsForOldPosts || closeCommentsDaysOld <= 0)
        return closed;
    if (!expiring.includes(target.modelOf(row)?.name ?? ''))
        return false;
    const age = op.site.now() - Date.parse(`${String(row['date_gmt'])}Z`);
    return age > closeCommentsDaysOld * DAY;
}
