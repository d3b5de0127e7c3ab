// What a caller asks of a route, taken off the request once: the same shape serves requests from outside and those inside a batch.
import { ANONYMOUS } from '../model/actor.js';
import { contextOf } from './request-context.js';
const NO_SEGMENTS = Object.freeze({});
/** Takes a routed request apart. */
export function askedOf(request) {
    const context = contextOf(request);
    return {
        segments: request.params ?? NO_SEGMENTS,
        query: context.query,
        body: context.body,
        headers: request.headers,
        actor: context.actor ?? ANONYMOUS,
    };
}
/** Everything that was sent, body fields over query fields (decisions 2.2, 2.3); without a prototype. */
export function sentFields(query, body) {
    return body === undefined ? query : Object.assign(Object.create(null), query, body);
}
