// Which methods a caller may use on a route (decisions 4.3), for answers whose operation did not say so and for refusals.
import type { ResourceService } from '../engine/resource.service.js';
import type { Operation } from '../model/operation.js';
import type { Asked } from './asked.js';
import { lacksSelf } from './item-key.js';
import type { OperationFactory } from './operation.factory.js';
import { kindOfRoute, type ResourceRoute, type RouteKind } from './resource-route.js';

/** Asks the service; what it cannot say is left out, for a header must never hide an answer. */
export class Allowance {
  constructor(
    private readonly service: ResourceService,
    private readonly operations: OperationFactory,
  ) {}

  /** For a caller who has only named the route. */
  async of(route: ResourceRoute, kind: RouteKind, asked: Asked): Promise<readonly string[]> {
    if (lacksSelf(route, asked)) return ['GET'];
    try {
      const op = this.operations.bare(route, kind === 'item' ? 'retrieve' : 'list', asked);
      // Whether something may be made can depend on what it refers to.
      if (asked.body) op.values = asked.body;
      return await this.service.allow(op, kind);
    } catch {
      return [];
    }
  }

  /** Once an operation has succeeded; its own transaction, if it had one, is over. */
  async after(op: Operation, route: ResourceRoute, asked: Asked): Promise<readonly string[]> {
    if (op.tx) return this.of(route, kindOfRoute(op.kind), asked);
    return this.service.allow(op, kindOfRoute(op.kind));
  }
}
