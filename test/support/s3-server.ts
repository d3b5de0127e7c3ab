// An S3-compatible service in memory, on a free loopback port, for the requests of the storage. Signatures are
// verified. Names are in byte order, and lists are paginated.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const KEY_ID = 'test-key';
const SECRET = 'a secret of the service';
const PAGE = 10;

interface StoredObject {
  body: Buffer;
  headers: Record<string, string>;
  etag: string;
  modified: Date;
}

/** A running service with one empty bucket. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly objects: Map<string, StoredObject>;
  /** Returns the status to respond with instead of processing a request, or undefined. */
  fault: (method: string, name: string) => number | undefined;
  close(): Promise<void>;
}

/** Starts the service, and sets its credentials in the environment of this process, from which clients read them. */
export async function startS3(): Promise<S3Server> {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: KEY_ID, AWS_SECRET_ACCESS_KEY: SECRET });
  const objects = new Map<string, StoredObject>();
  const server = createServer((request, response) => {
    void handle(request, response, service).catch((error: unknown) => fail(response, 500, String(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service: S3Server = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'bucket',
    objects,
    fault: () => undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

async function handle(request: IncomingMessage, response: ServerResponse, service: S3Server): Promise<void> {
  const body = await buffer(request);
  const url = new URL(request.url!, service.endpoint);
  const [, bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
  const name = rest.join('/');
  const method = request.method!;
  const reason = signatureFault(request, url, body);
  if (reason !== undefined) return fail(response, 403, 'SignatureDoesNotMatch', reason);
  if (bucket !== service.bucket) return fail(response, 404, 'NoSuchBucket');
  const fault = service.fault(method, name);
  if (fault !== undefined) return fail(response, fault, 'Fault');
  if (name === '') return list(response, url.searchParams, service.objects);
  if (method === 'PUT') return put(request, response, { name, body }, service.objects);
  if (method === 'DELETE') {
    service.objects.delete(name);
    response.writeHead(204).end();
    return;
  }
  get(request, response, service.objects.get(name));
}

function put(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { name, body }: { name: string; body: Buffer },
  objects: Map<string, StoredObject>,
): void {
  if (headers['if-none-match'] === '*' && objects.has(name)) return fail(response, 412, 'PreconditionFailed');
  const stored = ['content-type', 'content-disposition', 'cache-control'].flatMap((header) => {
    const value = headers[header];
    return typeof value === 'string' ? [[header, value]] : [];
  });
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  objects.set(name, { body, etag, modified: new Date(), headers: Object.fromEntries(stored) });
  response.writeHead(200, { ETag: etag }).end();
}

function get({ method, headers }: IncomingMessage, response: ServerResponse, found: StoredObject | undefined): void {
  if (!found) return fail(response, 404, 'NoSuchKey');
  const { body, etag, modified } = found;
  const since = (header: string) => Math.floor(Date.parse(String(headers[header])) / 1000);
  const written = Math.floor(modified.getTime() / 1000);
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag)
    return fail(response, 412, 'PreconditionFailed');
  if (headers['if-unmodified-since'] !== undefined && written > since('if-unmodified-since'))
    return fail(response, 412, 'PreconditionFailed');
  if (headers['if-none-match'] === etag || written <= since('if-modified-since')) {
    response.writeHead(304, { ETag: etag }).end();
    return;
  }
  const sent = { ...found.headers, ETag: etag, 'Last-Modified': modified.toUTCString(), 'Accept-Ranges': 'bytes' };
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === undefined) {
    response.writeHead(200, { ...sent, 'Content-Length': body.length }).end(method === 'HEAD' ? undefined : body);
    return;
  }
  const start = first === '' ? Math.max(0, body.length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? body.length - 1 : Math.min(Number(last), body.length - 1);
  if (start >= body.length) return fail(response, 416, 'InvalidRange');
  const part = body.subarray(start, end + 1);
  const range = `bytes ${start}-${end}/${body.length}`;
  response.writeHead(206, { ...sent, 'Content-Length': part.length, 'Content-Range': range }).end(part);
}

function list(response: ServerResponse, query: URLSearchParams, objects: Map<string, StoredObject>): void {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
  const page = names.slice(0, PAGE);
  const more = names.length > page.length;
  const text = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const contents = page.map((name) => {
    const { modified, etag, body } = objects.get(name)!;
    return `<Contents><Key>${text(name)}</Key><LastModified>${modified.toISOString()}</LastModified><ETag>${text(etag)}</ETag><Size>${body.length}</Size></Contents>`;
  });
  const next = more ? `<NextContinuationToken>${text(page.at(-1)!)}</NextContinuationToken>` : '';
  response
    .writeHead(200, { 'Content-Type': 'application/xml' })
    .end(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`);
}

function fail(response: ServerResponse, status: number, code: string, message = ''): void {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, { 'Content-Type': 'application/xml' })
    .end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

/** The reason why the signature of a request is invalid (AWS Signature Version 4); undefined when it is valid. */
function signatureFault({ method, headers }: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const [, keyId, scope = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (keyId !== KEY_ID) return 'unknown key';
  const hash = String(headers['x-amz-content-sha256']);
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'the body is another one';
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    hash,
  ].join('\n');
  const time = String(headers['x-amz-date']);
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<Buffer | string>((made, part) => hmac(made, part), `AWS4${SECRET}`);
  const expected = hmac(key, text);
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected) ? undefined : 'wrong signature';
}

function canonicalQuery(query: URLSearchParams): string {
  const encode = (value: string) =>
    encodeURIComponent(value).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

function sha256(value: Buffer | string): string {
  return createHash('sha256').update(value).digest('hex');
}

function hmac(key: Buffer | string, value: string): Buffer {
  return createHmac('sha256', key).update(value).digest();
}
