// Operations for code of the same process: validation, permissions, hooks and responses are those of HTTP requests.
import { perform } from '../../engine/perform/perform.js';
import { atomically, type TransactionScope } from '../../engine/batch/atomic.js';
import { ResourceService } from '../../engine/resource.service.js';
import type { Actor } from '../../model/actor.js';
import type { Operation, OutputBudget, Result, View } from '../../model/operation.js';
import type { OperationKind } from '../../model/schema/schema.js';
import type { Site } from '../../model/site/site.js';
import type { Store, Transaction } from '../../model/store.js';
import type { BoundController } from '../resource/bind-controllers.js';
import { checkBody } from '../validation/dto.factory.js';
import { ownsItems, type NestedCreation } from '../resource/nested-create.js';
import type { OperationFactory } from '../resource/operation.factory.js';
import type { RequestInput } from '../routes/request-input.js';
import { BegunWrites } from './begun-writes.js';

/** The caller, and the parent item. */
export interface CallOptions {
  /** The caller; without one the operation may do everything. */
  as?: Actor;
  /** Id of the parent item, where the resource has a parent. */
  parentId?: number;
}

/** A page of a list. */
export interface ListResult<Item> {
  items: Item[];
  /** Number of items on all pages. */
  total: number;
  totalPages: number;
}

/** Parameters by the names that OPTIONS lists. */
export type CallParams = Readonly<Record<string, unknown>>;

/** What code gets of its own transaction. */
export interface InTransaction {
  readonly tx: Transaction;
  /** The operations of a resource inside the transaction; without `as` they may do everything. */
  resource<Item = View>(name: string): ResourceItems<Item>;
  /** Runs `work` after the commit. */
  after(work: () => void | Promise<void>): void;
}

/**
 * The dependencies of `InProcess`.
 * @internal
 */
export interface InProcessParts {
  bound: readonly BoundController[];
  operations: OperationFactory;
  service: ResourceService;
  nested: NestedCreation;
  store: Store;
  site: Site;
  /** Whether the site still has its database. */
  isOpen: () => boolean;
  /** The caller where none is given. */
  everything: Actor;
  /** Wraps each operation that writes, if given. */
  around?<T>(op: Operation, write: () => Promise<T>): Promise<T>;
  /** Gets each operation that writes when it has begun, if given. */
  onWrite?(write: Promise<unknown>): void;
}

/**
 * The resources of a site for code of the same process.
 * @internal
 */
export class InProcess {
  constructor(private readonly parts: InProcessParts) {}

  /** The same inside a transaction that has begun. */
  inside({ tx, service, run }: TransactionScope, onWrite: (write: Promise<unknown>) => void): InProcess {
    const store = { ...this.parts.store, reader: tx };
    return new InProcess({ ...this.parts, service, store, around: run, onWrite });
  }

  /**
   * The operations of a resource. `Item`: what its items look like.
   * @throws Error when the site has no such resource
   */
  resource<Item = View>(name: string): ResourceItems<Item> {
    const bound = this.parts.bound.find(({ route: { model } }) => model.name === name && !model.listOf);
    if (bound) return new ResourceItems<Item>(bound, this.parts);
    const names = this.parts.bound.filter(({ route }) => !route.model.listOf).map(({ route }) => route.model.name);
    throw new Error(`The site has no resource "${name}". It has ${names.join(', ')}.`);
  }

  /**
   * Runs `work` in one transaction, and again from its start when the database requires it. No other transaction of the
   * site runs at the same time. A write that is refused ends it, even if `work` catches the error.
   * @throws what `work` or a write in it threw; nothing is changed then
   */
  async transaction<T>(work: (inside: InTransaction) => Promise<T> | T): Promise<T> {
    const { store, site, everything } = this.parts;
    this.requireOpen();
    const result = await atomically(
      { store, runText: site.textsOf?.(everything), budget: { ...UNBOUNDED } },
      (scope) => {
        const writes = new BegunWrites();
        const inside = this.inside(scope, (write) => writes.add(write));
        const { tx } = scope;
        const resource = <Item = View>(name: string) => inside.resource<Item>(name);
        return writes.around(() => work({ tx, resource, after: (later) => tx.after(later) })) as Promise<T>;
      },
    );
    await store.noteWrite(everything);
    return result;
  }

  /** @throws Error when the site is closed */
  requireOpen(): void {
    requireOpen(this.parts);
  }
}

function requireOpen({ isOpen }: InProcessParts): void {
  if (!isOpen()) throw new Error('The site is closed: use it before the application that serves it is closed.');
}

/** Code of the same process is responsible for its own memory. */
const UNBOUNDED: OutputBudget = { bytes: 0, take: () => undefined };

