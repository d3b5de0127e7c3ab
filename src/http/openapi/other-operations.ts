// Operations that belong to no resource, written out: tokens, index, probes, batches; application passwords.
import { BATCH, BATCHED, BATCH_KEY } from './batch-schemas.js';
import { EVENT_ARGUMENTS, EVENTS_PATH } from '../live/events.controller.js';
import { TOKEN_ARGUMENTS } from './auth-documents.js';
import { openApiSchema } from './json-schema-31.js';
import { describeOperation, ETag, OPEN, WITH_FIELDS, type Described, type Parts } from './described-operation.js';
import { passwordOperations } from './password-operations.js';
import { object, text, type Schema } from './schema-parts.js';

const TOKENS = object({
  access_token: text(),
  token_type: { type: 'string', enum: ['Bearer'] },
  expires_in: { type: 'integer', description: 'Seconds.' },
  refresh_token: text(),
});
const { grant_type, ...CREDENTIALS } = TOKEN_ARGUMENTS.token;
/** The body of one grant; without a name, a refresh token is what counts. */
const grantOf = (grant: string, ...names: (keyof typeof CREDENTIALS)[]): Schema => {
  const named = { description: grant_type.description, type: 'string', enum: [grant] };
  const values = names.map((name) => [name, openApiSchema(CREDENTIALS[name])] as const);
  return object({ grant_type: named, ...Object.fromEntries(values) }, names);
};
const GRANTS: Schema = {
  anyOf: [grantOf('password', 'username', 'password'), grantOf('refresh_token', 'refresh_token')],
};
const STATUS = object({ status: { type: 'string', enum: ['ok'] } });
const INDEX: Schema = { type: 'object', description: 'Addresses and routes.', additionalProperties: true };

const DETAIL: Schema = {
  name: 'context',
  in: 'query',
  required: false,
  description: '`help` adds the schema of the items to each route.',
  schema: { type: 'string', enum: ['view', 'help'], default: 'view' },
};
const index = (operationId: string, summary: string, details: string, more: Partial<Parts> = {}) =>
  describeOperation(operationId, {
    tag: 'Discovery',
    summary,
    details,
    response: INDEX,
    codes: ['incorrect_password', 'rest_invalid_token'],
    protocol: WITH_FIELDS,
    ...more,
  });
/** Only reads are conditional, but the responses of both have a tag. */
const READ: Partial<Parts> = { tagged: true };
const OPTIONS: Partial<Parts> = { headers: { ETag } };

const SITE_ROOT: Record<string, Described> = {
  get: describeOperation('getSiteRoot', {
    tag: 'Discovery',
    summary: 'Where the API and its documents are.',
    details: 'The root of the server, where the API lies below it.',
    response: object({ api: text('Address of the API.'), docs: text('Address of its documents.') }),
    tagged: true,
    protocol: WITH_FIELDS,
    codes: ['incorrect_password', 'rest_invalid_token'],
  }),
  options: index('describeSiteRoot', 'What the root of the server offers.', 'Its methods.', OPTIONS),
};

const listOf = (name: keyof typeof EVENT_ARGUMENTS): Schema => {
  const { description, required, ...schema } = EVENT_ARGUMENTS[name];
  return { name, in: 'query', required, description, style: 'form', explode: false, schema };
};

/** Server-sent events, on sites with live updates. */
const EVENTS: Record<string, Described> = {
  get: asStream(
    describeOperation('followEvents', {
      tag: 'Discovery',
      summary: 'What happens to items, as server-sent events.',
      details:
        'Each event is that of an item which the caller may read now; its data are the members type, resource, id, action, fields and date. ' +
        '`ready` begins the stream; `reset` does so where events since the last one received are gone.',
      parameters: [
        listOf('resource'),
        listOf('ids'),
        {
          name: 'Last-Event-ID',
          in: 'header',
          required: false,
          description: 'The last id received: the stream goes on after it.',
          schema: { type: 'string' },
        },
      ],
      response: text(),
      headers: { 'X-Accel-Buffering': { description: '`no`, for proxies.', schema: { type: 'string' } } },
      protocol: [],
      codes: ['incorrect_password', 'rest_invalid_token', 'rest_invalid_param', 'rest_unavailable'],
    }),
  ),
  options: describeOperation('describeEvents', {
    tag: 'Discovery',
    summary: 'What the stream of events takes.',
    details: 'Its arguments.',
    response: INDEX,
    codes: ['incorrect_password', 'rest_invalid_token'],
  }),
};

function asStream(operation: Described): Described {
  const responses = operation['responses'] as Record<string, Record<string, unknown>>;
  const { content: _json, ...ok } = responses['200']!;
  const content = { 'text/event-stream': { schema: text() } };
  return { ...operation, responses: { ...responses, '200': { ...ok, content } } };
}

