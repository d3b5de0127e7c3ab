// Sends stored files over HTTP.
// All uploads are untrusted: none may run as a page of this origin.
import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import send from 'send';
import { allowedType } from './media-types.js';

const ONE_YEAR = 365 * 24 * 60 * 60 * 1000;
/** `Cache-Control` of public files: the content of a key never changes. */
export const FOR_A_YEAR = `public, max-age=${ONE_YEAR / 1000}, immutable`;
const SHOWN_IN_PLACE = /^(image|audio|video)\/|^application\/pdf$|^text\/plain$/;

/** A file to send. */
export interface SentFile {
  directory: string;
  /** Percent-encoded path below the directory, beginning with `/`. */
  path: string;
  /** Value of `Cache-Control`; default: public, for a year. */
  cacheControl?: string;
}

/**
 * Sends a file of a directory, with ranges and 304. The type comes from the table of uploads and never from content;
 * everything but images, audio, video, PDF and plain text is sent as a download. A missing file (also a folder, a dot file,
 * a path outside the directory) is 404 `rest_no_route` as JSON; errors of the disk are passed to `next`.
 */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
  { directory, path, cacheControl }: SentFile,
): void {
  const caching = cacheControl === undefined ? { maxAge: ONE_YEAR, immutable: true } : { cacheControl: false };
  send(request, path, { root: directory, index: false, dotfiles: 'ignore', ...caching })
    .on('headers', (_response: ServerResponse, file: string, { size, mtimeMs }: Stats) => {
      describe(response, file);
      // Files are written once, so size and time identify the content. A strong ETag lets clients resume by range.
      response.setHeader('ETag', `"${size.toString(16)}-${Math.round(mtimeMs).toString(16)}"`);
      if (cacheControl !== undefined) response.setHeader('Cache-Control', cacheControl);
    })
    .on('directory', () => missingFile(request, response))
    .on('error', (error: { status: number }) => {
      if (error.status === 412 || error.status === 416) reject(response, error.status);
      else if (error.status < 500) missingFile(request, response);
      else next(error);
    })
    .pipe(response);
}

/** Whether browsers may show files of a media type; the others are downloaded. */
export function isShownInPlace(mime: string): boolean {
  return SHOWN_IN_PLACE.test(mime);
}

/** Sets the headers that say what a file is, and keep it from running as a page. */
export function describe(response: ServerResponse, file: string): void {
  const mime = allowedType(file, true)?.mime ?? 'application/octet-stream';
  response.setHeader('Content-Type', mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', policyOf(mime));
  if (mime.startsWith('image/')) response.setHeader('X-Robots-Tag', 'all');
  // Front ends on other origins embed these images, which helmet's default would forbid.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  if (!isShownInPlace(mime)) response.setHeader('Content-Disposition', 'attachment');
}

// In a sandbox, browsers neither play audio or video that is opened directly nor show a PDF; none of these types can be
// a page of this origin, and browsers do not sniff the type.
function policyOf(mime: string): string {
  if (/^(audio|video)\//.test(mime)) return "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'";
  if (mime === 'application/pdf')
    return "default-src 'none'; object-src 'self'; img-src 'self' data:; style-src 'unsafe-inline'; frame-ancestors *";
  return "sandbox; default-src 'none'";
}

/** Responds that there is no file at a path. */
export function missingFile(request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({
    code: 'rest_no_route',
    message: 'There is no file at this URL.',
    data: { status: 404 },
  });
  response.statusCode = 404;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Responds to a failed precondition or an invalid range: with the status alone, without the headers of the file. */
export function reject(response: ServerResponse, status: number): void {
  for (const name of ['Content-Type', 'Content-Disposition', 'Cache-Control', 'Last-Modified', 'ETag']) {
    response.removeHeader(name);
  }
  response.statusCode = status;
  response.setHeader('Content-Length', 0);
  response.end();
}
