// The body limit of each path: a map built at start, looked up by the transport before routing.
import { couldEver } from '../../engine/rights/coarse-policy.js';
import { predicateFor } from '../../engine/rights/predicate-for.js';
import type { Actor } from '../../model/actor.js';
import type { OperationKind } from '../../model/schema/schema.js';
import type { BodyLimit } from '../request/read-body.js';
import type { ApiRequest } from '../request/request-context.js';
import { pathOf, patternPath, wildcards } from '../routes/known-routes.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { takesFiles } from './upload-intake.js';

/** Limits in bytes, and paths outside the resources (batches) with theirs. */
export interface BodyLimitOptions {
  body: number;
  contentBody: number;
  /** Whether the site has routes of its own code, which get the bytes of bodies too. */
  raw?: boolean;
  extra?: Readonly<Record<string, BodyLimit>>;
}

/** The body limit of a request, by its path alone. */
export function bodyLimits(
  routes: readonly ResourceRoute[],
  options: BodyLimitOptions,
): (request: ApiRequest) => BodyLimit {
  // Other paths accept only a few parameters.
  const plain: BodyLimit = { limit: options.body, uploads: false, raw: options.raw ?? false };
  const limits = new Map<string, BodyLimit>();
  for (const route of routes) {
    const limit = [...route.model.fields.values()].some((field) => field.type === 'rendered')
      ? options.contentBody
      : options.body;
    const path = patternPath(route);
    limits.set(path, {
      limit,
      uploads: takesFiles(route),
      mayWrite: writers(route, route.model.singleton ? 'update' : 'create'),
    });
    limits.set(`${path}/*`, { limit, uploads: false, mayWrite: writers(route, 'update') });
    for (const action of route.model.listOf ? [] : route.model.ownActions.values()) {
      const item = action.on === 'item' && !route.model.singleton;
      const mayWrite = (actor: Actor) => predicateFor(action.needs, actor).op !== 'false';
      limits.set(`${path}${item ? '/*' : ''}/${action.name}`, { limit, uploads: false, mayWrite });
    }
  }
  for (const [path, limit] of Object.entries(options.extra ?? {})) limits.set(path.toLowerCase(), limit);
  const base = routes[0]?.base ?? '';
  return (request) => {
    const path = pathOf(request);
    const pattern = wildcards(path, base.length);
    // The last segment is a key, or the name of an action on a collection below an item.
    const named = pattern.slice(0, pattern.lastIndexOf('/')) + path.slice(path.lastIndexOf('/'));
    return limits.get(path) ?? limits.get(named) ?? limits.get(pattern) ?? plain;
  };
}

/** Callers who could write at all; deletions have only a few parameters. */
function writers({ model }: ResourceRoute, kind: OperationKind): NonNullable<BodyLimit['mayWrite']> {
  return (actor, method) => method !== 'DELETE' && model.operations.has(kind) && couldEver(model, kind, actor);
}
