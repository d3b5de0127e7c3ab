// Operations that belong to no resource, written out: tokens, application passwords, index, probes, batches.
import { BATCH, BATCHED, BATCH_KEY } from './batch-schemas.js';
import { errorResponses } from './error-responses.js';
import { object, text, type Schema } from './schema-parts.js';

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

const TOKENS = object({
  access_token: text(),
  token_type: { type: 'string', enum: ['Bearer'] },
  expires_in: { type: 'integer', description: 'Seconds.' },
  refresh_token: text(),
});
const GRANTS: Schema = {
  anyOf: [object({ username: text(), password: text() }), object({ refresh_token: text() })],
};
const STATUS = object({ status: { type: 'string', enum: ['ok'] } });
const INDEX: Schema = { type: 'object', description: 'Addresses and routes.', additionalProperties: true };

const PASSWORD = object(
  {
    uuid: text(),
    app_id: text('A UUID of the program, or empty.'),
    name: text(),
    created: text('Date and time, as UTC.'),
    last_used: { type: ['string', 'null'] },
    last_ip: { type: ['string', 'null'] },
    password: text('The password itself, told once, when it is made.'),
  },
  ['uuid', 'app_id', 'name'],
);
const NAMED = object({ name: { type: 'string', minLength: 1, maxLength: 200 }, app_id: text('A UUID.') }, ['name']);
const RENAMED = object({ name: { type: 'string', minLength: 1, maxLength: 200 } }, []);
const REMOVED = object({ deleted: { type: 'boolean' }, previous: PASSWORD });
const ALL_REMOVED = object({ deleted: { type: 'boolean' }, count: { type: 'integer' } });

const OPEN = [{}];
const KNOWN = [{ basic: [] }, { bearer: [] }];
const ANY = [...OPEN, ...KNOWN];

interface Parts {
  tag: Tag;
  summary: string;
  answer: Schema;
  status?: number;
  security?: object[];
  body?: Schema;
  example?: unknown;
  parameters?: Schema[];
  codes?: string[];
}

function described(operationId: string, parts: Parts): Described {
  const { tag, summary, answer, status = 200, security = ANY, body, example, parameters, codes = [] } = parts;
  return {
    operationId,
    tags: [tag],
    summary,
    security,
    ...(parameters ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, ...(body === BATCH ? json(body, example) : withForm(body, example)) } }
      : {}),
    responses: {
      [status]: { description: summary, ...json(answer) },
      ...errorResponses(['rest_too_many_requests', 'rest_unavailable', ...codes]),
    },
  };
}

function withForm(body: Schema, example: unknown): Schema {
  const { content } = json(body, example) as { content: Record<string, Schema> };
  return { content: { ...content, 'application/x-www-form-urlencoded': { schema: body } } };
}

