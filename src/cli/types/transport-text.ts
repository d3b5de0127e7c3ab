// The functions of the generated module, the same for every site: requests over fetch, credentials, tags, errors.

/** How requests are sent and their responses are read. */
export const TRANSPORT_TEXT = String.raw`
/** A refused request. */
export class ApiError extends Error {
  /** For programs. */
  readonly code: ErrorCode | (string & {});
  readonly status: number;
  /** Refused and missing parameters, each with the reason. */
  readonly params: Readonly<Record<string, string>>;
  /** The member data of the response. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Seconds to wait before the request is repeated. */
  readonly retryAfter: number | undefined;
  /** Position in the batch of the request that was refused. */
  readonly at: number | undefined;

  constructor(response: ApiResponse, at?: number) {
    const { code, message, data } = membersOf(response.body);
    const isError = typeof code === 'string' && typeof message === 'string';
    super(isError ? message : 'The server returned ' + response.status + ', not as this API does.');
    this.name = 'ApiError';
    this.code = isError ? code : 'unexpected_answer';
    this.status = response.status;
    this.data = membersOf(data);
    this.params = paramsOf(this.data, this.message);
    const wait = Number(response.headers.get('Retry-After') ?? NaN);
    this.retryAfter = Number.isNaN(wait) ? undefined : wait;
    this.at = at;
  }
}

/**
 * A value of an earlier response of the same atomic batch, in a body or in place of a key; by default the id of what the
 * call at this position made. The pointer is a JSON Pointer into the response: /body/slug, /headers/Location.
 */
export function ref<T>(at: number, pointer = '/body/id'): T & Reference {
  return { $ref: '#/responses/' + at + pointer } as T & Reference;
}

const tags = new WeakMap<object, string>();

/** The tag of an item that this client has retrieved, created or updated by itself. Throws for any other object. */
export function etagOf(item: object): string {
  const tag = tags.get(item);
  if (tag === undefined) throw new TypeError('This object has no tag: retrieve the item with this client first.');
  return tag;
}

function itemOf(response: ApiResponse): any {
  const tag = response.headers.get('ETag');
  if (tag !== null && typeof response.body === 'object' && response.body !== null) tags.set(response.body, tag);
  return response.body;
}

function sender({ url, credentials, fetch: own }: ClientOptions): Send {
  const root = url.replace(/\/+$/, '');
  return async ({ method, path, headers: given, body, signal }) => {
    const headers = new Headers(given);
    if (credentials) headers.set('Authorization', await authorization(credentials));
    const isForm = body instanceof FormData;
    if (body && !isForm) headers.set('Content-Type', 'application/json');
    const sent = body ? (isForm ? body : JSON.stringify(body)) : null;
    const response = await (own ?? fetch)(root + path, { method, headers, body: sent, signal: signal ?? null });
    const received = { status: response.status, headers: response.headers, body: parsed(await response.text()) };
    if (!response.ok || received.body === undefined) throw new ApiError(received);
    return received;
  };
}

async function authorization(credentials: Credentials): Promise<string> {
  if ('token' in credentials) {
    const { token } = credentials;
    return 'Bearer ' + (typeof token === 'string' ? token : await token());
  }
  const bytes = new TextEncoder().encode(credentials.username + ':' + credentials.password);
  return 'Basic ' + btoa(String.fromCharCode(...bytes));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A key in a path. Throws for a text that would lead elsewhere. */
function segment(key: number | string | Reference): string {
  if (typeof key === 'object') return '{' + key.$ref + '}';
  if (!/^[\w-]+$/.test(String(key))) throw new TypeError('Not a key of an item: ' + JSON.stringify(key) + '.');
  return String(key);
}

interface Query {
  _fields?: Names;
  _embed?: boolean | readonly string[] | undefined;
  orderby?: string | readonly string[] | undefined;
}

function queryText(query: Query = {}): string {
  const { _fields, _embed, orderby, ...rest } = query;
  const pairs = pairsOf({ ...rest, orderby: typeof orderby === 'object' ? orderby.join(',') : orderby });
  if (_fields) pairs.push(['_fields', _fields.join(',')]);
  if (_embed) pairs.push(['_embed', _embed === true ? '1' : _embed.join(',')]);
  return pairs.length === 0 ? '' : '?' + new URLSearchParams(pairs).toString();
}

/** The cursor in the URL of the next page. */
function nextCursor(link: string | null): string | undefined {
  const [, url = ''] = /<([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  return new URLSearchParams(url.replace(/^[^?]*/, '')).get('cursor') ?? undefined;
}

/** Values as form fields: lists and members in brackets. An empty list is an empty text. */
function pairsOf(values: object = {}): [name: string, value: string][] {
  return Object.entries(values).flatMap(([name, value]) => pairsOfOne(name, value));
}

function pairsOfOne(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  if (Array.isArray(value) && value.length === 0) return [[name, '']];
  return Object.entries(value).flatMap(([key, each]) => {
    const plain = Array.isArray(value) && typeof each !== 'object';
    return pairsOfOne(name + '[' + (plain ? '' : key) + ']', each);
  });
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function paramsOf(data: Readonly<Record<string, unknown>>, message: string): Record<string, string> {
  const details = Object.entries(membersOf(data['details'])).map(([name, detail]) => [name, membersOf(detail)['message']]);
  const { params } = data;
  const named = Array.isArray(params) ? params.map((name) => [name, message]) : Object.entries(membersOf(params));
  return Object.fromEntries([...named, ...details].map(([name, reason]) => [name, String(reason)]));
}
`;
