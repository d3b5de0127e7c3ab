// The body of the response to an outgoing request, within limits of size and time.
import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline, Transform, type Readable } from 'node:stream';
import type { SafeRequest } from './safe-request.js';

/**
 * A response with a limited body: a stream that fails when it is too long, too slow or too late. Read or destroy it.
 */
export interface SafeResponse {
  status: number;
  headers: IncomingMessage['headers'];
  /** Final URL after redirects. */
  url: string;
  body: Readable;
}

const MINIMUM_RATE = 1024;
const RATE_WINDOW = 10_000;

/**
 * The response to a request, its body bounded.
 * @throws Error when its headers announce a body that is too long or encoded
 */
export function boundedResponse(
  response: IncomingMessage,
  url: URL,
  request: SafeRequest,
  deadline: AbortSignal,
): SafeResponse {
  const fault = faultOf(response, request);
  if (fault) {
    response.destroy();
    throw fault;
  }
  const body = limited(request.limit);
  const rate = watchRate(body, request);
  const end = new PassThrough();
  const late = () => body.destroy(tooLate());
  deadline.addEventListener('abort', late);
  // An error of any stream of the pipeline is emitted by the last one.
  pipeline(response, body, end, () => {
    clearInterval(rate);
    deadline.removeEventListener('abort', late);
  });
  return { status: response.statusCode ?? 0, headers: response.headers, url: url.href, body: end };
}

function faultOf({ headers }: IncomingMessage, { limit, ignoresBody }: SafeRequest): Error | undefined {
  if (ignoresBody) return undefined;
  if (Number(headers['content-length'] ?? 0) > limit) return tooBig(limit);
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? undefined : new Error(`the response is encoded as ${encoding.slice(0, 40)}`);
}

/** Counts and limits the bytes that pass; `seen` is their number. */
function limited(limit: number): Transform & { seen: number } {
  const stream = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        stream.seen += chunk.length;
        if (stream.seen > limit) done(tooBig(limit));
        else done(null, chunk);
      },
    }),
    { seen: 0 },
  );
  return stream;
}

function watchRate(stream: Transform & { seen: number }, request: SafeRequest): NodeJS.Timeout {
  const { minimumRate: rate = MINIMUM_RATE, rateWindow: ms = RATE_WINDOW } = request;
  let before = 0;
  return setInterval(() => {
    // While the consumer is slow, the rate does not show the speed of the sender.
    const waiting = stream.readableLength > 0;
    if (!waiting && (stream.seen - before) * 1000 < rate * ms)
      stream.destroy(new Error(`the response came slower than ${rate} bytes per second`));
    before = stream.seen;
  }, ms).unref();
}

function tooBig(limit: number): Error {
  return new Error(`the file is larger than ${limit} bytes`);
}

/** The error of a response that takes too long. */
export function tooLate(): Error {
  return new Error('the response took too long');
}
