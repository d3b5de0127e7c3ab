// The classes of the generated module, the same for every site: calls, the operations of a resource, batches. A test compiles
// them together with the types of several sites.

/** The client. */
export const CLIENT_TEXT = String.raw`
/** A response of the server. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

interface Prepared<T> {
  method: string;
  /** Below the API root, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: object | undefined;
  signal?: AbortSignal | undefined;
  read(response: ApiResponse): T;
}

type Send = (request: Prepared<unknown>) => Promise<ApiResponse>;

/** A request that is sent once, when it is awaited, or with others by batch() and atomic(). */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly request: Prepared<T>;
  private readonly send: Send;
  private sent: Promise<T> | undefined;

  constructor(send: Send, request: Prepared<T>) {
    this.send = send;
    this.request = request;
  }

  then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.sent ??= this.send(this.request).then((response) => this.request.read(response));
    return this.sent.then(done, failed);
  }

  catch<B = never>(failed?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, failed);
  }

  finally(ended?: (() => void) | null): Promise<T> {
    return this.then().finally(ended);
  }
}

class Calls {
  protected readonly send: Send;
  protected readonly path: string;

  constructor(send: Send, path: string) {
    this.send = send;
    this.path = path;
  }

  protected call<T>(
    method: string,
    path: string,
    options: WriteOptions = {},
    body?: object,
    read: (response: ApiResponse) => T = itemOf,
  ): Call<T> {
    const { signal, ifMatch, idempotencyKey } = options;
    const headers: Record<string, string> = { ...options.headers };
    if (ifMatch !== undefined) headers['If-Match'] = ifMatch;
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
    return new Call<T>(this.send, { method, path, headers, body, signal, read });
  }

  /** Requests an action at once: batches do not take actions. */
  protected async acted<T>(path: string, action: string, options?: CreateOptions, body?: object): Promise<T> {
    return await this.call<T>('POST', path + '/' + action, options, body);
  }
}

type ResultOf<A> = A extends { result: infer T } ? T : never;
type BodyOf<A> = A extends { body: infer T extends object } ? T : never;
type ActionArguments<R extends Resource, A> = A extends { key: true }
  ? [key: R['key'], body?: BodyOf<A>, options?: CreateOptions]
  : [key?: undefined, body?: BodyOf<A>, options?: CreateOptions];

interface Paging {
  /** Items on the largest page. */
  largest?: number;
  /** Whether lists have cursors; not in every order. */
  cursors?: boolean;
}

/** The operations of one resource; its type in the client leaves out those that the resource does not offer. */
export class Collection<R extends Resource> extends Calls {
  private readonly paging: Paging;

  constructor(send: Send, path: string, paging: Paging = {}) {
    super(send, path);
    this.paging = paging;
  }

  /** One page of the list. */
  list<
    C extends ContextOf<R> = R['context'] & ContextOf<R>,
    F extends Names = undefined,
    P extends ExpandPath<R> = never,
  >(
    query?: R['query'] & Shown<C, F> & Expansion<R, P>,
    options?: CallOptions,
  ): Call<Listed<R, Item<R, C, F, P>>> {
    return this.call('GET', this.path + queryText(query), options, undefined, ({ headers, body }) => {
      const items = body as Listed<R, Item<R, C, F, P>>['items'];
      const total = Number(headers.get('X-WP-Total') ?? Object.keys(items).length);
      const cursor = nextCursor(headers.get('Link'));
      return { items, total, pages: Number(headers.get('X-WP-TotalPages') ?? 1), ...(cursor && { cursor }) };
    });
  }

  /**
   * The items of all pages, one after the other; each page is fetched when it is needed. Where the order has cursors, items
   * that are created or deleted meanwhile do not shift the others.
   */
  async *all<
    C extends ContextOf<R> = R['context'] & ContextOf<R>,
    F extends Names = undefined,
    P extends ExpandPath<R> = never,
  >(
    query?: Omit<R['query'], 'page' | 'offset' | 'cursor'> & Shown<C, F> & Expansion<R, P>,
    options?: CallOptions,
  ): AsyncGenerator<Item<R, C, F, P>, void, undefined> {
    const { largest, cursors = false } = this.paging;
    const asked = { ...(largest === undefined ? {} : { per_page: largest }), ...query };
    let byCursor = cursors;
    const pageAt = async (page: number, cursor = ''): Promise<ListPage<object>> =>
      await this.list({ ...asked, ...(byCursor ? { cursor } : page > 1 ? { page } : {}) } as R['query'], options);
    let found = await pageAt(1).catch((error: unknown) => {
      // An order without cursors, such as by relevance.
      if (!byCursor || !(error instanceof ApiError && 'cursor' in error.params)) throw error;
      byCursor = false;
      return pageAt(1);
    });
    for (let page = 2; ; page += 1) {
      yield* Object.values(found.items) as Item<R, C, F, P>[];
      if (byCursor ? found.cursor === undefined : page > found.pages) return;
      found = await pageAt(page, found.cursor);
    }
  }

  /** Counts, sums, averages and bounds of all items that match: one summary, or one for each group. */
  aggregate<A extends R['aggregate'], G extends R['group'] = never>(
    query: Omit<R['query'], 'page' | 'per_page' | 'offset' | 'cursor' | 'order' | 'orderby'> & Aggregation<R, A, G>,
    options?: CallOptions,
  ): Call<Summary<A, G>[]> {
    const read = ({ body }: ApiResponse) => [body].flat() as Summary<A, G>[];
    return this.call('GET', this.path + queryText(query as Query), options, undefined, read);
  }

  retrieve<
    C extends ContextOf<R> = R['context'] & ContextOf<R>,
    F extends Names = undefined,
    P extends ExpandPath<R> = never,
  >(
    key: R['key'] | Reference,
    query?: R['lookup'] & Shown<C, F> & Expansion<R, P>,
    options?: CallOptions,
  ): Call<Item<R, C, F, P>> {
    return this.call('GET', this.item(key) + queryText(query), options);
  }

  create(body: R['create'], options?: CreateOptions): Call<R['created']> {
    return this.call('POST', this.path, options, body);
  }

  /** Creates an item of a file. The name is that of the file, where it has one. */
  async upload(
    file: Blob,
    fields?: Partial<R['create']>,
    options: CreateOptions & { filename?: string | undefined } = {},
  ): Promise<R['created']> {
    const form = new FormData();
    for (const [name, value] of pairsOf(fields)) form.append(name, value);
    const { filename = 'name' in file ? String(file.name) : 'file', ...rest } = options;
    form.append('file', file, filename);
    return await this.call<R['created']>('POST', this.path, rest, form);
  }

  /** Changes what is sent of an item; the rest stays. */
  update(key: R['key'] | Reference, body: R['update'], options?: WriteOptions): Call<R['updated']> {
    return this.call('PATCH', this.item(key), options, body);
  }

  remove(key: R['key'] | Reference, query?: R['removal'], options?: ChangeOptions): Call<R['removed']> {
    return this.call('DELETE', this.item(key) + queryText(query), options);
  }

  /** Does one of the further actions on an item. Batches do not take them. */
  act(key: R['key'], action: R['action'], options?: CreateOptions): Promise<R['acted']> {
    return this.acted<R['acted']>(this.item(key), action, options);
  }

  /** Does an action that the site adds, on an item or on the collection. Batches do not take them. */
  perform<A extends keyof R['actions'] & string>(
    action: A,
    ...[key, body, options]: ActionArguments<R, R['actions'][A]>
  ): Promise<ResultOf<R['actions'][A]>> {
    return this.acted(key === undefined ? this.path : this.item(key), action, options, body);
  }

  private item(key: number | string | Reference): string {
    return this.path + '/' + segment(key);
  }
}

/** The operations of a resource that has one item, at its path. */
export class Singleton<R extends Resource> extends Calls {
  retrieve<C extends ContextOf<R> = R['context'] & ContextOf<R>, F extends Names = undefined>(
    query?: R['lookup'] & Shown<C, F>,
    options?: CallOptions,
  ): Call<Item<R, C, F>> {
    return this.call('GET', this.path + queryText(query), options);
  }

  /** Changes what is sent; the rest stays. */
  update(body: R['update'], options?: WriteOptions): Call<R['updated']> {
    return this.call('PATCH', this.path, options, body);
  }

  /** Does an action that the site adds; there is no key. Batches do not take them. */
  perform<A extends keyof R['actions'] & string>(
    action: A,
    ...[, body, options]: ActionArguments<R, R['actions'][A]>
  ): Promise<ResultOf<R['actions'][A]>> {
    return this.acted(this.path, action, options, body);
  }
}

class Batches {
  private readonly send: Send;

  constructor(send: Send) {
    this.send = send;
  }

  /** Sends up to 25 writes in one request; each succeeds or fails by itself. With require-all-validate none runs while one is invalid. */
  readonly batch = async <const T extends readonly Call<any>[]>(
    calls: T,
    options: CreateOptions & { validation?: 'normal' | 'require-all-validate' | undefined } = {},
  ): Promise<OutcomesOf<T>> => {
    const { validation = 'normal', ...rest } = options;
    const responses = await this.run(calls, validation, rest);
    return responses.map((response, at): Outcome<unknown> => {
      if (!response) return { ok: false, error: undefined };
      if (response.status >= 400) return { ok: false, error: new ApiError(response, at) };
      return { ok: true, status: response.status, value: calls[at]!.request.read(response) };
    }) as OutcomesOf<T>;
  };

  /** Sends up to 25 calls as one transaction: all of them are done, or none, with the error of the one that failed. */
  readonly atomic = async <const T extends readonly Call<any>[]>(
    calls: T,
    options: CreateOptions = {},
  ): Promise<ValuesOf<T>> => {
    const responses = await this.run(calls, 'atomic', options);
    const failed = responses.findIndex((response) => response !== undefined && response.status >= 400);
    if (failed >= 0) throw new ApiError(responses[failed]!, failed);
    return responses.map((response, at) => calls[at]!.request.read(response!)) as ValuesOf<T>;
  };

  private async run(
    calls: readonly Call<any>[],
    validation: string,
    { signal, headers, idempotencyKey }: CreateOptions,
  ): Promise<(ApiResponse | undefined)[]> {
    const requests = calls.map(({ request: { method, path, headers: own, body } }) => ({ method, path, headers: own, body }));
    const { body } = await this.send({
      method: 'POST',
      path: '/batch/v1',
      headers: { ...headers, ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }) },
      body: { validation, requests },
      signal,
      read: itemOf,
    });
    const { responses } = body as { responses: ({ status: number; headers: Record<string, string>; body: unknown } | null)[] };
    return responses.map((each) => (each ? { ...each, headers: new Headers(each.headers) } : undefined));
  }
}
`;
