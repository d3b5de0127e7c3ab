// Requests generated from an OpenAPI document: for every operation, with values that its schemas allow, and
// occasionally with an invalid one. They are sent to the site, and each response is compared with the document.
import * as fc from 'fast-check';
import type { TestSite } from './start-test-site.js';
import { KnownPaths } from './known-paths.js';
import { OpenApiDocument, type Operation, type Schema } from './openapi-document.js';
import { SchemaValues } from './schema-values.js';
import { query as queryString, type Headers, type Method, type Sent } from './send.js';

/** Callers by name; `own` sends the requests about the caller's own account, which may not survive them. */
export type Callers = Record<string, Headers> & { own: Headers };

interface Parameter extends Schema {
  name: string;
  in: 'path' | 'query' | 'header';
}

/** A generated request; its URL is chosen when it is sent. */
interface DrawnRequest {
  operation: Operation;
  caller: string;
  /** which of the known paths; undefined for one with invented keys. */
  at: number | undefined;
  path: Record<string, string>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  body: { type: string; value: unknown } | undefined;
}

const ODD: unknown[] = [
  null,
  '',
  -1,
  0,
  1.5,
  1e21,
  true,
  'null',
  '0x10',
  ' ',
  "'",
  '🜁',
  [],
  {},
  [[]],
  { raw: 5 },
  '../..',
];
const ODD_KEYS = ['0', '1', '99999999', '-1', '1.5', 'x', '%20', '%F0%9F%9C%81', '9'.repeat(30), 'me'];

/** Sends requests generated from the document, and records the paths of created items. */
export class DocumentRequests {
  /** Statuses of the responses to each operation. */
  readonly seen = new Map<string, Set<number>>();
  private readonly values: SchemaValues;

  private constructor(
    readonly document: OpenApiDocument,
    private readonly site: TestSite,
    readonly paths: KnownPaths,
    private readonly callers: Callers,
    private readonly readOnlyPaths: readonly string[],
  ) {
    this.values = new SchemaValues(document);
  }

  /**
   * Reads the document and the existing paths as `callers.admin`. `readOnlyPaths` are only read: those of the
   * callers' own accounts.
   */
  static async of(
    site: TestSite,
    callers: Callers & { admin: Headers },
    readOnlyPaths: readonly string[],
  ): Promise<DocumentRequests> {
    const document = await OpenApiDocument.of(site);
    const documented = document.operations.map(({ path }) => path);
    const paths = await KnownPaths.of(site, documented, callers.admin);
    return new DocumentRequests(document, site, paths, callers, readOnlyPaths);
  }

  /** Sends `count` requests one by one. Returns the distinct problems of their responses. */
  async problems(count: number): Promise<string[]> {
    const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    const found = new Map<string, string>();
    const any = fc.constantFrom(...this.document.operations).chain((operation) => this.requestTo(operation));
    for (const drawn of fc.sample(any, { seed, numRuns: count })) {
      const { wrong, sent } = await this.send(drawn);
      for (const problem of wrong) {
        const key = `${drawn.operation.method} ${drawn.operation.path} ${problem}`;
        if (!found.has(key)) found.set(key, `${problem} (TEST_SEED=${seed}) ${sent}`);
      }
    }
    return [...found.values()];
  }

  private async send(drawn: DrawnRequest): Promise<{ wrong: string[]; sent: string }> {
    const { operation, query, headers, caller } = drawn;
    const target = this.targetOf(drawn);
    const method = operation.method.toUpperCase() as Method;
    const shown = JSON.stringify({ caller, query, headers, body: drawn.body });
    const sent = `${method} ${target} ${shown.slice(0, 600)}`;
    if (this.readOnlyPaths.includes(target) && !['GET', 'OPTIONS'].includes(method)) return { wrong: [], sent };
    const body = encode(drawn.body);
    const response = await this.site.send(method, `/${target}${serialize(query)}`, {
      as: this.callers[caller]!,
      ...body,
      headers: { ...headers, ...body.headers },
    });
    if (response.status === 201) this.paths.add(operation.path, response);
    const { status } = response;
    this.seen.set(nameOf(operation), (this.seen.get(nameOf(operation)) ?? new Set()).add(status));
    const wrong = '_envelope' in query ? [] : this.document.wrongWith(operation, response, '_fields' in query);
    return {
      wrong: status >= 500 && status !== 501 ? [...wrong, `status ${status}`] : wrong,
      sent,
    };
  }

