// Media type, charset and kind of a request body.
import type { IncomingMessage } from 'node:http';
import { unsupportedMedia } from '../http-errors.js';

/** How a body is read. `multipart` and `raw` stay unread, for the upload receiver. */
export type BodyKind = 'none' | 'json' | 'form' | 'multipart' | 'raw';

const TOKEN = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Media type of a request, lower-case and without parameters; '' when it names none. */
export function mediaTypeOf(request: IncomingMessage): string {
  const header = request.headers['content-type'];
  if (header === undefined) return '';
  const end = header.indexOf(';');
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}

/** Whether the headers announce a body. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0' && Number(length) > 0);
}

/** Classifies a body by media type; `raw` only where uploads are accepted, else 415. */
export function bodyKind(mediaType: string, takesUploads: boolean): BodyKind {
  if (mediaType === 'application/json' || (mediaType.endsWith('+json') && TOKEN.test(mediaType))) return 'json';
  // Uploads without a type are rejected later, after the file was looked for.
  if (mediaType === '' && takesUploads) return 'raw';
  if (mediaType === '' || mediaType === 'application/x-www-form-urlencoded') return 'form';
  if (mediaType === 'multipart/form-data') return 'multipart';
  if (takesUploads && TOKEN.test(mediaType)) return 'raw';
  throw unsupportedMedia(
    'Bodies are JSON (application/json), application/x-www-form-urlencoded or multipart/form-data.',
  );
}

/** Rejects charsets other than UTF-8. */
export function requireUtf8(request: IncomingMessage): void {
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupportedMedia('Bodies must be encoded in UTF-8. Send charset=utf-8, or no charset.');
  }
}
