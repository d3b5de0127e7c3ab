// Runs the requests of a batch, each as it would run by itself: the same validation, permissions and limits.
import { atomically, type TransactionScope } from '../../engine/batch/atomic.js';
import { perform } from '../../engine/perform/perform.js';
import { keyOfPart } from '../../engine/replays/idempotency.js';
import type { ResourceService } from '../../engine/resource.service.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { Actor } from '../../model/actor.js';
import { readerFor } from '../../model/functions/reader-for.js';
import type { Operation, Result } from '../../model/operation.js';
import { isReading, type OperationKind } from '../../model/schema/schema.js';
import type { Site } from '../../model/site/site.js';
import type { Store } from '../../model/store.js';
import { tooLarge, tooLargeForUntrusted, noRoute } from '../http-errors.js';
import type { Log } from '../request/logger.js';
import type { BodyLimit } from '../request/read-body.js';
import { RequestContext } from '../request/request-context.js';
import type { LinkTarget, LinkTargets } from '../resource/link-targets.js';
import type { AllowHeader } from '../resource/allow-header.js';
import type { BoundController } from '../resource/bind-controllers.js';
import { checkBody } from '../validation/dto.factory.js';
import type { Embedding } from '../resource/embedding.js';
import { relationsOf } from '../resource/embed-query.js';
import { ownsItems, type NestedCreation, type Owner } from '../resource/nested-create.js';
import type { OperationFactory } from '../resource/operation.factory.js';
import { sentFields, type RequestInput } from '../routes/request-input.js';
import { resourceResponse } from '../resource/resource-response.js';
import { kindOfRoute, type ResourceRoute } from '../routes/resource-route.js';
import { addAllow } from '../resource/route-error.filter.js';
import { rejectUnknown } from '../resource/strict-handling.js';
import { toErrorResponse } from '../response/error-response.js';
import type { HttpResponse } from '../response/response.js';
import type { Sent, Validation } from './parse-batch.js';
import { resolveReferences, type Earlier } from './references.js';
import type { Outputs } from '../memory/output-admission.js';

/** What batches are made with. */
export interface BatchParts {
  bound: readonly BoundController[];
  linkTargets: LinkTargets;
  service: ResourceService;
  operations: OperationFactory;
  allowance: AllowHeader;
  embedding: Embedding;
  nested: NestedCreation;
  outputs: Outputs;
  store: Store;
  site: Site;
  log: Log;
  /** Path of the API root: '' or `/wp-json`; a path of the public URL is not part of it. */
  root: string;
  /** Limits of bodies by path. */
  limitFor(request: { url: string }): BodyLimit;
  /** Largest body of callers who may not write at a path. */
  untrustedBody: number;
  /** Counts a request of a caller; throws 429 over the limit. */
  admit?(actor: Actor, isWrite: boolean): Promise<unknown>;
}

/** A request that is ready to run. */
interface Ready {
  op: Operation;
  /** The bodies of a creation with items below the new one. */
  owner?: Owner;
  target: LinkTarget;
  input: RequestInput;
  context: RequestContext;
}

/** The responses in the order of the requests; `failed`: nothing was done, and only errors are there. */
export interface BatchResult {
  failed?: 'validation' | 'request';
  responses: (HttpResponse | null)[];
}

/** Stops an atomic batch at a request. */
class Stopped extends Error {
  constructor(
    readonly at: number,
    override readonly cause: unknown,
  ) {
    super('A request of the batch failed.');
  }
}

/** One batch. */
export class Batch {
  private readonly budget;

  constructor(
    private readonly parts: BatchParts,
    private readonly context: RequestContext,
    private readonly actor: Actor,
    private readonly key: string | undefined,
  ) {
    // One share of the memory for all responses together.
    this.budget = parts.outputs.begin(context, 'list');
  }

  /** Runs the requests. */
  run(requests: readonly Sent[], validation: Validation): Promise<BatchResult> {
    return validation === 'atomic' ? this.runAtomically(requests) : this.runSeparately(requests, validation);
  }

  private async runSeparately(requests: readonly Sent[], validation: Validation): Promise<BatchResult> {
    const prepared: (Ready | HttpResponse)[] = [];
    for (const [at, request] of requests.entries())
      prepared.push(await this.catchError(request, () => this.prepare(request, at)));
    const isError = (each: Ready | HttpResponse): each is HttpResponse => !('op' in each);
    if (validation === 'require-all-validate' && prepared.some(isError))
      return { failed: 'validation', responses: prepared.map((each) => (isError(each) ? each : null)) };
    const responses: HttpResponse[] = [];
    for (const [at, each] of prepared.entries()) {
      responses.push(isError(each) ? each : await this.catchError(requests[at]!, () => this.runOne(each)));
    }
    return { responses };
  }

