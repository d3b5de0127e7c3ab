// The errors of each operation: the codes of its permission checks and those that every operation of its kind has.
import { catalogue } from '../../errors/catalogue.js';
import type { ResourceModel } from '../../model/model.js';
import { isReading, type OperationKind } from '../../model/schema/schema.js';
import { refTo } from './schema-parts.js';

type Responses = Record<string, Record<string, unknown>>;

/** Codes of every operation that is described. */
export const ANYWHERE = ['rest_uri_too_long', 'rest_too_many_requests', 'rest_unavailable'];
/** Codes of OPTIONS. */
export const OPTIONS_CODES = ['incorrect_password', 'rest_invalid_token', 'rest_no_route', ...ANYWHERE];
const ALWAYS = ['incorrect_password', 'rest_invalid_token', 'rest_forbidden_scope', ...ANYWHERE];
const JSON_ERROR = { 'application/json': { schema: refTo('Error') } };
const CHALLENGE = { 'WWW-Authenticate': { description: 'Why a token is refused.', schema: { type: 'string' } } };
const RETRY = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } };

/** Codes of an operation on a resource. */
export function errorCodes(model: ResourceModel, operation: OperationKind): string[] {
  const { errors, parent } = model;
  const onItem = operation !== 'list' && operation !== 'create';
  const steps = model.policy[operation].map((step) => (step.asParameterError ? 'rest_invalid_param' : step.error));
  return [
    ...ALWAYS,
    'rest_invalid_param',
    'rest_unknown_param',
    ...steps,
    ...(onItem ? [errors.notFound] : []),
    ...(parent ? [parent.notFound] : []),
    ...(onItem && parent?.mismatch ? [parent.mismatch] : []),
    ...(onItem || parent ? ['rest_no_route'] : []),
    ...(operation === 'list' && model.list.pageOutOfRange ? [model.list.pageOutOfRange] : []),
    ...(isReading(operation) ? ['rest_response_too_large'] : BODY_CODES),
    ...(operation === 'create' || operation === 'update' ? WRITE_CODES : []),
    ...(operation === 'create' ? ['rest_missing_callback_param', errors.exists] : []),
    ...(operation === 'update' || operation === 'delete' ? ['rest_precondition_failed'] : []),
    ...(operation === 'delete'
      ? ['rest_item_in_use', model.faces.trash ? 'rest_already_trashed' : 'rest_trash_not_supported']
      : []),
    ...(model.codes[operation] ?? []),
  ];
}

/** Codes of an action of an extension, besides its own. */
export function actionCodes(takesBody: boolean): string[] {
  const body = takesBody ? ['rest_invalid_param', 'rest_missing_callback_param', ...WRITE_CODES] : [];
  return [...ALWAYS, 'rest_forbidden', ...BODY_CODES, ...body];
}

/** Codes of bodies that cannot be read; one may be sent to any operation but a read. */
export const BODY_CODES = [
  'rest_invalid_json',
  'rest_upload_no_data',
  'rest_request_too_large',
  'rest_unsupported_media_type',
];
const WRITE_CODES = ['invalid_date', 'rest_invalid_idempotency_key', 'rest_idempotency_key_reused'];

/** Statuses of the codes that a resource declares for something else than missing permissions. */
function declaredStatuses({ errors, parent, list }: ResourceModel): Record<string, number> {
  return {
    [errors.exists]: 400,
    ...(list.pageOutOfRange ? { [list.pageOutOfRange]: 400 } : {}),
    ...(parent?.mismatch ? { [parent.mismatch]: 404 } : {}),
    ...(parent ? { [parent.notFound]: 404 } : {}),
  };
}

/**
 * The responses of codes, by status; other codes that the schema file of a resource declares stand for missing permissions.
 * `default` covers what is not listed, such as errors of extensions: generators do not know ranges of statuses.
 */
export function errorResponses(codes: readonly string[], model?: ResourceModel): Responses {
  const declared = model ? declaredStatuses(model) : {};
  const byStatus = new Map<number, Set<string>>();
  const add = (status: number, code: string) => byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  for (const code of codes) {
    const status = code === model?.errors.notFound ? 404 : (catalogue[code]?.status ?? declared[code] ?? 'auth');
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
    content: JSON_ERROR,
  };
}