const inPath = (name: string, schema: Schema): Schema => ({ name, in: 'path', required: true, schema });
const OWNER = inPath('id', { type: ['integer', 'string'], description: 'Id of the account, or `me`.' });
const UUID = inPath('uuid', text('The application password.'));
const CONTEXT: Schema = {
  name: 'context',
  in: 'query',
  required: false,
  schema: { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view' },
};

const OF_ACCOUNT = ['incorrect_password', 'rest_invalid_token', 'rest_not_logged_in', 'rest_user_invalid_id'];
const passwords = (operationId: string, summary: string, answer: Schema, refusal: string, more: Partial<Parts> = {}) =>
  described(operationId, {
    tag: 'Application passwords',
    summary,
    answer,
    security: KNOWN,
    ...more,
    parameters: [OWNER, ...(more.parameters ?? [])],
    codes: [...OF_ACCOUNT, refusal, ...(more.codes ?? [])],
  });

const GONE = ['rest_application_password_not_found'];
const rename = (operationId: string) =>
  passwords(operationId, 'Rename an application password.', PASSWORD, 'rest_cannot_edit_application_password', {
    body: RENAMED,
    example: { name: 'Phone' },
    parameters: [UUID],
    codes: [...GONE, 'rest_invalid_param'],
  });

/** Operations below the address of an account. */
const APPLICATION_PASSWORDS: Record<string, Record<string, Described>> = {
  '': {
    get: passwords(
      'listApplicationPasswords',
      'List the application passwords of an account.',
      { type: 'array', items: PASSWORD },
      'rest_cannot_list_application_passwords',
      { parameters: [CONTEXT] },
    ),
    post: passwords(
      'createApplicationPassword',
      'Make an application password. The answer alone holds it.',
      PASSWORD,
      'rest_cannot_create_application_passwords',
      {
        status: 201,
        body: NAMED,
        example: { name: 'Phone' },
        codes: ['rest_missing_callback_param', 'rest_invalid_param'],
      },
    ),
    delete: passwords(
      'deleteApplicationPasswords',
      'Withdraw all application passwords of an account.',
      ALL_REMOVED,
      'rest_cannot_delete_application_passwords',
    ),
  },
  '/introspect': {
    get: passwords(
      'introspectApplicationPassword',
      'The application password that signs this request.',
      PASSWORD,
      'rest_cannot_read_application_password',
      { parameters: [CONTEXT], codes: ['rest_no_authenticated_app_password'] },
    ),
  },
  '/{uuid}': {
    get: passwords(
      'getApplicationPassword',
      'Get one application password.',
      PASSWORD,
      'rest_cannot_read_application_password',
      { parameters: [UUID, CONTEXT], codes: GONE },
    ),
    post: rename('updateApplicationPassword'),
    put: rename('updateApplicationPasswordByPut'),
    patch: rename('updateApplicationPasswordByPatch'),
    delete: passwords(
      'deleteApplicationPassword',
      'Withdraw one application password.',
      REMOVED,
      'rest_cannot_delete_application_password',
      { parameters: [UUID], codes: GONE },
    ),
  },
};

const index = (operationId: string, summary: string) =>
  described(operationId, {
    tag: 'Discovery',
    summary,
    answer: INDEX,
    codes: ['incorrect_password', 'rest_invalid_token'],
  });

/** The operations at a path outside the resources; undefined for one that is not known here. */
export function otherOperations(path: string, root: string, namespace: string): Record<string, Described> | undefined {
  const below = /\/application-passwords(.*)$/.exec(path)?.[1];
  if (below !== undefined) return APPLICATION_PASSWORDS[below];
  return fixedOperations(root, namespace)[path];
}

function fixedOperations(root: string, namespace: string): Record<string, Record<string, Described>> {
  return {
    [`${root}/auth/token`]: {
      post: described('createToken', {
        tag: 'Sign-in',
        summary: 'Get tokens for a name and password, or for a refresh token.',
        security: OPEN,
        body: GRANTS,
        example: { username: 'admin', password: 'correct horse battery' },
        answer: TOKENS,
        codes: ['incorrect_password', 'rest_missing_callback_param', 'rest_invalid_param', 'rest_invalid_token'],
      }),
    },
    [`${root}/auth/revoke`]: {
      post: described('revokeToken', {
        tag: 'Sign-in',
        summary: 'End the family of a token.',
        security: OPEN,
        body: object({ token: text() }),
        answer: object({ revoked: { type: 'boolean' } }),
        codes: ['rest_missing_callback_param', 'rest_invalid_param'],
      }),
    },
    [`${root}/batch/v1`]: {
      post: described('runBatch', {
        tag: 'Batches',
        summary: 'Several writes in one request, in order. Each has an answer of its own.',
        body: BATCH,
        parameters: [BATCH_KEY],
        example: { requests: [{ path: `/${namespace}/things`, body: { name: 'News' } }] },
        status: 207,
        answer: BATCHED,
        codes: ['incorrect_password', 'rest_invalid_token', 'rest_invalid_param', 'rest_missing_callback_param'],
      }),
      options: described('describeBatch', { tag: 'Batches', summary: 'What batches take.', answer: INDEX }),
    },
    '/livez': {
      get: described('getLiveness', {
        tag: 'Health',
        summary: 'Whether the process is up.',
        security: OPEN,
        answer: STATUS,
      }),
    },
    '/readyz': {
      get: described('getReadiness', {
        tag: 'Health',
        summary: 'Whether schema and database are ready.',
        security: OPEN,
        answer: STATUS,
      }),
    },
    [root === '' ? '/' : root]: {
      get: index('getIndex', 'Name, addresses and routes of the site.'),
      options: index('describeIndex', 'What the index offers.'),
    },
    [`${root}/${namespace}`]: {
      get: index('getNamespace', 'Routes of the namespace.'),
      options: index('describeNamespace', 'What the namespace offers.'),
    },
  };
}
