// The generic controller of all resources. bind-controllers.ts creates a subclass per model and gives its methods
// their routes.
import { Inject } from '@nestjs/common';
import { Expansion } from '../../engine/perform/expand.js';
import { perform } from '../../engine/perform/perform.js';
import { CompiledReads } from '../../engine/reads/compiled-reads.js';
import { ResourceService } from '../../engine/resource.service.js';
import { chain } from '../../model/runtime/chain.js';
import type { OwnActionModel } from '../../model/hooks.js';
import type { Reader } from '../../model/store.js';
import type { Operation, Result } from '../../model/operation.js';
import type { HttpResponse } from '../response/response.js';
import type { RoutedRequest } from '../routes/request-input.js';
import { requestInput, sentFields } from '../routes/request-input.js';
import { AllowHeader } from './allow-header.js';
import { relationsOf } from './embed-query.js';
import { Embedding } from './embedding.js';
import { exportFormat, exportResponse, type ExportFormat } from '../query/export.js';
import { ResponseCache } from './response-cache.js';
import { rememberSelection } from './field-selection.js';
import { NestedCreation, ownsItems } from './nested-create.js';
import { isSelf, lacksSelf, requireRoute } from '../routes/path-keys.js';
import { OperationFactory, type CheckedBody } from './operation.factory.js';
import type { OptionsDocuments } from './options-document.js';
import { readKey } from './read-key.js';
import { preferenceHeaders, prefersStrict, rejectUnknownOfAction, strictHeaders } from './strict-handling.js';
import { requireSameCaller } from '../request/caller-now.js';
import { contextOf } from '../request/request-context.js';
import { resourceResponse, responseOfAnySize } from './resource-response.js';
import type { ResourceRoute, RouteKind } from '../routes/resource-route.js';
import { Outputs } from '../memory/output-admission.js';

/** Injection token of the runner of extension actions. */
export const OWN_ACTIONS = Symbol('own actions');

/** Runs an action of an extension; `op` reads its item, or lists its collection. */
export interface ActionRunner {
  run(op: Operation, action: OwnActionModel, sent: Record<string, unknown>, key?: string): Promise<Result>;
}

/** Turns requests into operations and results into responses; all other logic is in the service. */
export abstract class ResourceController {
  protected abstract readonly route: ResourceRoute;
  protected abstract readonly documents: OptionsDocuments;

  constructor(
    @Inject(ResourceService) private readonly service: ResourceService,
    @Inject(OperationFactory) private readonly operations: OperationFactory,
    @Inject(AllowHeader) private readonly allowance: AllowHeader,
    @Inject(ResponseCache) private readonly cache: ResponseCache,
    @Inject(Outputs) private readonly outputs: Outputs,
    @Inject(CompiledReads) private readonly compiledReads: CompiledReads,
    @Inject(Embedding) private readonly embedding: Embedding,
    @Inject(NestedCreation) private readonly nested: NestedCreation,
    @Inject(OWN_ACTIONS) private readonly actions: ActionRunner,
  ) {}

  /** Lists a page of the collection. */
  list(request: RoutedRequest): Promise<HttpResponse> {
    return this.read(request, 'list');
  }

  /** Returns one item. */
  retrieve(request: RoutedRequest): Promise<HttpResponse> {
    return this.read(request, 'retrieve');
  }

  /** Creates an item. */
  async create(request: RoutedRequest, body: CheckedBody): Promise<HttpResponse> {
    try {
      if (ownsItems(this.route.model, body.raw)) return await this.createWithOwned(request, body);
      return await this.run(request, this.operations.write(this.route, 'create', requestInput(request), body));
    } finally {
      // The received temporary file, whatever the outcome: an accepted one has been stored elsewhere.
      await body.file?.remove();
    }
  }

  /** Updates an item; fields that were not sent stay. */
  update(request: RoutedRequest, body: CheckedBody): Promise<HttpResponse> {
    return this.run(request, this.operations.write(this.route, 'update', requestInput(request), body));
  }

  /** Deletes an item, or moves it to the trash. */
  delete(request: RoutedRequest): Promise<HttpResponse> {
    return this.run(request, this.operations.remove(this.route, requestInput(request)));
  }

  /** Runs a further action on an item, named by its route. */
  act(request: RoutedRequest, name: string): Promise<HttpResponse> {
    contextOf(request).isAction = true;
    const input = requestInput(request);
    const op = this.operations.action(this.route, name, input);
    rejectUnknownOfAction(this.route.model, sentFields(input.query, input.body), input.headers, input.dropped);
    op.budget = this.outputs.forWrite(contextOf(request));
    return this.respond(request, op, this.service.act(op, name));
  }

