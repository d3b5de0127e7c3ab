// The common parts of operations that are written by hand.
import type { Refusal } from '../../model/permissions.js';
import { ANYWHERE, BODY_CODES } from './error-codes.js';
import { errorResponses } from './error-responses.js';
import { OF_RESPONSES, protocolParameters, type ProtocolName } from './parameter-decorators.js';
import type { Schema } from './schema-parts.js';

/** A described operation. */
export type Described = Record<string, unknown> & { operationId: string; tags: string[] };

/** Tags of these operations, with their descriptions. */
export const OTHER_TAGS = {
  'Sign-in': 'Tokens for a name and password.',
  'Application passwords': 'Passwords for programs, each for one account, that can be withdrawn one by one.',
  Batches: 'Several writes in one request.',
  Discovery: 'What there is.',
  Health: 'For load balancers and supervisors.',
} as const;
type Tag = keyof typeof OTHER_TAGS;

const json = (schema: Schema, example?: unknown): Schema => ({
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});

/** Security requirements: none, authentication, or optional authentication. */
export const OPEN: object[] = [];
export const KNOWN = [{ basic: [] }, { bearer: [] }];
const ANY = [{}, ...KNOWN];

/** The parts of an operation. */
export interface Parts {
  tag: Tag;
  summary: string;
  details: string;
  response: Schema;
  status?: number;
  security?: object[];
  body?: Schema;
  example?: unknown;
  parameters?: Schema[];
  codes?: readonly Refusal[];
  /** Headers of the response. */
  headers?: Schema;
  /** Whether the response has an ETag, for conditional requests. */
  tagged?: boolean;
  /** Whether the body may be a form. */
  form?: boolean;
  /** Parameters of the protocol that shape the response. */
  protocol?: readonly ProtocolName[];
}

/** Those of documents that `_fields` shortens. */
export const WITH_FIELDS: readonly ProtocolName[] = ['_fields', ...OF_RESPONSES];

/** The header of responses that have a tag. */
export const ETag = { description: 'Entity tag of this response.', schema: { type: 'string' } };
const IF_NONE_MATCH: Schema = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Entity tag of a response that the client has: 304 while it is the same.',
  schema: { type: 'string' },
};

/** An operation of the document. */
export function describeOperation(operationId: string, parts: Parts): Described {
  const {
    tag,
    summary,
    details,
    response,
    status = 200,
    security = ANY,
    body,
    example,
    parameters,
    codes = [],
    headers,
    tagged = false,
    form = true,
    protocol = OF_RESPONSES,
  } = parts;
  const taken = [...(parameters ?? []), ...protocolParameters(protocol), ...(tagged ? [IF_NONE_MATCH] : [])];
  const sent = { ...(tagged ? { ETag } : {}), ...headers };
  return {
    operationId,
    tags: [tag],
    summary,
    description: details,
    security,
    ...(taken.length > 0 ? { parameters: taken } : {}),
    ...(body ? { requestBody: { required: true, ...(form ? withForm(body, example) : json(body, example)) } } : {}),
    responses: {
      [status]: { description: summary, headers: sent, ...json(response) },
      ...(tagged ? { 304: { description: 'The client has this response already.', headers: { ETag } } } : {}),
      ...errorResponses([...ANYWHERE, ...(body ? BODY_CODES : []), ...codes]),
    },
  };
}

function withForm(body: Schema, example: unknown): Schema {
  const { content } = json(body, example) as { content: Record<string, Schema> };
  return { content: { ...content, 'application/x-www-form-urlencoded': { schema: body } } };
}
