import { fitted } from './fit-values.js';
import { datesOf } from './map-dates.js';
import { mapMeta } from './map-meta.js';
const STATUSES = { '1': 'approved', approve: 'approved', approved: 'approved', spam: 'spam', trash: 'trash' };
/** Values of a comment. */
export function commentChange(model, comment, { post, parent, author, hidden }) {
    const dates = datesOf(comment.date, comment.dateGmt);
    const approved = comment.approved.trim();
    const values = {
        post,
        parent,
        author,
        author_name: comment.author,
        author_email: comment.authorEmail.trim(),
        author_url: comment.authorUrl.trim(),
        author_ip: comment.authorIp.trim(),
        author_user_agent: comment.agent,
        content: comment.content,
        ...dates.values,
    };
    // The comments of an item in the trash were approved or waiting; the export does not say which.
    const hiding = approved === 'post-trashed' && hidden ? { status: hidden, marked_status: 'approved' } : undefined;
    const columns = { ...dates.columns, type: comment.kind.trim() || 'comment', ...(hiding ?? { status: STATUSES[approved] ?? (approved === 'post-trashed' ? 'trash' : 'hold') }) };
    const change = fitted(model, values, columns, ['author_name', 'author_email', 'author_url', 'author_ip', 'author_user_agent']);
    // The engine would fill it in from whoever runs the import.
    for (const [name, value] of Object.entries({ author_ip: comment.authorIp.trim(), author_user_agent: comment.agent })) {
        const column = model.fields.get(name)?.column;
        if (column && value === '')
            change.columns[column] = '';
    }
    mapMeta(change, model, comment.meta);
    return change;
}
//# sourceMappingURL=map-comment.js.map