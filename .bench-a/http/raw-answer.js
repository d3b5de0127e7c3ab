import { STATUS_CODES } from 'node:http';
import { limits } from './limits.js';
import { badRequest, headersTooLarge, noRoute, requestTimeout, uriTooLong } from './refusals.js';
import { newRequestId, RequestContext } from './request-context.js';
const LINGER = 1_000;
/** Gives the refusals of Node's parser the body and headers of all other errors. */
export function answerParserErrors(server, standing) {
    server.on('clientError', (error, socket) => {
        // In the middle of an answer a second one would be taken for its end.
        if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent)
            socket.destroy();
        else
            send(socket, standing, refusalFor(error));
    });
    server.on('connect', (_request, socket) => send(socket, standing, noRoute()));
}
function refusalFor(error) {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
        return requestTimeout();
    if (error.code !== 'HPE_HEADER_OVERFLOW')
        return badRequest('This is not a well-formed HTTP/1.1 request.');
    const lineEnd = error.rawPacket?.indexOf('\r\n') ?? 0;
    return lineEnd < 0 || lineEnd > limits.queryBytes
        ? uriTooLong(limits.queryBytes)
        : headersTooLarge(limits.headerBytes, limits.headerCount);
}
function send(socket, standing, error) {
    const status = error.statusFor(false);
    const body = JSON.stringify(error.body(false));
    const flat = standing.assemble(new RequestContext(newRequestId(), 'GET'), {}, status, true);
    flat.push('Content-Length', Buffer.byteLength(body), 'Connection', 'close', 'Date', new Date().toUTCString());
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n`;
    for (let at = 0; at < flat.length; at += 2)
        head += `${flat[at]}: ${flat[at + 1]}\r\n`;
    socket.on('error', () => socket.destroy());
    socket.end(`${head}\r\n${body}`);
    setTimeout(() => socket.destroy(), LINGER).unref();
}