  private async runOne(ready: Ready): Promise<HttpResponse> {
    await this.admit(ready);
    const { op, input, owner } = ready;
    if (!owner) return this.respond(ready, await perform(this.parts.service, op));
    const created = await this.parts.nested.create(owner, input, this.budget);
    return this.respond({ ...ready, op: created.op }, created.result);
  }

  private async runAtomically(requests: readonly Sent[]): Promise<BatchResult> {
    const { store, site } = this.parts;
    const counted = new Set<number>();
    let running = 0;
    const onRejected = (refusal: ResourceError) => new Stopped(running, refusal);
    try {
      const done = await atomically(
        { store, runText: site.textsOf?.(this.actor), budget: this.budget, onRejected },
        async ({ service, run }) => {
          const finished: { ready: Ready; result: Result }[] = [];
          const earlier: Earlier[] = [];
          for (const [at, request] of requests.entries()) {
            running = at;
            try {
              const ready = await this.prepare(resolveReferences(request, at, earlier), at);
              // The transaction may run more than once.
              if (!counted.has(at)) await this.admit(ready);
              counted.add(at);
              const { op, result } = await this.runInside({ service, run }, ready);
              finished.push({ ready: { ...ready, op }, result });
              earlier.push({ body: result.body, status: result.status, headers: { ...result.headers } });
            } catch (error) {
              throw error instanceof ResourceError ? new Stopped(at, error) : error;
            }
          }
          return finished;
        },
      );
      await store.noteWrite(this.actor);
      const responses: HttpResponse[] = [];
      for (const [at, { ready, result }] of done.entries()) {
        // The transaction has ended.
        ready.op.store = readerFor(store.reader, this.context);
        responses.push(await this.catchError(requests[at]!, () => this.respond(ready, result)));
      }
      return { responses };
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      const { at, cause } = error;
      const refused = await this.catchError(requests[at]!, () => Promise.reject(cause));
      return { failed: 'request', responses: requests.map((_, index) => (index === at ? refused : null)) };
    }
  }

  /** Runs a request inside the transaction of an atomic batch. */
  private async runInside(
    scope: Pick<TransactionScope, 'service' | 'run'>,
    { op, input, owner }: Ready,
  ): Promise<{ op: Operation; result: Result }> {
    if (owner) return this.parts.nested.inside(scope, owner, input, this.budget);
    return { op, result: await scope.run(op, () => perform(scope.service, op)) };
  }

  /** Finds the route of a request and validates what was sent. */
  private async prepare(request: Sent, at: number): Promise<Ready> {
    const { target, kind } = this.find(request);
    const { segments, query, dropped } = target;
    this.checkSize(request);
    const context = this.contextFor(request, query);
    context.dropped = dropped;
    const caller = { actor: this.actor, requester: this.context };
    const sent: RequestInput = { segments, query, dropped, body: request.body, headers: request.headers, ...caller };
    return { ...this.operation(target, kind, sent, at), target, context };
  }

