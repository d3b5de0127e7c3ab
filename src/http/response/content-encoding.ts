// Compression of response bodies: negotiated with Accept-Encoding, done off the event loop for all but small bodies.
import { once } from 'node:events';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
  type BrotliOptions,
  type ZlibOptions,
} from 'node:zlib';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';
import { LargeBody } from './large-body.js';
import { HttpResponse } from './response.js';

/** Supported encodings, the preferred one first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes above which a body is compressed, and characters above which that is left to other threads. */
const SMALLEST = 1024;
const SYNCHRONOUS = 8 * 1024;
/** Bodies compressed at a time: each needs up to a megabyte besides its text. Further ones are sent uncompressed. */
const MOST_AT_ONCE = 16;
/** Characters that are compressed at a time. */
const PIECE = 64 * 1024;

const GZIP: ZlibOptions = { level: 5 };
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

let running = 0;

/**
 * The preferred encoding of those that a client accepts, by weight; undefined for none. `*` stands for those not named.
 */
function negotiated(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined || accepted === '') return undefined;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='));
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = [...ENCODINGS].sort((a, b) => weightOf(b) - weightOf(a))[0]!;
  // Identity is acceptable even if it is not named, but then not preferred to encodings that are (RFC 9110).
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

/**
 * The encoding in which a response is sent; undefined: uncompressed. A response that mixes a secret with input of the
 * caller would reveal the secret by its compressed size: writes, responses that a password opened, and those inside an
 * envelope are not compressed.
 */
export function encodingFor(request: ApiRequest, response: HttpResponse): Encoding | undefined {
  const { confidential, envelope } = contextOf(request);
  const { method = 'GET' } = request;
  if (response.status !== 200 || confidential || envelope || !READS.has(method) || !isLong(response)) return undefined;
  if (String(response.headers['Cache-Control'] ?? '').includes('no-store')) return undefined;
  return negotiated(request.headers['accept-encoding'] as string | undefined);
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

function isLong({ body }: HttpResponse): boolean {
  if (body === undefined) return false;
  return typeof body === 'string' ? body.length > SMALLEST : body.bytes > SMALLEST;
}

/** The headers of a response in an encoding: its ETag differs, because its bytes do. */
export function encodedHeaders({ headers }: HttpResponse, encoding: Encoding): HttpResponse['headers'] {
  const tag = headers['ETag'];
  return {
    ...headers,
    'Content-Encoding': encoding,
    ...(typeof tag === 'string' ? { ETag: `${tag.slice(0, -1)}-${encoding}"` } : {}),
  };
}

/**
 * A response in an encoding. The result stays with the response, if it is at most half as large: a cached response is
 * compressed once. Undefined when too many others are being compressed.
 */
export function encoded(
  response: HttpResponse,
  encoding: Encoding,
): HttpResponse | Promise<HttpResponse | undefined> | undefined {
  const known = response.encoded?.[encoding];
  if (known) return known;
  const { body = '' } = response;
  const remember = (encoded: HttpResponse, bytes: number): HttpResponse => {
    const forms = (response.encoded ??= {});
    if (2 * (encoded.body as LargeBody).bytes <= bytes) forms[encoding] = encoded;
    else delete forms[encoding];
    return encoded;
  };
  const form = (chunks: Buffer[]): HttpResponse => {
    const size = chunks.reduce((sum, { length }) => sum + length, 0);
    return new HttpResponse(response.status, encodedHeaders(response, encoding), new LargeBody(chunks, size, 0n));
  };
  if (typeof body === 'string' && body.length <= SYNCHRONOUS) {
    const bytes = Buffer.from(body);
    return remember(
      form([encoding === 'br' ? brotliCompressSync(bytes, BROTLI) : gzipSync(bytes, GZIP)]),
      bytes.length,
    );
  }
  if (running >= MOST_AT_ONCE) return undefined;
  running++;
  const bytes = typeof body === 'string' ? body.length : body.bytes;
  const making = compress(typeof body === 'string' ? pieces(body) : body.chunks, encoding)
    .then((chunks) => remember(form(chunks), bytes))
    .finally(() => running--);
  (response.encoded ??= {})[encoding] = making;
  making.catch(() => delete response.encoded![encoding]);
  return making;
}

function* pieces(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

async function compress(chunks: Iterable<Buffer>, encoding: Encoding): Promise<Buffer[]> {
  const stream = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  const output: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => output.push(chunk));
  const ended = once(stream, 'end');
  // If the stream fails, the wait for `drain` rejects first, and this rejection must not be unhandled.
  ended.catch(() => undefined);
  for (const chunk of chunks) if (!stream.write(chunk)) await once(stream, 'drain');
  stream.end();
  await ended;
  return output;
}
