// Strict handling of requests: names that a resource does not know are rejected instead of ignored.
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { OwnActionModel } from '../../model/hooks.js';
import type { OperationKind } from '../../model/schema/schema.js';
import { EXPAND, isQueryParameter, isSortList, ORDER } from '../../model/query-language.js';
import { didYouMean } from '../../text/nearest-name.js';

/** Parameters that every route takes. */
const COMMON = ['_fields', '_embed', '_envelope', '_pretty', '_method'];
/** Members of a response that clients may send back with the item. */
const SHOWN = ['_links', '_embedded'];
const APPLIED = 'handling=strict';
const STRICT = /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i;

/** Whether a request prefers strict handling (RFC 7240). */
export function prefersStrict(headers: Record<string, unknown>): boolean {
  const { prefer } = headers;
  return typeof prefer === 'string' && STRICT.test(prefer);
}

/**
 * Rejects unknown names in a request, where the resource or the request demands strict handling. `dropped`: names that
 * no parameter can have, which were taken out of what was sent.
 * @throws ResourceError 400 with every unknown name
 */
export function rejectUnknown(
  model: ResourceModel,
  kind: OperationKind,
  sent: Record<string, unknown>,
  headers: Record<string, unknown>,
  dropped: readonly string[] = [],
): void {
  const isStrict = prefersStrict(headers);
  if (!model.schema.strict && !isStrict) return;
  refuse([...unknownNames(model, kind, sent), ...dropped], knownNames(model, kind), model.schema.strict === true);
}

/** The same for what an action takes; those of traits have no parameters. */
export function rejectUnknownOfAction(
  { schema }: ResourceModel,
  sent: Record<string, unknown>,
  headers: Record<string, unknown>,
  dropped: readonly string[] = [],
  params: OwnActionModel['params'] = new Map(),
): void {
  if (!schema.strict && !prefersStrict(headers)) return;
  const known = new Set([...COMMON, ...params.keys()]);
  refuse([...Object.keys(sent).filter((name) => !known.has(name)), ...dropped], known, schema.strict === true);
}

/** The header of the response to a request for strict handling. */
export function strictHeaders(headers: Record<string, unknown>): Record<string, string> {
  return prefersStrict(headers) ? { 'Preference-Applied': APPLIED } : {};
}

function refuse(unknown: readonly string[], known: ReadonlySet<string>, always: boolean): void {
  // Without a prototype: one of the names may be `__proto__`.
  const params: Record<string, string> = Object.create(null);
  for (const name of unknown) {
    const hint = didYouMean(name, known);
    params[name] = `${name} is not a parameter of this request${hint ? ` (${hint})` : ''}.`;
  }
  const names = Object.keys(params);
  if (names.length === 0) return;
  const message = `Unknown parameter(s): ${names.join(', ')}. Leave them out.`;
  const told = always ? {} : { headers: { Vary: 'Prefer', 'Preference-Applied': APPLIED } };
  throw new ResourceError('rest_unknown_param', { message, data: { status: 400, params }, ...told });
}

/**
 * Headers of a response about the preference: that it was applied, or that the response depends on it, because names
 * were ignored that strict handling rejects.
 */
export function preferenceHeaders(
  model: ResourceModel,
  kind: OperationKind,
  sent: Record<string, unknown>,
  headers: Record<string, unknown>,
  dropped: readonly string[],
): Record<string, string> {
  if (prefersStrict(headers)) return { 'Preference-Applied': APPLIED };
  const depends = !model.schema.strict && (dropped.length > 0 || unknownNames(model, kind, sent).length > 0);
  return depends ? { Vary: 'Prefer' } : {};
}

function unknownNames(model: ResourceModel, kind: OperationKind, sent: Record<string, unknown>): string[] {
  const known = knownNames(model, kind);
  return Object.keys(sent).filter((name) => !known.has(name) && !isOfLanguage(model, kind, name, sent[name]));
}

function isOfLanguage(model: ResourceModel, kind: OperationKind, name: string, value: unknown): boolean {
  const hasSortKeys = name === ORDER && model.query !== undefined && isSortList(value);
  if (kind === 'list') return hasSortKeys || isQueryParameter(model, name, value);
  return kind === 'retrieve' && name === EXPAND && model.query !== undefined;
}

const cache = new WeakMap<ResourceModel, Map<OperationKind, ReadonlySet<string>>>();

/** Names of the parameters that an operation takes. */
export function knownNames(model: ResourceModel, kind: OperationKind): ReadonlySet<string> {
  let kinds = cache.get(model);
  if (!kinds) cache.set(model, (kinds = new Map()));
  let names = kinds.get(kind);
  if (!names) kinds.set(kind, (names = new Set([...COMMON, ...namesOf(model, kind)])));
  return names;
}

function namesOf(model: ResourceModel, kind: OperationKind): string[] {
  if (kind === 'list') return [...model.listParams.keys(), ...model.openings];
  if (kind === 'retrieve') return [...model.itemParams.keys(), ...model.openings];
  if (kind === 'delete') return [...model.deleteParams.keys()];
  const fields = [...model.fields.values()].filter(({ hidden }) => !hidden).map(({ name }) => name);
  const asked = model.policy[kind].flatMap(({ field = [] }) => field);
  const owned = kind === 'create' ? [...(model.owned?.keys() ?? [])] : [];
  return [...fields, ...owned, ...asked, ...SHOWN, ...(model.parent ? [model.parent.param] : [])];
}
