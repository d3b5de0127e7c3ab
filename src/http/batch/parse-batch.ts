// The body of a batch.
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import { missingParams } from '../validation/validate-params.js';

/** How the requests of a batch depend on each other. */
export type Validation = 'normal' | 'require-all-validate' | 'atomic';

/** One request as it was sent. */
export interface Sent {
  method: string;
  path: string;
  body: Record<string, unknown> | undefined;
  /** Names in lower case. */
  headers: Record<string, string>;
}

/** Maximum number of requests in a batch. */
const MAX_REQUESTS = 25;
const MODES: readonly Validation[] = ['require-all-validate', 'normal', 'atomic'];
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Arguments of the route, for OPTIONS and the index. */
export const BATCH_ARGUMENTS = {
  validation: {
    description:
      'normal: each request for itself. require-all-validate: nothing runs unless all are valid. atomic: all in one ' +
      'transaction, reads and references to earlier responses allowed.',
    type: 'string' as const,
    enum: [...MODES],
    default: 'normal',
    required: false,
  },
  requests: {
    description: 'The requests, in order.',
    type: 'array' as const,
    maxItems: MAX_REQUESTS,
    required: true,
    items: {
      type: 'object' as const,
      properties: {
        method: { type: 'string' as const, enum: WRITES, default: 'POST' },
        path: { type: 'string' as const },
        body: { type: 'object' as const, properties: {}, additionalProperties: true },
        headers: { type: 'object' as const, properties: {}, additionalProperties: true },
      },
    },
  },
};

/**
 * The requests of a batch and how they depend on each other.
 * @throws ResourceError 400 with everything that is wrong
 */
export function parseBatch(body: Record<string, unknown>): { validation: Validation; requests: Sent[] } {
  const { validation = 'normal', requests } = body;
  if (requests === undefined || requests === null) throw missingParams(['requests']);
  const mode = MODES.find((each) => each === validation);
  if (!mode) throw requestsError('validation', 'rest_not_in_enum', `validation must be one of ${MODES.join(', ')}.`);
  if (!Array.isArray(requests)) throw requestsError('requests', 'rest_invalid_type', 'requests must be an array.');
  if (requests.length > MAX_REQUESTS)
    throw requestsError('requests', 'rest_too_many_items', `requests must have at most ${MAX_REQUESTS} items.`);
  const methods = mode === 'atomic' ? ['GET', ...WRITES] : WRITES;
  return { validation: mode, requests: requests.map((each, at) => requestOf(each, `requests[${at}]`, methods)) };
}

function requestOf(sent: unknown, name: string, methods: readonly string[]): Sent {
  if (!isObject(sent)) throw requestsError(name, 'rest_invalid_type', `${name} must be an object.`);
  const { method = 'POST', path, body, headers = {} } = sent;
  if (typeof method !== 'string' || !methods.includes(method))
    throw requestsError(`${name}[method]`, 'rest_not_in_enum', `${name}[method] must be one of ${methods.join(', ')}.`);
  if (path === undefined) throw requestsError(`${name}[path]`, 'rest_property_required', `${name} needs a path.`);
  if (typeof path !== 'string')
    throw requestsError(`${name}[path]`, 'rest_invalid_type', `${name}[path] must be a string.`);
  if (body !== undefined && !isObject(body) && !isEmpty(body))
    throw requestsError(`${name}[body]`, 'rest_invalid_type', `${name}[body] must be an object.`);
  if (!isObject(headers) && !isEmpty(headers))
    throw requestsError(`${name}[headers]`, 'rest_invalid_type', `${name}[headers] must be an object.`);
  return {
    method,
    // As in requests, further slashes at the beginning do not matter.
    path: path.replace(/^\/+/, '/'),
    body: isObject(body) ? body : undefined,
    headers: headersOf(headers, `${name}[headers]`),
  };
}

function headersOf(sent: object, name: string): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [header, value] of Object.entries(sent)) {
    const texts = [value].flat();
    if (!texts.every((text) => typeof text === 'string'))
      throw requestsError(
        `${name}[${header}]`,
        'rest_invalid_type',
        `${name}[${header}] must be a string or a list of them.`,
      );
    headers[header.toLowerCase()] = texts.join(', ');
  }
  // Every request is made by the caller of the batch.
  delete headers['authorization'];
  return headers;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// What PHP clients send for an empty object.
function isEmpty(value: unknown): value is [] {
  return Array.isArray(value) && value.length === 0;
}

// As with every parameter, the error names `requests`; for a wrong type its data name the place in it.
function requestsError(place: string, code: string, message: string): ResourceError {
  const [param = place] = place.split('[');
  const data = code === 'rest_invalid_type' ? { param: place } : undefined;
  return invalidParams([{ code, param, message, ...(data ? { data } : {}) }]);
}
