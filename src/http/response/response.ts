// A finished response: returned by the controllers, written by the adapter's reply().
import { encodeError } from '../../errors/encode-error.js';
import type { Result } from '../../model/operation.js';
import { largeBody, type LargeBody } from './large-body.js';
import type { RequestContext } from '../request/request-context.js';

/** Headers of one response; the default ones are added when it is written. */
export type HeaderValues = Record<string, string | number>;

/** Status, headers and body of one response. Recognized by class. */
export class HttpResponse {
  /** Its compressed forms, as far as they exist. */
  encoded: Partial<Record<string, HttpResponse | Promise<HttpResponse>>> | undefined = undefined;

  constructor(
    readonly status: number,
    readonly headers: HeaderValues,
    readonly body: string | LargeBody | undefined,
  ) {}
}

/** The parts of a result that are in its response. */
export interface Shown {
  status: number;
  body: unknown;
  headers?: Result['headers'];
  total?: number | undefined;
  totalPages?: number | undefined;
}

/** Serializes a result, with totals as headers, `_envelope` and `_pretty` applied. */
export function toResponse(result: Shown, context: RequestContext): HttpResponse {
  const { status, headers, body } = outlineOf(result, context);
  return new HttpResponse(status, headers, stringify(body, context.pretty));
}

/** The same for a large result: serialized in time slices, and rejected with 413 when it is too large. */
export async function toLargeResponse(result: Shown, context: RequestContext): Promise<HttpResponse> {
  const { status, headers, body } = outlineOf(result, context);
  const large = await largeBody(body, context.pretty, context.output).catch((cause: unknown) => {
    throw encodeError(cause);
  });
  return new HttpResponse(status, headers, large);
}

function outlineOf(result: Shown, context: RequestContext): { status: number; headers: HeaderValues; body: unknown } {
  const headers: HeaderValues = { ...result.headers };
  if (result.total !== undefined) headers['X-WP-Total'] = result.total;
  if (result.totalPages !== undefined) headers['X-WP-TotalPages'] = result.totalPages;
  if (!context.envelope) return { status: result.status, headers, body: result.body };
  // Its own status keeps an error out of caches; that of an envelope is always 200.
  if (result.status !== 200) context.volatile = true;
  return { status: 200, headers: outside(headers), body: { body: result.body, status: result.status, headers } };
}

/** What stays outside an envelope: totals and links are about what is in it. */
function outside(headers: HeaderValues): HeaderValues {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:X-WP-Total|Link$)/.test(name)));
}

function stringify(body: unknown, pretty: boolean): string | undefined {
  try {
    return pretty ? JSON.stringify(body, null, 4) : JSON.stringify(body);
  } catch (cause) {
    throw encodeError(cause);
  }
}
