// Path segments as keys of items and parents (decisions 1.16, 15.31): which segments are a route at all, and what they name.
import { ResourceError } from '../errors/resource-error.js';
import { noRoute } from './refusals.js';
const DIGITS = /^\d+$/;
/** Key of the item in the path: 0 when the segment is a number that names nothing. */
export function itemKey(route, asked) {
    const segment = asked.segments[route.keyParam] ?? '';
    return route.model.integerKey ? integerKey(route.model, segment, asked.actor) : segment;
}
/** Id of the parent in the path; 0 for resources without one. */
export function parentKey(route, asked) {
    const { parent } = route.model;
    if (!parent)
        return 0;
    return integerKey(parent.model, asked.segments[parent.param] ?? '', asked.actor);
}
/** Throws 404 for a path whose segments cannot be keys, whoever asks. */
export function requireRoute(route, asked) {
    const { model, keyParam } = route;
    const named = asked.segments[keyParam];
    if (named !== undefined && model.integerKey && !isKey(model, named))
        throw noRoute();
    if (model.parent && !isKey(model.parent.model, asked.segments[model.parent.param] ?? ''))
        throw noRoute();
}
/** Whether the path says `me` where somebody would have to be signed in. */
export function lacksSelf(route, asked) {
    const { selfAlias } = route.model.schema;
    return selfAlias !== undefined && asked.actor.id === 0 && asked.segments[route.keyParam] === selfAlias;
}
function integerKey(model, segment, actor) {
    if (segment === model.schema.selfAlias) {
        if (actor.id === 0)
            throw new ResourceError('rest_not_logged_in', { status: 401 });
        return actor.id;
    }
    if (!isKey(model, segment))
        throw noRoute();
    const id = Number(segment);
    return segment.startsWith('0') || !Number.isSafeInteger(id) ? 0 : id;
}
function isKey(model, segment) {
    return DIGITS.test(segment) || segment === model.schema.selfAlias;
}
