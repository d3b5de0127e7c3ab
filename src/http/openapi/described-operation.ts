// Operations that are written out: what they have in common.
import { errorResponses } from './error-responses.js';
import type { Schema } from './schema-parts.js';

/** A described operation. */
export type Described = Record<string, unknown> & { operationId: string; tags: string[] };

/** Tags of these operations, with what stands below them. */
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

/** Who may ask: anybody without signing in, only those who sign in, or both. */
export const OPEN: object[] = [];
export const KNOWN = [{ basic: [] }, { bearer: [] }];
const ANY = [{}, ...KNOWN];

/** Headers of an answer with a tag. */
export const TAGGED: Schema = { ETag: { description: 'Tag of this answer.', schema: { type: 'string' } } };

/** What there is to say of an operation. */
export interface Parts {
  tag: Tag;
  summary: string;
  details: string;
  answer: Schema;
  status?: number;
  security?: object[];
  body?: Schema;
  example?: unknown;
  parameters?: Schema[];
  codes?: string[];
  /** Headers of the answer. */
  headers?: Schema;
  /** Whether the body may be a form. */
  form?: boolean;
}

/** An operation of the document. */
export function described(operationId: string, parts: Parts): Described {
  const {
    tag,
    summary,
    details,
    answer,
    status = 200,
    security = ANY,
    body,
    example,
    parameters,
    codes = [],
    headers,
    form = true,
  } = parts;
  return {
    operationId,
    tags: [tag],
    summary,
    description: details,
    security,
    ...(parameters ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, ...(form ? withForm(body, example) : json(body, example)) } } : {}),
    responses: {
      [status]: { description: summary, ...(headers ? { headers } : {}), ...json(answer) },
      ...errorResponses(['rest_too_many_requests', 'rest_unavailable', ...codes]),
    },
  };
}

function withForm(body: Schema, example: unknown): Schema {
  const { content } = json(body, example) as { content: Record<string, Schema> };
  return { content: { ...content, 'application/x-www-form-urlencoded': { schema: body } } };
}
