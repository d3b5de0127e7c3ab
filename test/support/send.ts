// Sends a request and reads its complete response, for sites in process (start-test-site.ts) and server processes
// (server-process.ts). Malformed requests are sent by test/unit/http/raw-socket.ts.
import { request, type Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** Headers of a request; none for anonymous. */
export type Headers = Record<string, string>;

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** The parts of a request besides its method and path. */
export interface Sent {
  /** Headers that sign it in; absent: anonymous. */
  as?: Headers;
  headers?: Headers;
  /** Appended to the path; members of objects and lists in brackets, values encoded, undefined left out. */
  query?: Record<string, unknown>;
  /** Texts and buffers are sent as they are, without a type; forms as `multipart/form-data`; anything else as JSON. */
  body?: unknown;
  /** An upload: the body and the two headers that name it. */
  file?: { name: string; type: string; content: string | Buffer };
  /** The expected status; the promise rejects for any other. */
  status?: number;
}

/** A response. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body; undefined for other bodies. */
  body: any;
  text: string;
}

/**
 * Sends a request. The path is relative to the namespace, or to the root of the server if it begins with `//`; it is
 * not normalized. Rejects with the error of the connection when the response is incomplete, and when the status is not
 * `status`.
 */
export type Send = (method: Method, path: string, sent?: Sent) => Promise<HttpResponse>;

/**
 * Sends to a port of this machine; `base` is the path of the namespace. Without an agent each request opens a new
 * connection.
 */
export function sender(port: number, base: string, agent?: Agent): Send {
  return async (method, path, sent = {}) => {
    const absolute = path.startsWith('//') ? path.slice(1) : base + path;
    const target = escape(absolute + (sent.query ? query(sent.query) : ''));
    const [body, type] = await encode(sent);
    const headers = {
      'Accept-Encoding': 'gzip',
      ...type,
      ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...sent.as,
      ...sent.headers,
    };
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, agent: agent ?? false, method, path: target, headers };
      request(options, resolve).on('error', reject).end(body);
    });
    const received = await read(message);
    if (sent.status !== undefined && received.status !== sent.status)
      throw new Error(
        `${method} ${path}: ${received.status} instead of ${sent.status}: ${received.text.slice(0, 1000)}`,
      );
    return received;
  };
}

/** A query string; objects and lists in brackets, values encoded. */
export function query(values: Record<string, unknown>): string {
  const parts: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return;
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value))
        add(`${name}[${Array.isArray(value) ? '' : encodeURIComponent(key)}]`, member);
    } else parts.push(`${name}=${encodeURIComponent(String(value))}`);
  };
  for (const [name, value] of Object.entries(values)) add(encodeURIComponent(name), value);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/** Characters that may not stand in a request line, as every client sends them. */
function escape(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

/** The encoded body, and its headers. */
async function encode({ body, file }: Sent): Promise<[string | Buffer | undefined, Headers]> {
  if (file) {
    const disposition = `attachment; filename="${file.name}"`;
    return [file.content, { 'Content-Type': file.type, 'Content-Disposition': disposition }];
  }
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return [body, {}];
  if (!(body instanceof FormData)) return [JSON.stringify(body), { 'Content-Type': 'application/json' }];
  const form = new Response(body);
  return [Buffer.from(await form.arrayBuffer()), { 'Content-Type': form.headers.get('content-type')! }];
}

async function read(response: IncomingMessage): Promise<HttpResponse> {
  const bytes = await bytesOf(response);
  if (!response.complete) throw new Error('The response was cut');
  const { headers, statusCode: status = 0 } = response;
  const text = (bytes.length > 0 && headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  return { status, headers, text, body: /json/.test(headers['content-type'] ?? '') ? parse(text) : undefined };
}

/** The bytes of a response. `buffer()` of node:stream/consumers uses a Blob, which costs as much as the request. */
function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    response
      .on('data', (part: Buffer) => parts.push(part))
      .once('end', () => resolve(Buffer.concat(parts)))
      .once('error', reject);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
