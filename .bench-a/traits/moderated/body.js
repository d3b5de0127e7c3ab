// What a remark must be made of: text, within limits, of the right kind, in reply to one beside it (decisions 14.21, 14.28, 14.31).
// Called by the trait moderated.
import { ResourceError } from '../../errors/resource-error.js';
import { and, equals } from '../../model/query.js';
/** Longest values in bytes, and the codes of those beyond. */
const LIMITS = [
    { part: 'name', most: 245, error: 'comment_author_column_length' },
    { part: 'email', most: 100, error: 'comment_author_email_column_length' },
    { part: 'url', most: 200, error: 'comment_author_url_column_length' },
    { part: 'content', most: 65_525, error: 'comment_content_column_length' },
];
/** Refuses an id of the client's own, and any kind but the one that clients write. */
export function refuseForeign({ model, field, kind }, op) {
    if (op.raw['id'])
        throw new ResourceError(model.errors.exists, { status: 400, like: 'rest_comment_exists' });
    const given = op.raw[field.kind];
    if (given && given !== kind)
        throw new ResourceError('rest_invalid_comment_type');
}
/** Refuses another kind than the stored one. */
export function refuseOtherKind({ field, column }, op, current) {
    const given = op.raw[field.kind] ?? undefined;
    if (given !== undefined && given !== current[column.kind])
        throw new ResourceError('rest_comment_invalid_type');
}
/** Refuses nothing but spaces, and nothing at all in a new remark. */
export function refuseEmpty({ column }, draft) {
    if (draft.row[column.content] === '')
        throw new ResourceError('rest_comment_content_invalid');
}
/** Refuses values that are too long. */
export function refuseLong({ column }, draft) {
    for (const { part, most, error } of LIMITS) {
        if (Buffer.byteLength(String(draft.row[column[part]] ?? '')) > most)
            throw new ResourceError(error);
    }
}
/** Refuses a reply to what is not there, or not below the same target. */
export async function refuseForeignParent({ table, ours, column }, draft, op, current) {
    const row = { ...current, ...draft.row };
    const parent = row[column.parent];
    const same = current && parent === current[column.parent] && row[column.on] === current[column.on];
    if (!parent || same)
        return;
    const found = parent > 0 && (await op.store.first(table, [column.on], and(equals('id', parent), ours)));
    if (!found || found[column.on] !== row[column.on])
        throw new ResourceError('rest_comment_invalid_parent');
}
/** Refuses to move a remark to what is not there or not to be seen. */
export async function refuseForeignTarget({ target, field, column }, draft, op, current) {
    const asked = draft.values[field.on];
    if (asked === undefined || asked === current[column.on])
        return;
    const row = await target.load(asked, [], op, { visible: target.visible(op.actor) });
    if (!row)
        throw new ResourceError('rest_comment_invalid_post_id');
    if (!row['visible'])
        throw new ResourceError('rest_cannot_read_post');
}
