// Error answers on a bare socket, for what Node's parser refuses before there is a request. Installed by the adapter.
import type { Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ResourceError } from '../errors/resource-error.js';
import { limits } from './limits.js';
import { badRequest, headersTooLarge, noRoute, requestTimeout, uriTooLong } from './refusals.js';
import { newRequestId, RequestContext } from './request-context.js';
import type { ResponseHeaders } from './response-headers.js';

type ParserError = Error & { code?: string; rawPacket?: Buffer };
type HttpSocket = Duplex & { _httpMessage?: { headersSent: boolean } };

const LINGER = 1_000;

/** Gives the refusals of Node's parser the body and headers of all other errors. */
export function answerParserErrors(server: Server, standing: ResponseHeaders): void {
  server.on('clientError', (error: ParserError, socket: HttpSocket) => {
    // In the middle of an answer a second one would be taken for its end.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) socket.destroy();
    else send(socket, standing, refusalFor(error), isHead(error));
  });
  server.on('connect', (_request: unknown, socket: Duplex) => send(socket, standing, noRoute()));
}

function refusalFor(error: ParserError): ResourceError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  if (error.code !== 'HPE_HEADER_OVERFLOW') return badRequest('This is not a well-formed HTTP/1.1 request.');
  const lineEnd = error.rawPacket?.indexOf('\r\n') ?? 0;
  return lineEnd < 0 || lineEnd > limits.queryBytes
    ? uriTooLong(limits.queryBytes)
    : headersTooLarge(limits.headerBytes, limits.headerCount);
}

// Who asks for headers takes a body for the beginning of the next answer.
function isHead({ rawPacket }: ParserError): boolean {
  return rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
}

function send(socket: Duplex, standing: ResponseHeaders, error: ResourceError, bodiless = false): void {
  const status = error.statusFor(false);
  const body = JSON.stringify(error.body(false));
  const flat = standing.assemble(new RequestContext(newRequestId(), 'GET'), {}, status, true);
  flat.push('Content-Length', Buffer.byteLength(body), 'Connection', 'close', 'Date', new Date().toUTCString());
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n`;
  for (let at = 0; at < flat.length; at += 2) head += `${flat[at]}: ${flat[at + 1]}\r\n`;
  socket.on('error', () => socket.destroy());
  socket.end(`${head}\r\n${bodiless ? '' : body}`);
  setTimeout(() => socket.destroy(), LINGER).unref();
}
