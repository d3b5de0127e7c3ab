// Parses path segments into keys of items and parents, and decides which segments match the route.
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { Actor } from '../../model/actor.js';
import type { RequestInput } from './request-input.js';
import { noRoute } from '../http-errors.js';
import type { ResourceRoute } from './resource-route.js';

const DIGITS = /^\d+$/;
const INTEGER = /^-?\d+$/;
/** A number that no field holds. */
const UNHELD = String(2 ** 53);

/** Key of the item in the path: 0 for a number that cannot be an id. */
export function itemKey(route: ResourceRoute, input: RequestInput): number | string {
  const segment = input.segments[route.keyParam] ?? '';
  if (route.model.integerKey) return integerKey(route.model, segment, input.actor);
  if (isSelf(route, input)) return requireAccount(input.actor).key ?? '';
  // One spelling of each key: writes of an item exclude each other by its key.
  if (!isInteger(route.model)) return String(route.model.key.compared?.(segment) ?? segment);
  if (!INTEGER.test(segment)) throw noRoute();
  return Number.isSafeInteger(Number(segment)) ? String(Number(segment)) : UNHELD;
}

/** Id of the parent in the path; 0 for resources without one. */
export function parentKey(route: ResourceRoute, input: RequestInput): number {
  const { parent } = route.model;
  if (!parent) return 0;
  return integerKey(parent.model, input.segments[parent.param] ?? '', input.actor);
}

/** Throws 404 for a path whose segments cannot be keys, for every caller. */
export function requireRoute(route: ResourceRoute, input: RequestInput): void {
  if (!isKeyed(route, input)) throw noRoute();
}

/** Whether the segments of a path can be keys. */
export function isKeyed(route: ResourceRoute, input: RequestInput): boolean {
  return wrongKeys(route, input).length === 0;
}

/** Names of the segments of a path that cannot be keys. */
export function wrongKeys({ model, keyParam }: ResourceRoute, { segments }: RequestInput): string[] {
  const { parent, integerKey: isId } = model;
  const named = segments[keyParam];
  const form = isId ? DIGITS : isInteger(model) ? INTEGER : undefined;
  const wrong = named !== undefined && named !== model.schema.selfAlias && form?.test(named) === false;
  return [
    ...(wrong ? [keyParam] : []),
    ...(parent && !isKey(parent.model, segments[parent.param] ?? '') ? [parent.param] : []),
  ];
}

/** Whether the path contains `me` although the caller is anonymous. */
export function lacksSelf(route: ResourceRoute, input: RequestInput): boolean {
  return input.actor.id === 0 && isSelf(route, input);
}

/** Whether the path contains `me` in place of an id. */
export function isSelf(route: ResourceRoute, input: RequestInput): boolean {
  const { selfAlias } = route.model.schema;
  return selfAlias !== undefined && input.segments[route.keyParam] === selfAlias;
}

function integerKey(model: ResourceModel, segment: string, actor: Actor): number {
  if (segment === model.schema.selfAlias) return requireAccount(actor).id;
  if (!isKey(model, segment)) throw noRoute();
  const id = Number(segment);
  return Number.isSafeInteger(id) ? id : 0;
}

function requireAccount(actor: Actor): Actor {
  if (actor.id === 0) throw new ResourceError('rest_not_logged_in', { status: 401 });
  return actor;
}

/** Whether items are named by a number that is not their id. */
function isInteger({ integerKey: isId, key }: ResourceModel): boolean {
  return !isId && key?.columns[0]?.kind === 'integer';
}

function isKey(model: ResourceModel, segment: string): boolean {
  return DIGITS.test(segment) || segment === model.schema.selfAlias;
}
