import { and, equals, FALSE, not, or } from '../model/query.js';
import { fold, searchTerms } from '../text/fold.js';
const contains = (column, value) => ({ op: 'contains', column, value });
/** Narrows a plan to the rows that match a search text. */
export function applySearch(text, plan, op) {
    const search = op.model.search;
    if (!search || text.trim() === '')
        return;
    if (search.mode === 'phrase') {
        const extra = search.privileged && search.privileged.needs(op.actor).op === 'true' ? search.privileged.columns : [];
        plan.where.push(or(...[...search.columns, ...extra].map((column) => matches(column, text.trim()))));
        return;
    }
    const { include, exclude } = searchTerms(text);
    const column = search.columns[0];
    plan.where.push(...include.map((term) => contains(column, term)), ...exclude.map((term) => not(contains(column, term))));
}
/** A part of a folded text, or a whole id. */
function matches(column, text) {
    if (column !== 'id')
        return contains(column, fold(text));
    const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    return id > 0 ? equals('id', id) : FALSE;
}
/** Sort keys of `orderby=relevance`: title before excerpt before content, then newest first. */
export function relevanceOrder(text, op) {
    const [all, title, ...others] = op.model.search?.columns ?? [];
    if (!all || !title)
        return [];
    const { include, phrase } = searchTerms(text);
    const cases = include.length > 1
        ? [
            contains(title, phrase),
            and(...include.map((term) => contains(title, term))),
            or(...include.map((term) => contains(title, term))),
            ...others.map((column) => contains(column, phrase)),
            contains(all, phrase),
        ]
        : [contains(title, include[0] ?? phrase)];
    return [{ cases, direction: 'asc' }];
}