/**
 * The operations of one resource. All of them throw ResourceError for what HTTP would refuse, and Error once the site
 * is closed.
 */
export class ResourceItems<Item = View> {
  /** @internal */
  constructor(
    private readonly bound: BoundController,
    private readonly parts: InProcessParts,
  ) {}

  /** A page of the list; `params` are those of the query. */
  async list(params: CallParams = {}, options: CallOptions = {}): Promise<ListResult<Item>> {
    const input = this.input('list', 0, options, { query: params });
    const { body, total, totalPages } = await perform(this.parts.service, this.read('list', input));
    const items = body as Item[];
    return { items, total: total ?? items.length, totalPages: totalPages ?? 1 };
  }

  /** One item. */
  async get(id: number | string, params: CallParams = {}, options: CallOptions = {}): Promise<Item> {
    const input = this.input('retrieve', id, options, { query: params });
    return (await perform(this.parts.service, this.read('retrieve', input))).body as Item;
  }

  /** Creates an item; returns it in the context `edit`. */
  create(values: CallParams, options: CallOptions = {}): Promise<Item> {
    return this.track(this.runCreate(values, options));
  }

  private async runCreate(values: CallParams, options: CallOptions): Promise<Item> {
    const input = this.input('create', 0, options, { body: values });
    const { route } = this.bound;
    if (ownsItems(route.model, values)) return (await this.createWithOwned(input, values)).body as Item;
    const op = this.write('create', input, values);
    return (await this.around(op, () => this.parts.service.create(op))).body as Item;
  }

  /** Updates the values given; returns the item in the context `edit`. */
  update(id: number | string, values: CallParams, options: CallOptions = {}): Promise<Item> {
    return this.track(this.runUpdate(id, values, options));
  }

  private async runUpdate(id: number | string, values: CallParams, options: CallOptions): Promise<Item> {
    const input = this.input('update', id, options, { body: values });
    const op = this.write('update', input, values);
    return (await this.around(op, () => this.parts.service.update(op))).body as Item;
  }

  /** Deletes an item, or moves it to the trash unless `params` has `force: true`; returns what HTTP would. */
  remove(id: number | string, params: CallParams = {}, options: CallOptions = {}): Promise<View> {
    return this.track(this.runRemove(id, params, options));
  }

  private async runRemove(id: number | string, params: CallParams, options: CallOptions): Promise<View> {
    const input = this.input('delete', id, options, { query: params });
    const op = this.parts.operations.remove(this.bound.route, input);
    return (await this.around(op, () => this.parts.service.delete(op))).body as View;
  }

  private async createWithOwned(input: RequestInput, sent: CallParams): Promise<Result> {
    const { nested, service, around } = this.parts;
    const raw = { ...sent };
    const owner = nested.check(this.bound.route, input, { values: checkBody(this.bound.bodies.create, raw), raw });
    const write = around
      ? await nested.inside({ service, run: around }, owner, input, undefined)
      : await nested.create(owner, input, UNBOUNDED);
    return write.result;
  }

  private track<T>(write: Promise<T>): Promise<T> {
    this.parts.onWrite?.(write);
    return write;
  }

  private around<T>(op: Operation, write: () => Promise<T>): Promise<T> {
    return this.parts.around ? this.parts.around(op, write) : write();
  }

  private read(kind: 'list' | 'retrieve', input: RequestInput): Operation {
    return this.parts.operations.read(this.bound.route, kind, input, this.parts.store.reader);
  }

  private write(kind: 'create' | 'update', input: RequestInput, raw: CallParams): Operation {
    const values = checkBody(this.bound.bodies[kind], { ...raw });
    return this.parts.operations.write(this.bound.route, kind, input, { values, raw: { ...raw } });
  }

  private input(
    kind: OperationKind,
    id: number | string,
    { as = this.parts.everything, parentId }: CallOptions,
    sent: { query?: CallParams; body?: CallParams },
  ): RequestInput {
    const { model, keyParam, parentParam } = this.bound.route;
    requireOpen(this.parts);
    if (!model.operations.has(kind))
      throw new Error(
        `The resource "${model.name}" has no operation "${kind}": add it to "operations". A rule false refuses it to clients, not to code.`,
      );
    if (parentParam !== undefined && parentId === undefined)
      throw new Error(
        `The items of "${model.name}" are below an item of "${model.parent!.model.name}": give parentId.`,
      );
    const key = kind === 'list' || kind === 'create' ? {} : { [keyParam]: String(id) };
    return {
      segments: { ...key, ...(parentParam === undefined ? {} : { [parentParam]: String(parentId) }) },
      query: Object.assign(Object.create(null), sent.query) as RequestInput['query'],
      body: sent.body && { ...sent.body },
      headers: {},
      actor: as,
    };
  }
}
