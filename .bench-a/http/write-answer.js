import { drainBody, isIncomplete } from './drain-body.js';
import { limits } from './limits.js';
import { contextOf } from './request-context.js';
/** Sends an answer; does nothing when another one was sent or the client has left. `closing` ends the connection after it. */
export function writeAnswer(response, answer, standing, closing) {
    if (response.headersSent || response.destroyed || response.writableEnded)
        return;
    const request = response.req;
    const status = isUnchanged(request, answer) ? 304 : answer.status;
    const body = status === 304 || status === 204 ? undefined : (answer.body ?? '');
    const flat = standing.assemble(contextOf(request), answer.headers, status, body !== undefined && body !== '');
    if (body !== undefined)
        flat.push('Content-Length', Buffer.byteLength(body));
    const incomplete = isIncomplete(request);
    if ((closing || incomplete) && answer.headers['Connection'] === undefined)
        flat.push('Connection', 'close');
    response.complete = true;
    response.writeHead(status, flat);
    const sent = request.method === 'HEAD' ? undefined : body;
    if (incomplete)
        endAfterDraining(response, sent);
    else if (sent)
        response.end(sent, 'utf8');
    else
        response.end();
}
// Node closes the connection at end(): with unread bytes on it that is a reset, and the client may never see the answer.
function endAfterDraining(response, body) {
    if (body)
        response.write(body, 'utf8');
    else
        response.flushHeaders();
    const awaited = contextOf(response.req).awaitsContinue ? 0 : limits.drainTimeout;
    void drainBody(response.req, limits.drainBytes, awaited).then(() => response.end());
}
function isUnchanged(request, answer) {
    const known = request.headers['if-none-match'];
    if (known === undefined || answer.status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD'))
        return false;
    const tag = answer.headers['ETag'] ?? answer.headers['etag'];
    if (typeof tag !== 'string')
        return false;
    const strong = withoutWeakness(tag);
    return known === '*' || known.split(',').some((candidate) => withoutWeakness(candidate.trim()) === strong);
}
function withoutWeakness(tag) {
    return tag.startsWith('W/') ? tag.slice(2) : tag;
}