/** Where the API is, and a write that a batch may hold. */
export interface Place {
  root: string;
  namespace: string;
  write: { path: string; body: Record<string, unknown> };
  /** Code for an account that does not exist. */
  noAccount: string;
}

/** The operations at a path outside the resources; undefined for one that is not known here. */
export function otherOperations(
  path: string,
  { root, namespace, write, noAccount }: Place,
): Record<string, Described> | undefined {
  const below = /\/application-passwords(.*)$/.exec(path)?.[1];
  if (below !== undefined) return passwordOperations(noAccount)[below];
  return fixedOperations({ root, namespace, write, noAccount })[path];
}

type PathOperations = Record<string, Record<string, Described>>;

function fixedOperations({ root, namespace, write }: Place): PathOperations {
  return {
    [`${root}/auth/token`]: { post: CREATE_TOKEN, options: tokenOptions('describeToken', 'What tokens are made of.') },
    [`${root}/auth/revoke`]: {
      post: REVOKE_TOKEN,
      options: tokenOptions('describeTokenRevocation', 'What ends the family of a token.'),
    },
    [`${root}/batch/v1`]: batchOperations(write),
    [`${root}${EVENTS_PATH}`]: EVENTS,
    '/livez': { get: LIVENESS },
    '/readyz': { get: READINESS },
    ...(root === '' ? {} : { '/': SITE_ROOT }),
    ...indexOperations(root, namespace),
  };
}

const CREATE_TOKEN = describeOperation('createToken', {
  tag: 'Sign-in',
  summary: 'Get tokens for a name and password, or for a refresh token.',
  details: 'The access token goes into `Authorization: Bearer`. A refresh token is good once.',
  security: OPEN,
  body: GRANTS,
  example: { username: 'admin', password: 'correct horse battery' },
  response: TOKENS,
  codes: ['incorrect_password', 'rest_missing_callback_param', 'rest_invalid_param', 'rest_invalid_token'],
});

const REVOKE_TOKEN = describeOperation('revokeToken', {
  tag: 'Sign-in',
  summary: 'End the family of a token.',
  details: 'Neither the token nor any that was made from it is good for anything afterwards.',
  security: OPEN,
  body: object({ token: openApiSchema(TOKEN_ARGUMENTS.revoke.token) }),
  example: { token: 'a refresh token' },
  response: object({ revoked: { type: 'boolean' } }),
  codes: ['rest_missing_callback_param', 'rest_invalid_param'],
});

const tokenOptions = (operationId: string, summary: string) =>
  describeOperation(operationId, {
    tag: 'Sign-in',
    summary,
    details: 'The method with its arguments.',
    response: INDEX,
    codes: ['incorrect_password', 'rest_invalid_token'],
  });

const LIVENESS = describeOperation('getLiveness', {
  tag: 'Health',
  summary: 'Whether the process is up.',
  details: 'Says nothing of the database.',
  security: OPEN,
  protocol: [],
  response: STATUS,
});

const READINESS = describeOperation('getReadiness', {
  tag: 'Health',
  summary: 'Whether schema and database are ready.',
  details: '503 until they are.',
  security: OPEN,
  protocol: [],
  response: STATUS,
});

/** `write`: a write that a batch may hold. */
function batchOperations(write: Place['write']): Record<string, Described> {
  return {
    post: describeOperation('runBatch', {
      tag: 'Batches',
      summary: 'Several writes in one request, in order. Each has its own response.',
      details: 'The status is 207; each response in it has its own. In an atomic batch all requests succeed or none.',
      body: BATCH,
      form: false,
      parameters: [BATCH_KEY],
      example: { requests: [write] },
      status: 207,
      response: BATCHED,
      codes: [
        'incorrect_password',
        'rest_invalid_token',
        'rest_invalid_param',
        'rest_missing_callback_param',
        'rest_invalid_idempotency_key',
        'rest_idempotency_key_reused',
      ],
    }),
    options: describeOperation('describeBatch', {
      tag: 'Batches',
      summary: 'What batches take.',
      details: 'The arguments of a batch.',
      response: INDEX,
      codes: ['incorrect_password', 'rest_invalid_token'],
    }),
  };
}

function indexOperations(root: string, namespace: string): PathOperations {
  return {
    [root === '' ? '/' : root]: {
      get: index(
        'getIndex',
        'Name, URLs and routes of the site.',
        'Each route with its methods and their arguments. Clients find the API from here.',
        { ...READ, parameters: [DETAIL] },
      ),
      options: index('describeIndex', 'What the index offers.', 'Its methods and arguments.', OPTIONS),
    },
    [`${root}/${namespace}`]: {
      get: index('getNamespace', 'Routes of the namespace.', 'Each route with its methods and their arguments.', {
        ...READ,
        parameters: [DETAIL],
      }),
      options: index('describeNamespace', 'What the namespace offers.', 'Its methods and arguments.', OPTIONS),
    },
  };
}
