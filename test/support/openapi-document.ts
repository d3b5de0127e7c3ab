// The OpenAPI document of a running site from the perspective of a client: its operations, and the violations of
// responses.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TestSite } from './start-test-site.js';
import type { HttpResponse, Headers } from './send.js';

/** A schema, or any other part of the document. */
export type Schema = Record<string, any>;

/** One operation of the document. */
export interface Operation {
  /** In lower case. */
  method: string;
  /** With its parameters in braces. */
  path: string;
  described: Schema;
}

/** Headers of every response of a server, which no document lists. */
const TRANSPORT = new RegExp(
  '^(?:access-control-|cross-origin-|x-(?:content-type-options|robots-tag|request-id|frame-options|dns-prefetch-control|' +
    'download-options|permitted-cross-domain-policies|xss-protection)$|' +
    '(?:date|connection|keep-alive|content-(?:type|length|encoding|security-policy)|transfer-encoding|vary|cache-control|' +
    'server|referrer-policy|strict-transport-security|origin-agent-cluster|expires)$)',
);

const URI_REFERENCE = /^(?:[^\s<>"{}|\\^`%]|%[\dA-Fa-f]{2})*$/;
/** Formats that responses may claim; an unknown one is an error of the document. */
const FORMATS: Record<string, RegExp | ((text: string) => boolean)> = {
  'date-time': (text) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text)),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  // As JSON Schema and RFC 3339 define it: with an offset.
  time: /^\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i,
  uuid: /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: (text) => URL.canParse(text) && URI_REFERENCE.test(text),
  'uri-reference': URI_REFERENCE,
  decimal: /^-?\d+(?:\.\d+)?$/,
  ip: /^[\da-f.:]*$/i,
  ipv4: /^\d+(?:\.\d+){3}$/,
  timezone: /^[\w+/-]+$/,
  password: /(?:)/,
  binary: /(?:)/,
};

/** The document and the validators made of it. */
export class OpenApiDocument {
  readonly operations: Operation[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  private readonly closedAjv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  private readonly validators = new Map<unknown, ValidateFunction>();
  private readonly closedValidators = new Map<unknown, ValidateFunction>();

  constructor(readonly document: Schema) {
    this.ajv.addSchema({ $id: 'doc', components: document['components'] });
    const { schemas } = document['components'];
    this.closedAjv.addSchema({ $id: 'doc', components: { schemas: closed(schemas), open: schemas } });
    this.operations = Object.entries<Schema>(document['paths']).flatMap(([path, item]) =>
      Object.entries<Schema>(item).map(([method, described]) => ({ method, path, described })),
    );
  }

  /** Reads the document of a site as one caller. */
  static async of({ send }: TestSite, as: Headers = {}): Promise<OpenApiDocument> {
    return new OpenApiDocument((await send('GET', '//docs-json', { as, status: 200 })).body);
  }

  /** The violations of a schema of the document by a value. */
  problems(schema: Schema, value: unknown): string[] {
    let validate = this.validators.get(schema);
    if (!validate) this.validators.set(schema, (validate = this.ajv.compile(rooted(schema))));
    if (validate(value)) return [];
    return validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`).slice(0, 8);
  }

  /** The same, where objects have no members but those that are described. */
  closedProblems(schema: Schema, value: unknown): string[] {
    let validate = this.closedValidators.get(schema);
    if (!validate) this.closedValidators.set(schema, (validate = this.closedAjv.compile(rooted(closed(schema)))));
    if (validate(value)) return [];
    return validate
      .errors!.map(
        ({ instancePath, message, params: { additionalProperty = '' } }) =>
          `${instancePath} ${message} ${additionalProperty}`,
      )
      .slice(0, 8);
  }

  /** The target of a reference; any other schema as it is. */
  resolve(schema: Schema): Schema {
    const reference: string | undefined = schema['$ref'];
    if (!reference) return schema;
    const [kind, name] = reference.split('/').slice(-2) as [string, string];
    return this.resolve(this.document['components'][kind][name]);
  }

  /**
   * The violations of the document by a response: status, media type, headers and body. `default` describes errors
   * only. `partial`: the request left out members.
   */
  wrongWith({ described }: Operation, received: HttpResponse, partial = false): string[] {
    const { status, headers, body } = received;
    const { responses } = described;
    const response = responses[status] ?? (status >= 400 && status < 500 ? responses['default'] : undefined);
    if (!response) return [`the status ${status} is not described: ${received.text.slice(0, 200)}`];
    return [
      ...this.wrongHeaders(response, headers),
      ...wrongType(response, received),
      ...(partial || !isJson(received) ? [] : this.wrongBody(response, body)),
      ...wrongCode(status, response, body),
    ].map((problem) => `${status}: ${problem}`);
  }

  private wrongHeaders({ headers: known = {} }: Schema, sent: HttpResponse['headers']): string[] {
    const described = new Map(Object.entries<Schema>(known).map(([name, header]) => [name.toLowerCase(), header]));
    return Object.entries(sent).flatMap(([name, value]) => {
      if (TRANSPORT.test(name)) return [];
      const named = described.get(name);
      if (!named) return [`the header ${name} is not described`];
      const header = this.resolve(named);
      const typed = header['schema'].type === 'integer' ? Number(value) : value;
      return this.problems(header['schema'], typed).map((problem) => `header ${name}:${problem}`);
    });
  }

  private wrongBody(response: Schema, body: unknown): string[] {
    const schema = response['content']?.['application/json']?.schema;
    return schema && body !== undefined ? this.closedProblems(schema, body) : [];
  }
}

const isJson = ({ headers }: HttpResponse): boolean => /^application\/json\b/.test(headers['content-type'] ?? '');

function wrongType({ content }: Schema, { headers, text }: HttpResponse): string[] {
  const type = headers['content-type']?.split(';')[0];
  if (!content) return text === '' ? [] : [`a body (${type}) is not described`];
  return type !== undefined && type in content ? [] : [`the type ${type} is not described`];
}

/** The violation of an error response whose code its description does not list. */
function wrongCode(status: number, { description }: Schema, body: unknown): string[] {
  const code = status < 400 ? undefined : (body as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string' || new RegExp(`\\b${code}\\b`).test(description)) return [];
  return [`the code ${code} is not described`];
}

/**
 * A schema of whose objects other members than those described are refused; those of expanded items are not described.
 * What is put together of several schemas is closed as a whole.
 */
function closed(schema: Schema): Schema {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  if (Array.isArray(schema['allOf'])) return { ...opened(schema), unevaluatedProperties: false };
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const { type, properties, additionalProperties, patternProperties, description } = schema;
  if (type !== 'object' || typeof properties !== 'object' || additionalProperties !== undefined) return inner;
  if (patternProperties || description?.startsWith('With items in the place')) return inner;
  return { ...inner, additionalProperties: false };
}

const opened = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/components/open/'));

/** A schema whose references point into the document. */
const rooted = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"doc#/components/'));
