// The one controller of all resources. bind-controllers.ts makes a subclass per model and gives its methods their routes.
import { Inject } from '@nestjs/common';
import { ResourceService } from '../engine/resource.service.js';
import type { Operation, Result } from '../model/operation.js';
import type { Answer } from './answer.js';
import type { RoutedRequest } from './asked.js';
import { askedOf } from './asked.js';
import { Allowance } from './allowance.js';
import { AnswerCache } from './answer-cache.js';
import { requireRoute } from './item-key.js';
import { OperationFactory, type CheckedBody } from './operation.factory.js';
import type { OptionsDocuments } from './options-document.js';
import { contextOf } from './request-context.js';
import { resourceAnswer } from './resource-answer.js';
import type { ResourceRoute, RouteKind } from './resource-route.js';

/** Turns requests into operations and results into answers; everything else is the service's. */
export abstract class ResourceController {
  protected abstract readonly route: ResourceRoute;
  protected abstract readonly documents: OptionsDocuments;

  constructor(
    @Inject(ResourceService) private readonly service: ResourceService,
    @Inject(OperationFactory) private readonly operations: OperationFactory,
    @Inject(Allowance) private readonly allowance: Allowance,
    @Inject(AnswerCache) private readonly answers: AnswerCache,
  ) {}

  /** A page of the collection. */
  list(request: RoutedRequest): Promise<Answer> {
    return this.read(request, 'list');
  }

  /** One item. */
  retrieve(request: RoutedRequest): Promise<Answer> {
    return this.read(request, 'retrieve');
  }

  /** A new item. */
  create(request: RoutedRequest, body: CheckedBody): Promise<Answer> {
    return this.run(request, this.operations.write(this.route, 'create', askedOf(request), body));
  }

  /** A change of an item; what was not sent stays. */
  update(request: RoutedRequest, body: CheckedBody): Promise<Answer> {
    return this.run(request, this.operations.write(this.route, 'update', askedOf(request), body));
  }

  /** The end of an item, or its way into the trash. */
  delete(request: RoutedRequest): Promise<Answer> {
    return this.run(request, this.operations.remove(this.route, askedOf(request)));
  }

  /** Something else to do with an item, named by its route. */
  act(request: RoutedRequest, name: string): Promise<Answer> {
    const op = this.operations.bare(this.route, 'update', askedOf(request));
    return this.answer(request, op, this.service.act(op, name));
  }

  /** What the route offers, to whom (decisions 4.2). */
  async describe(request: RoutedRequest, kind: RouteKind): Promise<Answer> {
    const asked = askedOf(request);
    requireRoute(this.route, asked);
    return this.documents.answer(kind, contextOf(request), await this.allowance.of(this.route, kind, asked));
  }

  private read(request: RoutedRequest, kind: 'list' | 'retrieve'): Promise<Answer> {
    return this.answers.answer(request, async (reader) =>
      this.run(request, this.operations.read(this.route, kind, askedOf(request), reader)),
    );
  }

  private run(request: RoutedRequest, op: Operation): Promise<Answer> {
    return this.answer(request, op, this.service[op.kind](op));
  }

  private async answer(request: RoutedRequest, op: Operation, running: Promise<Result>): Promise<Answer> {
    try {
      const result = await running;
      const allow = result.allow ?? (await this.allowance.after(op, this.route, askedOf(request)));
      return resourceAnswer(result, op, allow, contextOf(request));
    } finally {
      await op.file?.remove();
    }
  }
}
