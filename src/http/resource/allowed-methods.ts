// The methods that a caller may use on a route (the Allow header), for errors and for responses without a result.
import type { ResourceService } from '../../engine/resource.service.js';
import type { Operation } from '../../model/operation.js';
import type { RequestInput } from './request-input.js';
import { lacksSelf } from './path-keys.js';
import type { OperationFactory } from './operation.factory.js';
import { kindOfRoute, type ResourceRoute, type RouteKind } from './resource-route.js';

/** Best effort: errors are swallowed, because a header must never replace the response. */
export class AllowedMethods {
  constructor(
    private readonly service: ResourceService,
    private readonly operations: OperationFactory,
  ) {}

  /** For a caller who has only addressed the route. */
  async of(route: ResourceRoute, kind: RouteKind, input: RequestInput): Promise<readonly string[]> {
    if (lacksSelf(route, input)) return ['GET'];
    try {
      const op = this.operations.bare(route, kind === 'item' ? 'retrieve' : 'list', input);
      // Permission to create may depend on the references in the body.
      if (input.body) op.values = input.body;
      return await this.service.allow(op, kind);
    } catch {
      return [];
    }
  }

  /** After a successful operation; its own transaction, if it had one, has been committed. */
  async after(op: Operation, route: ResourceRoute, input: RequestInput): Promise<readonly string[]> {
    if (op.tx) return this.of(route, kindOfRoute(op.kind), input);
    return this.service.allow(op, kindOfRoute(op.kind));
  }
}
