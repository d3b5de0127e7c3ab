// Error responses on a bare socket, for requests that Node's HTTP parser rejects.
import type { Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ResourceError } from '../../errors/resource-error.js';
import { limits } from '../limits.js';
import { badRequest, headersTooLarge, noRoute, requestTimeout, uriTooLong } from '../http-errors.js';
import { newRequestId, RequestContext } from '../request/request-context.js';
import type { DefaultHeaders } from './response-headers.js';

type ParserError = Error & { code?: string; rawPacket?: Buffer };
type HttpSocket = Duplex & { _httpMessage?: { headersSent: boolean } };

const LINGER = 1_000;

/**
 * Gives the errors of Node's parser the body and headers of all other errors; calls `onError` with the status of each.
 */
export function respondToParserErrors(
  server: Server,
  defaults: DefaultHeaders,
  onError: (status: number) => void = () => undefined,
): void {
  const refuse = (socket: Duplex, error: ResourceError, bodiless = false): void => {
    onError(error.statusFor(false));
    send(socket, defaults, error, bodiless);
  };
  server.on('clientError', (error: ParserError, socket: HttpSocket) => {
    // A response has already begun: a second one would be taken for its end.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) socket.destroy();
    else refuse(socket, errorFor(error), isHead(error));
  });
  server.on('connect', (_request: unknown, socket: Duplex) => refuse(socket, noRoute()));
}

function errorFor(error: ParserError): ResourceError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  if (error.code !== 'HPE_HEADER_OVERFLOW') return badRequest('This is not a well-formed HTTP/1.1 request.');
  const lineEnd = error.rawPacket?.indexOf('\r\n') ?? 0;
  return lineEnd < 0 || lineEnd > limits.queryBytes
    ? uriTooLong(limits.queryBytes)
    : headersTooLarge(limits.headerBytes, limits.headerCount);
}

// A body after a HEAD request would be taken for the beginning of the next response.
function isHead({ rawPacket }: ParserError): boolean {
  return rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
}

function send(socket: Duplex, defaults: DefaultHeaders, error: ResourceError, bodiless = false): void {
  const status = error.statusFor(false);
  const body = JSON.stringify(error.body(false));
  const flat = defaults.assemble(new RequestContext(newRequestId(), 'GET'), {}, status, true);
  flat.push('Content-Length', Buffer.byteLength(body), 'Connection', 'close', 'Date', new Date().toUTCString());
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n`;
  for (let at = 0; at < flat.length; at += 2) head += `${flat[at]}: ${flat[at + 1]}\r\n`;
  socket.on('error', () => socket.destroy());
  socket.end(`${head}\r\n${bodiless ? '' : body}`);
  setTimeout(() => socket.destroy(), LINGER).unref();
}
