// Whose remark it is and where it came from (decisions 14.22, 14.23). Called by the trait moderated.
import { ResourceError } from '../../errors/resource-error.js';
import { equals } from '../../model/query.js';
import { plainText } from '../../text/plain.js';
/** Longest stored agent taken from a header, in characters. */
const AGENT_LENGTH = 254;
/** Signs a new remark: by the account named, else by the caller's own, unless a name or address was given. */
export async function signNew(parts, draft, op) {
    const { field, column, copied } = parts;
    const asked = draft.values[field.author];
    const anonymous = copied.every((part) => (draft.row[part.column] ?? '') === '');
    // Guests may say that they are nobody.
    if (asked !== undefined && (asked !== 0 || op.actor.id > 0))
        await copyAccount(parts, asked, draft, op);
    else if (op.actor.id > 0 && anonymous)
        await copyAccount(parts, op.actor.id, draft, op);
    if (!draft.row[column.address])
        draft.row[column.address] = op.actor.address || '127.0.0.1';
    if (draft.values[field.agent] === undefined)
        draft.row[column.agent] = plainText(op.actor.agent).slice(0, AGENT_LENGTH);
}
/** Hands a remark over to another account. */
export async function signAgain(parts, draft, op, current) {
    const asked = draft.values[parts.field.author];
    if (asked !== undefined && asked !== current[parts.column.author])
        await copyAccount(parts, asked, draft, op);
}
/** Refuses a new remark without name or e-mail address, where the site wants them. */
export function refuseUnsigned({ column }, draft, op) {
    if (!op.site.settings.requireNameEmail)
        return;
    if (!draft.row[column.name] || !draft.row[column.email])
        throw new ResourceError('rest_comment_author_data_required');
}
/** Takes what was not sent from an account. */
async function copyAccount({ authors, column, copied }, id, draft, op) {
    const columns = ['id', ...copied.map((part) => part.from)];
    const account = id > 0 ? await op.store.first(authors.table.name, columns, equals('id', id)) : undefined;
    if (!account)
        throw new ResourceError('rest_comment_author_invalid');
    draft.row[column.author] = id;
    for (const part of copied) {
        if (draft.values[part.field] === undefined)
            draft.row[part.column] = account[part.from] ?? '';
    }
}
