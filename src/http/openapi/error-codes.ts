// The codes that each operation may return: those of its permission checks, fields, parameters and traits, and those that
// every operation of its kind has.
import { catalogue } from '../../errors/catalogue.js';
import type { FieldModel } from '../../model/field.js';
import type { ResourceModel } from '../../model/model.js';
import { isReading, type OperationKind } from '../../model/schema/schema.js';
import type { OwnActionModel } from '../../model/hooks.js';
import type { Refusal } from '../../model/permissions.js';

/** Codes of every operation that is described: any query string may be one that cannot be read. */
export const ANYWHERE = ['rest_invalid_param', 'rest_uri_too_long', 'rest_too_many_requests', 'rest_unavailable'];
/** Codes of OPTIONS. */
export const OPTIONS_CODES = ['incorrect_password', 'rest_invalid_token', 'rest_no_route', ...ANYWHERE];
const ALWAYS = ['incorrect_password', 'rest_invalid_token', 'rest_forbidden_scope', ...ANYWHERE];

/** The code of a refusal. */
export function codeOf(refusal: Refusal): string {
  return typeof refusal === 'string' ? refusal : refusal.code;
}

/** A code that a resource chooses; one of its own has the status. */
function refusalFor(code: string, status: number): Refusal {
  return catalogue[code] ? code : { code, status };
}

/** Codes of an operation on a resource. */
export function errorCodes(model: ResourceModel, operation: OperationKind): Refusal[] {
  const isWrite = operation === 'create' || operation === 'update';
  return [
    ...ALWAYS,
    'rest_unknown_param',
    ...accessCodes(model, operation),
    ...(operation === 'list' ? listCodes(model) : []),
    ...(isReading(operation) ? ['rest_response_too_large'] : BODY_CODES),
    ...(isWrite ? [...WRITE_CODES, ...valueCodes(model), ...replayCodes(model)] : []),
    ...(requiresParams(model, operation) ? ['rest_missing_callback_param'] : []),
    ...(operation === 'create' ? [refusalFor(model.errors.exists, 400), ...ownedCodes(model)] : []),
    ...(operation === 'update' || operation === 'delete' ? ['rest_precondition_failed'] : []),
    ...(operation === 'delete'
      ? ['rest_item_in_use', model.faces.trash ? 'rest_already_trashed' : 'rest_trash_not_supported']
      : []),
    ...(model.codes[operation] ?? []),
    ...failureCodes(model, operation),
  ];
}

/** Codes of writes that the database rejects, where they have any of their own. */
function failureCodes({ schema, fields }: ResourceModel, operation: OperationKind): Refusal[] {
  if (operation === 'list' || operation === 'retrieve') return [];
  const code = schema.errors?.failed?.[operation];
  return [
    // A deletion is 500 whatever its code is.
    ...(code === undefined ? [] : [operation === 'delete' ? { code, status: 500 } : refusalFor(code, 500)]),
    ...([...fields.values()].some(({ meta }) => meta) ? ['rest_meta_database_error'] : []),
  ];
}

/** Codes of what a caller may not see or do, and of URLs that lead nowhere. */
function accessCodes(model: ResourceModel, operation: OperationKind): Refusal[] {
  const { errors, parent, schema } = model;
  const onItem = operation !== 'list' && operation !== 'create';
  const hasAlias = [onItem ? schema : undefined, parent?.model.schema].some((each) => each?.selfAlias !== undefined);
  return [
    ...policyCodes(model, operation),
    ...(onItem ? [{ code: errors.notFound, status: 404 }] : []),
    ...(hasAlias ? ['rest_not_logged_in'] : []),
    ...(parent ? [refusalFor(parent.notFound, 404)] : []),
    ...(onItem && parent?.mismatch ? [refusalFor(parent.mismatch, 404)] : []),
    ...(onItem || parent ? ['rest_no_route'] : []),
  ];
}

