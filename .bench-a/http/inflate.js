import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { badParameters, invalidJson, tooLarge, unsupportedMedia } from './refusals.js';
const gunzip = promisify(zlib.gunzip);
const inflateZlib = promisify(zlib.inflate);
const inflateRaw = promisify(zlib.inflateRaw);
const brotli = promisify(zlib.brotliDecompress);
const INFLATERS = new Map([
    ['gzip', gunzip],
    ['x-gzip', gunzip],
    // Half of all senders leave the zlib wrapper out.
    ['deflate', (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? inflateZlib : inflateRaw)(bytes, options)],
    ['br', brotli],
]);
/** The encoding of a body, or undefined for none; 415 for others. */
export function bodyEncoding(request) {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase();
    if (encoding === undefined || encoding === '' || encoding === 'identity')
        return undefined;
    if (INFLATERS.has(encoding))
        return encoding;
    throw unsupportedMedia('Bodies may be encoded with gzip, deflate or br, one of them, or not at all.');
}
/** The bytes without their encoding; 413 as soon as they grow over the limit. */
export async function inflate(bytes, encoding, limit, kind) {
    const inflater = encoding === undefined ? undefined : INFLATERS.get(encoding);
    if (!inflater || bytes.length === 0)
        return bytes;
    try {
        return await inflater(bytes, { maxOutputLength: limit });
    }
    catch (error) {
        if (error.code === 'ERR_BUFFER_TOO_LARGE')
            throw tooLarge(limit);
        const reason = `it does not inflate as ${encoding}.`;
        throw kind === 'json' ? invalidJson(4, reason) : badParameters(`The body cannot be read: ${reason}`);
    }
}
