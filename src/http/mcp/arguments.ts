// Checks on the arguments of tools that belong to the protocol and not to a resource. Nothing that an agent sends is
// ignored: without a condition or a precondition it would get more than it requested.
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import { AGENT_ARGUMENTS, IDEMPOTENCY_KEY, IF_MATCH, WHERE } from '../../model/agent-arguments.js';
import type { OperationKind } from '../../model/schema/schema.js';
import { dropReserved } from '../request/prototype-keys.js';
import type { RequestInput } from '../routes/request-input.js';
import { wrongKeys } from '../routes/path-keys.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { missingParams } from '../validation/validate-params.js';

const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const isNames = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText));

/** What the arguments of the protocol must be. */
const FORMS: readonly (readonly [name: string, isRight: (value: unknown) => boolean, what: string])[] = [
  [IF_MATCH, isText, 'a text: the etag of the expected version'],
  [IDEMPOTENCY_KEY, isText, 'a text'],
  [WHERE, isObject, 'an object: {"field": {"operator": value}}'],
  ['_fields', isNames, 'names, separated by commas'],
];

const OF_HTTP = 'It is for requests over HTTP: leave it out.';
/** Parameters of requests that have no meaning for a tool. */
const IDLE = { _embed: OF_HTTP, _envelope: OF_HTTP, _pretty: OF_HTTP, _method: OF_HTTP };

/**
 * Refuses arguments of the protocol in a wrong form; `null` counts as absent, as everywhere.
 * @throws ResourceError 400 with all of them
 */
export function checkArguments(kind: OperationKind, given: Readonly<Record<string, unknown>>): void {
  const issues = FORMS.filter(([name]) => AGENT_ARGUMENTS.get(name)?.includes(kind) ?? true)
    .filter(([name, isRight]) => isSent(given[name]) && !isRight(given[name]))
    .map(([param, , what]) => ({
      param,
      code: 'rest_invalid_type',
      message: `${param} must be ${what}.`,
      data: { param },
    }));
  if (issues.length > 0) throw invalidParams(issues);
  refuseIdle(given, IDLE);
}

/**
 * Refuses names that every object has in JavaScript, wherever they are: other requests drop them. `dropped`: those that
 * were removed before.
 * @throws ResourceError 400 with all of them
 */
export function refuseReserved(given: Readonly<Record<string, unknown>>, dropped: readonly string[]): void {
  const hints = Object.fromEntries(
    [...dropped, ...dropReserved(given)].map((name) => [name, 'No field has this name.']),
  );
  refuseIdle(hints, hints);
}

/**
 * Refuses keys that are missing, and those that no item can have: to an agent there are no URLs.
 * @throws ResourceError 400 with all of them
 */
export function checkKeys(
  route: ResourceRoute,
  input: RequestInput,
  given: Readonly<Record<string, unknown>>,
  key: string,
): void {
  const argumentOf = (segment: string) => (segment === route.keyParam ? key : segment);
  const missing = Object.keys(input.segments)
    .map(argumentOf)
    .filter((name) => !isSent(given[name]));
  if (missing.length > 0) throw missingParams(missing);
  const wrong = Object.entries(input.segments).filter(([, segment]) => segment === '');
  const names = new Set([...wrong.map(([name]) => name), ...wrongKeys(route, input)].map(argumentOf));
  const code = 'rest_invalid_type';
  if (names.size > 0)
    throw invalidParams([...names].map((param) => ({ param, code, message: `${param} must be the id of an item.` })));
}

/**
 * Refuses arguments that would have no effect; `hints` says for each what to send instead.
 * @throws ResourceError 400 with all of them
 */
export function refuseIdle(given: Readonly<Record<string, unknown>>, hints: Readonly<Record<string, string>>): void {
  const params = Object.fromEntries(
    Object.entries(hints)
      .filter(([name]) => isSent(given[name]))
      .map(([name, hint]) => [name, `${name} is not an argument of this tool. ${hint}`]),
  );
  const names = Object.keys(params);
  if (names.length === 0) return;
  const message = `Unknown argument(s): ${names.join(', ')}. See params for what to send instead.`;
  throw new ResourceError('rest_unknown_param', { message, data: { status: 400, params } });
}

/** Where a list finds the conditions of an agent. */
const PLACE = /(^|[ ,])and\[0\]/g;

/** An error with the argument names of the agent: `where[price]` for `and[0][price]`. */
export function withArgumentNames(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(PLACE, `$1${WHERE}`);
  if (Array.isArray(value)) return value.map(withArgumentNames);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, value]) => [withArgumentNames(name), withArgumentNames(value)]));
}

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
