// The part of the generated module that declares what a client takes and gives; the same for every site. Its names have
// endings that no generated name has.

/** Names with a dot between them: 'author.avatar'. */
const PATH_TYPES = [
  'type Joined<N extends string, M extends string> = `${N}.${M}`;',
  'type First<P extends string> = P extends `${infer N}.${string}` ? N : P;',
  'type Rest<P extends string, N> = P extends `${N & string}.${infer M}` ? M : never;',
].join('\n');

/** Types of queries, options, responses. */
export const DECLARATIONS_TEXT = String.raw`
/** Relations of an item, each with the URLs it leads to. */
export type Links = Record<string, { href: string; embeddable?: boolean; [name: string]: unknown }[]>;

/** The response to a deletion. */
export interface Deleted<T> {
  deleted: true;
  previous: T;
}

/** What the client knows of a resource. */
export interface Resource {
  key: number | string;
  items: object;
  context: string;
  keyed: boolean;
  query: object;
  /** Resources that references lead to, by member: what expand takes, here or behind a reference of another resource. */
  references: object;
  expands: boolean;
  /** What can be computed from a list, and members that it can be grouped by. */
  aggregate: string;
  group: string;
  lookup: object;
  create: object;
  created: unknown;
  update: object;
  updated: unknown;
  removal: object;
  removed: unknown;
  action: string;
  acted: unknown;
  actions: object;
}

type ContextOf<R extends Resource> = keyof R['items'] & string;
type Names = readonly string[] | undefined;

/** An item in a context; with _fields any member may be absent, with expand there are items in place of ids. */
export type Item<R extends Resource, C, F extends Names, P extends string = never> = C extends keyof R['items']
  ? F extends readonly string[]
    ? Partial<Expanded<R, R['items'][C], P>>
    : Expanded<R, R['items'][C], P>
  : never;

${PATH_TYPES}

type ReferencesOf<R> = R extends Resource ? keyof R['references'] & string : never;

/** What expand takes: members, and those of the items that they lead to. */
export type ExpandPath<R extends Resource> = {
  [N in ReferencesOf<R>]: N | Joined<N, ReferencesOf<R['references'][N]>>;
}[ReferencesOf<R>];

/** An item whose references are expanded; the id of an item that the caller may not read stays. */
export type Expanded<R extends Resource, I, P extends string> = [P] extends [never]
  ? I
  : {
      [M in keyof I]: M extends First<P> & keyof R['references']
        ? Replaced<I[M], Referenced<R['references'][M], Rest<P, M>>>
        : I[M];
    };
type Replaced<V, T> = V extends undefined ? V : V extends readonly (infer K)[] ? (K | T)[] : V | T;
type Referenced<R, P extends string> = R extends Resource
  ? R['items'] extends { view: infer V }
    ? { [M in keyof V as Exclude<M, '_links'>]: Expanded<R, V, P>[M] }
    : never
  : never;

/** References to expand; for a resource that has some. */
export type Expansion<R extends Resource, P> = R['expands'] extends true
  ? {
      /** References whose items stand in place of their ids. */
      expand?: readonly P[] | undefined;
    }
  : {};

/** What aggregate() is asked: count, or sum, avg, min or max of a member. */
export interface Aggregation<R extends Resource, A, G> {
  aggregate: readonly A[];
  group?: readonly G[] | undefined;
  /** Default: that of the resource. */
  context?: ContextOf<R> | undefined;
}

/** What aggregate() returns for all items, or for those of one group. */
export type Summary<A extends string, G extends string> = {
  [N in First<A>]: N extends 'count' ? number : { [M in Rest<A, N>]: number | string | null };
} & ([G] extends [never] ? {} : { group: { [M in G]: unknown } });

/** How items are shown. */
export interface Shown<C, F extends Names> {
  /** Default: that of the resource. */
  context?: C | undefined;
  /** Members to keep; nested ones with dots. */
  _fields?: F;
  /** Relations to embed in _embedded; true for all. */
  _embed?: boolean | readonly string[] | undefined;
}

/** One page of a list. */
export interface ListPage<I> {
  items: I;
  /** Items in all that the caller may read. */
  total: number;
  pages: number;
  /** Of the next page, if one was asked for by cursor, and there is one. */
  cursor?: string | undefined;
}

/** A list as it comes: some resources are listed by name. */
export type Listed<R extends Resource, T> = ListPage<R['keyed'] extends true ? Record<string, T> : T[]>;

/** Stands for a value of an earlier response of an atomic batch. Made by ref(). */
export interface Reference {
  readonly $ref: string;
}

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of updates and deletions. */
export interface ChangeOptions extends CallOptions {
  /** Tag of the version that is meant, from etagOf(): 412 rest_precondition_failed when there is a newer one. */
  ifMatch?: string | undefined;
}

/** Options of creations. */
export interface CreateOptions extends CallOptions {
  /** Repeated with the same key within a day, the stored response is returned, nothing is done again. */
  idempotencyKey?: string | undefined;
}

/** Options of writes that take both. */
export interface WriteOptions extends ChangeOptions, CreateOptions {}

/** Basic: the name and an application password, or the password of the account. Bearer: a token, or what gets one. */
export type Credentials =
  | { username: string; password: string }
  | { token: string | (() => string | Promise<string>) };

/** Settings of a client. */
export interface ClientOptions {
  /** URL of the API root: https://example.org, or https://example.org/wp-json. */
  url: string;
  /** Absent: anonymous. */
  credentials?: Credentials | undefined;
  /** In place of the global fetch. */
  fetch?: typeof fetch | undefined;
}

/** What became of a request of a batch; without an error it was not run because of another one. */
export type Outcome<T> =
  | { ok: true; status: number; value: T }
  | { ok: false; error: ApiError | undefined };

/** The values of several calls. */
export type ValuesOf<T extends readonly Call<any>[]> = {
  -readonly [I in keyof T]: T[I] extends Call<infer V> ? V : never;
};

/** What became of several calls. */
export type OutcomesOf<T extends readonly Call<any>[]> = {
  -readonly [I in keyof T]: T[I] extends Call<infer V> ? Outcome<V> : never;
};
`;
