// The methods of the Allow header: those that a caller may use on a route, for errors and for responses without a result.
import type { ResourceService } from '../../engine/resource.service.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { Operation } from '../../model/operation.js';
import { couldEver } from '../../engine/rights/coarse-policy.js';
import { predicateFor } from '../../engine/rights/predicate-for.js';
import type { ApiRequest } from '../request/request-context.js';
import { requestInput, type RequestInput } from '../routes/request-input.js';
import type { KnownRoutes } from '../routes/known-routes.js';
import { isKeyed, lacksSelf } from '../routes/path-keys.js';
import type { OperationFactory } from './operation.factory.js';
import { endpointsOf, kindOfRoute, type ResourceRoute, type RouteKind } from '../routes/resource-route.js';

function isRefused(error: unknown, { actor }: RequestInput): boolean {
  return error instanceof ResourceError && error.denied && error.statusFor(actor.id > 0) !== 404;
}

/** Best effort: errors are swallowed, because a header must never replace the response. */
export class AllowHeader {
  /** All routes, once the controllers are bound. */
  routes: KnownRoutes | undefined;

  constructor(
    private readonly service: ResourceService,
    private readonly operations: OperationFactory,
  ) {}

  /** For a caller who has only named the route. */
  async of(route: ResourceRoute, kind: RouteKind, input: RequestInput): Promise<readonly string[]> {
    if (lacksSelf(route, input)) return ['GET'];
    try {
      const op = this.operations.bare(route, kind === 'item' || route.model.singleton ? 'retrieve' : 'list', input);
      // Permission to create may depend on the references in the body.
      if (input.body) op.values = input.body;
      return await this.service.allow(op, kind);
    } catch (error) {
      // Below a parent that the caller may not read, no method is allowed; for a missing item, none is known.
      return isRefused(error, input) ? [] : this.ever(route, kind, input);
    }
  }

  /** The same for the path of an action. */
  async ofAction(route: ResourceRoute, name: string, input: RequestInput): Promise<readonly string[]> {
    const { model } = route;
    const own = model.ownActions.get(name);
    try {
      const op = this.operations.bare(route, !own ? 'update' : own.on === 'item' ? 'retrieve' : 'list', input);
      await (own ? this.service.admit(op, own) : this.service.permitAction(op, name));
      return ['POST'];
    } catch (error) {
      if (isRefused(error, input)) return [];
      const { actor } = input;
      const could = own
        ? predicateFor(own.needs, actor).op !== 'false'
        : couldEver(model.actions.get(name)!.changes, 'update', actor);
      return could ? ['POST'] : [];
    }
  }

  /** The methods that the caller could use on some item. */
  ever({ model }: ResourceRoute, kind: RouteKind, { actor }: RequestInput): string[] {
    return endpointsOf(model, kind).flatMap(({ operation, methods }) =>
      couldEver(model, operation, actor) ? methods : [],
    );
  }

  /** For a request that failed before it was routed; empty for paths that belong to no resource. */
  async beforeRouting(request: ApiRequest): Promise<readonly string[]> {
    const found = this.routes?.of(request);
    const input = { ...requestInput(request), segments: found?.segments ?? {} };
    return found && isKeyed(found.route, input) ? this.of(found.route, found.kind, input) : [];
  }

  /** After a successful operation; its own transaction, if it had one, has been committed. */
  async after(op: Operation, route: ResourceRoute, input: RequestInput): Promise<readonly string[]> {
    const kind = kindOfRoute(op.kind, op.model);
    return op.tx ? this.of(route, kind, input) : this.service.allow(op, kind);
  }
}
