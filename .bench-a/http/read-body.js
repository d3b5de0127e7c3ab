// Reads and parses the bodies of writes (decisions 2.1 to 2.5, 2.15). Multipart and raw media stay unread, for the upload receiver.
import { isUtf8 } from 'node:buffer';
import { ResourceError } from '../errors/resource-error.js';
import { collectBody } from './collect-body.js';
import { drainBody } from './drain-body.js';
import { bodyEncoding, inflate } from './inflate.js';
import { bodyKind, hasBody, mediaTypeOf, requireUtf8 } from './media-type.js';
import { parseJsonObject } from './parse-json.js';
import { parseForm } from './parse-query.js';
import { badParameters, invalidJson, tooLarge } from './refusals.js';
import { contextOf } from './request-context.js';
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const SMALL = 64 * 1024;
/** Fills `body`, `mediaType` and `bodyKind` of the context. Returns a promise only when there is something to read. */
export function readBody(request, response, ruleFor, timeout) {
    const context = contextOf(request);
    if (!WITH_BODY.has(context.method)) {
        if (hasBody(request))
            request.resume();
        return undefined;
    }
    context.mediaType = mediaTypeOf(request);
    return hasBody(request) ? receive(request, response, ruleFor(request), timeout) : undefined;
}
async function receive(request, response, rule, timeout) {
    const context = contextOf(request);
    try {
        const kind = bodyKind(context.mediaType, rule.uploads);
        context.bodyKind = kind;
        const encoding = bodyEncoding(request);
        const isRead = kind === 'json' || kind === 'form';
        if (isRead)
            requireUtf8(request);
        if (isRead && Number(request.headers['content-length'] ?? 0) > rule.limit)
            throw tooLarge(rule.limit);
        if (context.awaitsContinue) {
            context.awaitsContinue = false;
            response.writeContinue();
        }
        if (!isRead)
            return;
        const bytes = await inflate(await collectBody(request, rule.limit, timeout), encoding, rule.limit, kind);
        context.body = kind === 'json' ? parseJsonObject(toText(bytes, kind)) : parseForm(toText(bytes, kind));
    }
    catch (error) {
        if (!isLate(error))
            await letSmallBodyEnd(request, context.awaitsContinue);
        throw error;
    }
}
function toText(bytes, kind) {
    if (!isUtf8(bytes)) {
        const reason = 'it is not valid UTF-8.';
        throw kind === 'json' ? invalidJson(5, reason) : badParameters(`The body cannot be read: ${reason}`);
    }
    const text = bytes.toString('utf8');
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
function isLate(error) {
    return error instanceof ResourceError && error.status === 408;
}
// A refusal of a small body need not cost the connection: what is on its way is let in first.
async function letSmallBodyEnd(request, awaitsContinue) {
    if (!awaitsContinue && Number(request.headers['content-length']) <= SMALL)
        await drainBody(request, SMALL, 1_000);
}
