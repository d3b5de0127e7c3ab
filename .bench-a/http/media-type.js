import { unsupportedMedia } from './refusals.js';
const TOKEN = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
/** Media type of a request, lower-case and without parameters; '' when it names none. */
export function mediaTypeOf(request) {
    const header = request.headers['content-type'];
    if (header === undefined)
        return '';
    const end = header.indexOf(';');
    return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}
/** Whether the request says that a body follows. */
export function hasBody(request) {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    return encoding !== undefined || (length !== undefined && length !== '0' && Number(length) > 0);
}
/** Sorts a body by media type; `raw` bodies only where uploads are taken, else 415 (decisions 2.15). */
export function bodyKind(mediaType, takesUploads) {
    if (mediaType === 'application/json' || (mediaType.endsWith('+json') && TOKEN.test(mediaType)))
        return 'json';
    if (mediaType === '' || mediaType === 'application/x-www-form-urlencoded')
        return 'form';
    if (mediaType === 'multipart/form-data')
        return 'multipart';
    if (takesUploads && TOKEN.test(mediaType))
        return 'raw';
    throw unsupportedMedia('Bodies are JSON (application/json), application/x-www-form-urlencoded or multipart/form-data.');
}
/** Refuses a charset other than UTF-8. */
export function requireUtf8(request) {
    const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
    if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
        throw unsupportedMedia('Bodies are read as UTF-8 only. Encode it so and say charset=utf-8, or nothing.');
    }
}