  private targetOf({ operation: { path }, at, path: keys }: DrawnRequest): string {
    const known = this.paths.at(path);
    if (at !== undefined && known.length > 0) return known[at % known.length]!;
    return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => keys[name] ?? '1');
  }

  private requestTo(operation: Operation): fc.Arbitrary<DrawnRequest> {
    const { parameters = [], requestBody } = operation.described as { parameters?: Parameter[]; requestBody?: Schema };
    const named = (place: Parameter['in']) => parameters.filter((each) => each.in === place);
    const own = /\/me(?:\/|$)/.test(operation.path);
    return fc.record({
      operation: fc.constant(operation),
      caller: own ? fc.constantFrom('own', 'nobody') : fc.constantFrom(...Object.keys(this.callers)),
      at: fc.option(fc.nat(1000), { freq: 8, nil: undefined }),
      path: fc.record(Object.fromEntries(named('path').map(({ name }) => [name, fc.constantFrom(...ODD_KEYS)]))),
      query: this.membersOf(named('query')),
      headers: fc
        .tuple(this.headersOf(named('header')), acceptOf(operation))
        .map(([headers, accept]) => ({ ...headers, ...accept })),
      body: this.bodyOf(requestBody),
    }) as fc.Arbitrary<DrawnRequest>;
  }

  /** Some of the parameters; required ones are usually included. */
  private membersOf(parameters: Parameter[]): fc.Arbitrary<Record<string, unknown>> {
    const one = ({ name, schema }: Parameter) => fc.tuple(fc.constant(name), this.mostlyValid(schema));
    const chosen = fc.subarray(parameters, { maxLength: Math.min(parameters.length, 5) });
    const required = parameters.filter((parameter) => parameter['required']);
    return chosen
      .chain((some) => fc.tuple(...[...new Set([...some, ...required])].map(one)))
      .map((pairs) => Object.fromEntries(pairs));
  }

  private headersOf(parameters: Parameter[]): fc.Arbitrary<Record<string, string>> {
    const texts = fc.constantFrom(
      '"x"',
      'W/"x"',
      '*',
      'handling=strict',
      'return=minimal',
      'attachment; filename="a.txt"',
    );
    const members = parameters.map(({ name }) => [
      name,
      name === 'Idempotency-Key'
        ? fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', 'b', '1') })
        : texts,
    ]);
    return fc.option(fc.record(Object.fromEntries(members), { requiredKeys: [] }), {
      freq: 1,
      nil: {},
    }) as fc.Arbitrary<Record<string, string>>;
  }

  private bodyOf(requestBody: Schema | undefined): fc.Arbitrary<DrawnRequest['body']> {
    if (!requestBody) return fc.constant(undefined);
    const either = Object.entries<Schema>(requestBody['content']).map(([type, { schema }]) =>
      this.mostlyValid(schema).map((value) => ({ type, value })),
    );
    return fc.option(fc.oneof(...either), { freq: 20, nil: undefined });
  }

  /** Mostly a value of the schema; sometimes one with a member that the schema does not allow, or another value altogether. */
  private mostlyValid(schema: Schema): fc.Arbitrary<unknown> {
    const odd = fc.constantFrom(...ODD);
    const spoiled = fc.tuple(this.values.of(schema), odd, fc.nat(50)).map(([value, other, at]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return other;
      const names = Object.keys(value);
      const name = names[at % names.length] ?? 'another';
      return { ...value, [name]: other };
    });
    return fc.oneof({ arbitrary: this.values.of(schema), weight: 5 }, { arbitrary: spoiled, weight: 1 });
  }
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Sometimes another media type than JSON, where there is one. */
function acceptOf({ described }: Operation): fc.Arbitrary<Record<string, string>> {
  const types = Object.keys(described['responses'][200]?.content ?? {}).filter((type) => type !== 'text/event-stream');
  if (types.length < 2) return fc.constant({});
  return fc.option(
    fc.constantFrom(...types).map((type) => ({ Accept: type })),
    { freq: 2, nil: {} },
  );
}

/** Serializes parameters: lists with commas, objects in brackets. */
function serialize(members: Record<string, unknown>): string {
  const flat = Object.entries(members).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((each) => (typeof each === 'object' ? '' : String(each))).join(',') : value,
  ]);
  return queryString(Object.fromEntries(flat));
}

function encode(body: DrawnRequest['body']): Sent {
  if (!body) return {};
  const { type, value } = body;
  if (type === 'application/json') return { body: JSON.stringify(value), headers: { 'Content-Type': type } };
  const members = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { value };
  if (type === 'application/x-www-form-urlencoded')
    return { body: queryString(members).slice(1), headers: { 'Content-Type': type } };
  if (type !== 'multipart/form-data') return { body: String(value), headers: { 'Content-Type': type } };
  const form = new FormData();
  for (const [name, member] of Object.entries(members)) {
    if (name === 'file') form.append(name, new Blob([String(member)]), 'words.txt');
    else for (const [key, part] of parts(name, member)) form.append(key, part);
  }
  return { body: form };
}

/** The fields of a form for one member. */
function parts(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value ?? '')]];
  return Object.entries(value).flatMap(([key, member]) => parts(`${name}[${Array.isArray(value) ? '' : key}]`, member));
}