/** Codes of permission checks: those of a parent, too, where it hides what is below it. */
function policyCodes({ parent, policy }: ResourceModel, operation: OperationKind): Refusal[] {
  return [
    ...policy[operation].map((step) => (step.asParameterError ? 'rest_invalid_param' : step.error)),
    ...(parent?.hides ? policyCodes(parent.model, 'retrieve') : []),
  ];
}

/** Codes of the parameters and the orders of a list. */
function listCodes({ list, listParams, schema, static: rows }: ResourceModel): Refusal[] {
  const params = [...listParams.values()];
  const orders = [...list.orderings.keys()];
  return [
    ...(list.pageOutOfRange ? [refusalFor(list.pageOutOfRange, 400)] : []),
    ...(rows ? [schema.errors?.list ?? 'rest_cannot_view'] : []),
    ...(params.some(({ guard }) => guard) ? ['rest_forbidden_param'] : []),
    ...params.flatMap(({ codes }) => codes ?? []),
    ...(list.orderingGuards.size > 0 ? ['rest_forbidden_orderby'] : []),
    ...(orders.includes('relevance') ? ['rest_no_search_term_defined'] : []),
    ...(orders.includes('include') && list.pageOutOfRange ? ['rest_orderby_include_missing_include'] : []),
  ];
}

/** Codes of the values of fields. */
function valueCodes({ fields, rights }: ResourceModel): Refusal[] {
  const all = [...fields.values()];
  return [
    ...all.flatMap(fieldCodes),
    ...(rights ? ['rest_forbidden_field'] : []),
    ...(all.some(({ type }) => type === 'rendered') ? ['rest_text_too_costly'] : []),
  ];
}

function fieldCodes({ schema, targets, many, meta, readOnly }: FieldModel): Refusal[] {
  if (readOnly) return [];
  const keys = meta?.keys.filter(({ hidden }) => !hidden) ?? [];
  return [
    ...(schema.error !== undefined && (targets ?? many) ? [{ code: schema.error, status: 400 }] : []),
    ...(keys.some(({ needs, key }) => needs ?? key.startsWith('_'))
      ? ['rest_cannot_update', 'rest_cannot_delete']
      : []),
    ...keys.flatMap(({ codes }) => codes.map((code) => ({ code, status: 400 }))),
  ];
}

/** Codes of the response to an earlier request with the same `Idempotency-Key`: its item is read again. */
function replayCodes(model: ResourceModel): Refusal[] {
  return [{ code: model.errors.notFound, status: 404 }, ...policyCodes(model, 'retrieve')];
}

/** Codes of the items that are sent with the one they belong to. */
function ownedCodes({ owned }: ResourceModel): Refusal[] {
  return [...(owned?.values() ?? [])].flatMap((model) => [
    ...model.policy.create.map(({ error }) => error),
    ...valueCodes(model),
    refusalFor(model.errors.exists, 400),
    ...(model.codes.create ?? []),
    ...ownedCodes(model),
  ]);
}

function requiresParams(model: ResourceModel, operation: OperationKind): boolean {
  if (operation === 'create') return true;
  return operation === 'delete' && [...model.deleteParams.values()].some(({ schema }) => schema.required === true);
}

/** Codes of an action of an extension, besides its own. */
export function actionCodes(model: ResourceModel, { on, params, error }: OwnActionModel): Refusal[] {
  return [
    ...ALWAYS,
    'rest_unknown_param',
    ...accessCodes(model, on === 'item' ? 'retrieve' : 'list'),
    error,
    ...BODY_CODES,
    ...WRITE_CODES,
    ...(params.size > 0 ? ['rest_missing_callback_param'] : []),
  ];
}

/** Codes of bodies that cannot be read; one may be sent to any operation but a read. */
export const BODY_CODES = [
  'rest_invalid_json',
  'rest_upload_no_data',
  'rest_request_timeout',
  'rest_request_too_large',
  'rest_unsupported_media_type',
];
const WRITE_CODES = [
  'invalid_date',
  'rest_invalid_idempotency_key',
  'rest_idempotency_key_reused',
  'rest_insufficient_storage',
];
