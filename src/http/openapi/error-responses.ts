// The responses to refused requests, as the document shows them.
import { catalogue } from '../../errors/catalogue.js';
import type { Refusal } from '../../model/permissions.js';
import { codeOf } from './error-codes.js';
import { refTo } from './schema-parts.js';

type Responses = Record<string, Record<string, unknown>>;

const JSON_ERROR = { 'application/json': { schema: refTo('Error') } };
const CHALLENGE = { 'WWW-Authenticate': { description: 'Why a token is refused.', schema: { type: 'string' } } };
const RETRY = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } };
const APPLIED = {
  'Preference-Applied': { description: '`handling=strict`, where it refuses.', schema: { type: 'string' } },
};

/**
 * The responses of codes, by status; other codes that the schema file of a resource declares stand for missing permissions.
 * `default` covers what is not listed, such as errors of extensions: generators do not know ranges of statuses.
 */
export function errorResponses(codes: readonly Refusal[]): Responses {
  const byStatus = new Map<number, Set<string>>();
  const add = (status: number, code: string) => byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  for (const refusal of codes) {
    const code = codeOf(refusal);
    const status = typeof refusal === 'string' ? (catalogue[code]?.status ?? 'auth') : refusal.status;
    if (status === 'auth') for (const each of [401, 403]) add(each, code);
    else add(status, code);
  }
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  return {
    ...Object.fromEntries(sorted.map(([status, named]) => [String(status), errorResponse(status, [...named].sort())])),
    default: { description: 'Refused; the code says why.', content: JSON_ERROR },
  };
}

function errorResponse(status: number, codes: string[]): Record<string, unknown> {
  return {
    description: `Refused: ${codes.join(', ')}.`,
    ...(status === 401 ? { headers: CHALLENGE } : {}),
    ...(status === 429 || status === 503 ? { headers: RETRY } : {}),
    ...(codes.includes('rest_unknown_param') ? { headers: APPLIED } : {}),
    content: JSON_ERROR,
  };
}