  private find({ method, path }: Sent): { target: LinkTarget; kind: OperationKind } {
    const { site, linkTargets } = this.parts;
    if (!path.startsWith('/') || /[\s#]/.test(path)) throw new ResourceError('parse_path_failed');
    if (/^\/batch(\/|$)/i.test(path)) throw new ResourceError('rest_batch_not_allowed');
    const prefix = `/${site.namespace}/`;
    const target = startsWith(path, prefix) ? linkTargets.below(path.slice(prefix.length)) : undefined;
    if (method === 'POST' && this.isAction(path.replace(/\?.*$/s, ''), prefix))
      throw new ResourceError('rest_batch_not_allowed');
    if (!target) throw noRoute();
    const { model } = target.route;
    const kind = operationOf(method, target.kind);
    if (!kind || !model.operations.has(kind)) throw noRoute();
    if (!isReading(kind) && !model.batch) throw new ResourceError('rest_batch_not_allowed');
    return { target, kind };
  }

  /** Whether a path, without its query, is that of an action: one on an item or one on a collection. */
  private isAction(path: string, prefix: string): boolean {
    if (!startsWith(path, prefix)) return false;
    const last = path.lastIndexOf('/');
    const owner = this.parts.linkTargets.below(path.slice(prefix.length, last));
    if (!owner) return false;
    const { actions, ownActions } = owner.route.model;
    const name = path.slice(last + 1).toLowerCase();
    const on = owner.kind === 'list' ? 'collection' : 'item';
    return ownActions.get(name)?.on === on || (on === 'item' && actions.has(name));
  }

  private operation(
    { route }: LinkTarget,
    kind: OperationKind,
    sent: RequestInput,
    at: number,
  ): Pick<Ready, 'op' | 'input' | 'owner'> {
    const { operations, store } = this.parts;
    if (kind === 'create' || kind === 'update') return this.write(route, kind, sent, at);
    const reader = () => readerFor(store.reader, this.context);
    const op = kind === 'delete' ? operations.remove(route, sent) : operations.read(route, kind, sent, reader());
    op.budget = this.budget;
    return { op, input: sent };
  }

  private write(
    route: ResourceRoute,
    kind: 'create' | 'update',
    sent: RequestInput,
    at: number,
  ): Pick<Ready, 'op' | 'input' | 'owner'> {
    const { operations, bound, nested } = this.parts;
    const raw = sentFields(sent.query, sent.body);
    rejectUnknown(route.model, kind, raw, sent.headers, sent.dropped);
    const { bodies } = bound.find((each) => each.route === route)!;
    const keyed = this.key === undefined ? {} : { 'idempotency-key': keyOfPart(this.key, at) };
    const input = { ...sent, headers: { ...keyed, ...sent.headers } };
    const body = { values: checkBody(bodies[kind], raw), raw };
    const op = operations.write(route, kind, input, body);
    op.budget = this.budget;
    const owns = kind === 'create' && ownsItems(route.model, raw);
    return { op, input, ...(owns ? { owner: nested.check(route, input, body) } : {}) };
  }

  /** Bodies have the same limits as in requests of their own. */
  private checkSize({ path, body, method }: Sent): void {
    if (body === undefined) return;
    const { root, limitFor, untrustedBody } = this.parts;
    const allowed = limitFor({ url: root + path });
    const bytes = Buffer.byteLength(JSON.stringify(body));
    if (bytes > allowed.limit) throw tooLarge(allowed.limit);
    if (bytes > untrustedBody && allowed.mayWrite?.(this.actor, method) !== true)
      throw tooLargeForUntrusted(untrustedBody);
  }

  private contextFor({ method }: Sent, query: LinkTarget['query']): RequestContext {
    const context = new RequestContext(this.context.id, method);
    context.query = query;
    context.actor = this.actor;
    context.output = this.context.output;
    return context;
  }

  private async admit({ op }: Ready): Promise<void> {
    await this.parts.admit?.(this.actor, !isReading(op.kind));
  }

  private async respond({ op, target, input, context }: Ready, result: Result): Promise<HttpResponse> {
    const { embedding, allowance } = this.parts;
    op.budget = this.budget;
    const relations = relationsOf(context.query);
    if (relations) await embedding.into(result.body, op, relations, this.context);
    const allow = result.allow ?? (await allowance.after(op, target.route, input));
    return resourceResponse(result, op, allow, context);
  }

  /** What `work` returns; its error as a response. */
  private async catchError<T>(request: Sent, work: () => Promise<T>): Promise<T | HttpResponse> {
    try {
      return await work();
    } catch (error) {
      const context = this.contextFor(request, Object.create(null));
      await this.allowFor(error, request);
      return toErrorResponse(error, context, this.parts.log);
    }
  }

  private async allowFor(error: unknown, request: Sent): Promise<void> {
    try {
      const { target, kind } = this.find(request);
      const { route, segments, query } = target;
      const input = { segments, query, body: request.body, headers: request.headers, actor: this.actor };
      const known = this.actor.id > 0;
      const at = { route, kind: kindOfRoute(kind, route.model), method: request.method, known };
      await addAllow(error, at, input, this.parts.allowance);
    } catch {
      // No route, no methods.
    }
  }
}

/** Paths are matched without regard to case, as in requests. */
function startsWith(path: string, prefix: string): boolean {
  return path.toLowerCase().startsWith(prefix.toLowerCase());
}

function operationOf(method: string, kind: LinkTarget['kind']): OperationKind | undefined {
  if (method === 'GET') return kind;
  if (kind === 'list') return method === 'POST' ? 'create' : undefined;
  return method === 'DELETE' ? 'delete' : 'update';
}
