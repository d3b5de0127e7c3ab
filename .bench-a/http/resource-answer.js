// Dresses a result of the service for the wire: Allow, pagination links, totals (decisions 1.6, 1.7, 4.3). Called by ResourceController.
import { collectionPath } from '../model/paths.js';
import { toAnswer } from './answer.js';
import { fieldSelection } from './field-selection.js';
import { pageLinks } from './pagination-links.js';
/** The answer for a result; `allow` are the methods the caller may use on its route. */
export function resourceAnswer(result, op, allow, context) {
    const headers = { ...result.headers };
    if (allow.length > 0)
        headers['Allow'] = allow.join(', ');
    const pages = op.kind === 'list' ? linksOf(result, op, context) : undefined;
    if (pages)
        headers['Link'] = headers['Link'] ? `${headers['Link']}, ${pages}` : pages;
    return toAnswer({ ...result, body: bodyOf(result, op), headers }, context);
}
// What is left of a deleted item is not an item: `_fields` applies to the answer as a whole.
function bodyOf({ body }, op) {
    const fields = op.kind === 'delete' ? fieldSelection(op.raw['_fields']) : undefined;
    return fields ? fields.pick(body) : body;
}
function linksOf({ page, totalPages }, op, context) {
    if (page === undefined || totalPages === undefined)
        return undefined;
    const { parent } = op.model;
    const path = collectionPath(op.model, parent ? { [parent.field.column]: op.parentId } : {});
    return pageLinks(op.site.base + path, context.query, { page, totalPages });
}