  /** Runs an action of an extension. */
  async perform(request: RoutedRequest, name: string): Promise<HttpResponse> {
    contextOf(request).isAction = true;
    const { model } = this.route;
    const action = model.ownActions.get(name)!;
    const input = requestInput(request);
    requireRoute(this.route, input);
    const op = this.operations.bare(this.route, action.on === 'item' ? 'retrieve' : 'list', input);
    op.budget = this.outputs.forWrite(contextOf(request));
    const sent = sentFields(input.query, input.body);
    rejectUnknownOfAction(model, sent, input.headers, input.dropped, action.params);
    const { status, body, headers } = await this.actions.run(op, action, sent, input.headers['idempotency-key']);
    if (op.state.confidential) contextOf(request).confidential = true;
    const shown = { status, body, headers: { ...headers, ...strictHeaders(input.headers), Allow: 'POST' } };
    return responseOfAnySize(shown, contextOf(request));
  }

  /** OPTIONS on the path of an action. */
  async describeAction(request: RoutedRequest, name: string): Promise<HttpResponse> {
    const input = requestInput(request);
    requireRoute(this.route, input);
    const allow = await this.allowance.ofAction(this.route, name, input);
    return this.documents.actionResponse(name, contextOf(request), allow);
  }

  /** OPTIONS: describes the route. */
  async describe(request: RoutedRequest, kind: RouteKind): Promise<HttpResponse> {
    const input = requestInput(request);
    requireRoute(this.route, input);
    const allow = await this.allowance.of(this.route, kind, input);
    return this.documents.response(isSelf(this.route, input) ? 'self' : kind, contextOf(request), allow);
  }

  private read(request: RoutedRequest, kind: 'list' | 'retrieve'): Promise<HttpResponse> {
    if (kind === 'list' && this.route.model.query) {
      contextOf(request).negotiated = true;
      const format = exportFormat(request.headers['accept']);
      if (format) return this.exportList(request, format);
    }
    return this.cache.responseTo(request, async (reader) => {
      const compiled = await this.runCompiled(request, kind, reader);
      if (compiled) return compiled;
      const op = this.operations.read(this.route, kind, requestInput(request), reader);
      op.budget = this.outputs.begin(contextOf(request), kind);
      return this.run(request, op);
    });
  }

  /** Every item of a list, in an export format. */
  private async exportList(request: RoutedRequest, format: ExportFormat): Promise<HttpResponse> {
    const context = contextOf(request);
    const input = requestInput(request);
    const op = this.operations.list(this.route, input);
    const begin = (single: boolean) => this.outputs.begin(context, single ? 'retrieve' : 'list');
    const allow = await this.allowance.after(op, this.route, input);
    const confirm = () => requireSameCaller(context);
    const headers = preferenceHeaders(op.model, 'list', op.raw, op.headers, context.dropped);
    return exportResponse(op, format, { service: this.service, begin, confirm, allow, headers });
  }

  /** The response to a read that has been compiled. */
  private runCompiled(
    request: RoutedRequest,
    kind: 'list' | 'retrieve',
    reader: Reader,
  ): HttpResponse | undefined | Promise<HttpResponse | undefined> {
    const context = contextOf(request);
    const key = readKey(this.route.model, kind, context.query);
    if (!key || context.dropped.length > 0 || prefersStrict(request.headers)) return undefined;
    const input = requestInput(request);
    // Refused, after its parameters were judged.
    if (lacksSelf(this.route, input)) return undefined;
    const op = this.operations.bare(this.route, kind, input, reader);
    const complete = () => this.operations.read(this.route, kind, input, reader);
    return chain(this.compiledReads.run(op, key, complete), (result) => {
      if (!result) return undefined;
      const { expand } = op.query ?? {};
      if (!expand) return resourceResponse(result, op, result.allow!, context);
      op.budget = this.outputs.begin(context, kind);
      const expanding = new Expansion(op, expand).expandBody(result.body);
      return expanding.then((body) =>
        resourceResponse({ ...result, body, isSmall: false }, op, result.allow!, context),
      );
    });
  }

  /** Creates an item together with what it owns. */
  private async createWithOwned(request: RoutedRequest, body: CheckedBody): Promise<HttpResponse> {
    const input = requestInput(request);
    const budget = this.outputs.forWrite(contextOf(request));
    const { op, result } = await this.nested.create(this.nested.check(this.route, input, body), input, budget);
    return this.respond(request, op, Promise.resolve(result));
  }

  private run(request: RoutedRequest, op: Operation): Promise<HttpResponse> {
    op.budget ??= this.outputs.forWrite(contextOf(request));
    return this.respond(request, op, perform(this.service, op));
  }

  private async respond(request: RoutedRequest, op: Operation, running: Promise<Result>): Promise<HttpResponse> {
    const result = await running;
    rememberSelection(op.fields);
    const relations = relationsOf(contextOf(request).query);
    if (relations) {
      // The memory of a write ends with its transaction.
      if (op.tx) op.budget = this.outputs.forWrite(contextOf(request));
      await this.embedding.into(result.body, op, relations, contextOf(request));
    }
    const allow = contextOf(request).isAction
      ? ['POST']
      : (result.allow ?? (await this.allowance.after(op, this.route, requestInput(request))));
    return resourceResponse(result, op, allow, contextOf(request));
  }
}
