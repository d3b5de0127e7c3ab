// Body limits by address: a map built at boot, looked up by the transport before routing.
import { couldEver } from '../../engine/rights/coarse-policy.js';
import { predicateFor } from '../../engine/rights/predicate-for.js';
import type { Actor } from '../../model/actor.js';
import type { OperationKind } from '../../model/schema/schema.js';
import type { BodyRule } from '../request/read-body.js';
import type { ApiRequest } from '../request/request-context.js';
import { pathOf, patternPath, wildcards } from '../routes/known-routes.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { takesFiles } from './upload-intake.js';

/** Limits in bytes, and addresses outside the resources (batches) with theirs. */
export interface BodyRuleOptions {
  body: number;
  contentBody: number;
  extra?: Readonly<Record<string, BodyRule>>;
}

/** The rule for a request, by its path alone. */
export function bodyRules(
  routes: readonly ResourceRoute[],
  options: BodyRuleOptions,
): (request: ApiRequest) => BodyRule {
  // Other addresses accept only a few parameters.
  const plain: BodyRule = { limit: options.body, uploads: false };
  const rules = new Map<string, BodyRule>();
  for (const route of routes) {
    const limit = [...route.model.fields.values()].some((field) => field.type === 'rendered')
      ? options.contentBody
      : options.body;
    const path = patternPath(route);
    rules.set(path, {
      limit,
      uploads: takesFiles(route),
      mayWrite: writers(route, route.model.singleton ? 'update' : 'create'),
    });
    rules.set(`${path}/*`, { limit, uploads: false, mayWrite: writers(route, 'update') });
    for (const action of route.model.listOf ? [] : route.model.ownActions.values()) {
      const item = action.on === 'item' && !route.model.singleton;
      const mayWrite = (actor: Actor) => predicateFor(action.needs, actor).op !== 'false';
      rules.set(`${path}${item ? '/*' : ''}/${action.name}`, { limit, uploads: false, mayWrite });
    }
  }
  for (const [path, rule] of Object.entries(options.extra ?? {})) rules.set(path.toLowerCase(), rule);
  const base = routes[0]?.base ?? '';
  return (request) => {
    const path = pathOf(request);
    const pattern = wildcards(path, base.length);
    // The last segment is a key, or the name of an action on a collection below an item.
    const named = pattern.slice(0, pattern.lastIndexOf('/')) + path.slice(path.lastIndexOf('/'));
    return rules.get(path) ?? rules.get(named) ?? rules.get(pattern) ?? plain;
  };
}

/** Callers who could write at all; deletions have only a few parameters. */
function writers({ model }: ResourceRoute, kind: OperationKind): NonNullable<BodyRule['mayWrite']> {
  return (actor, method) => method !== 'DELETE' && model.operations.has(kind) && couldEver(model, kind, actor);
}
