// Ends CORS preflights; any other OPTIONS goes on to the describe handler. A step before routing.
import { Answer } from './answer.js';
const MAX_AGE = 600;
/** The answer of a preflight, or undefined when the request is none. Its other headers are those of every answer. */
export function preflightAnswer(request) {
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
        return undefined;
    return new Answer(204, { 'Access-Control-Max-Age': MAX_AGE }, undefined);
}
