// Operations on the application passwords of an account.
import { describeOperation, KNOWN, WITH_FIELDS, type Described, type Parts } from './described-operation.js';
import { BODY_CODES } from './error-codes.js';
import { IDEMPOTENCY_KEY } from './parameter-decorators.js';
import { object, refTo, text, type Schema } from './schema-parts.js';
import { REPLAYED } from './responses.js';

const MEMBERS: Record<string, Schema> = {
  uuid: text(),
  app_id: text('A UUID of the program, or empty.'),
  name: text(),
  created: text('Date and time, as UTC.'),
  last_used: { type: ['string', 'null'] },
  last_ip: { type: ['string', 'null'] },
  scope: { type: 'object', description: 'What it may be used for, where that is limited.' },
};
const REQUIRED = ['uuid', 'app_id', 'name'];
const PASSWORD = object({ ...MEMBERS, _links: refTo('Links') }, REQUIRED);
const CREATED = object(
  { ...MEMBERS, password: text('The password itself, shown only here.'), _links: refTo('Links') },
  REQUIRED,
);
const SCOPE: Schema = {
  type: 'object',
  description: 'What it may be used for; default: whatever the account may do.',
  properties: {
    read_only: { type: 'boolean', description: 'Nothing may be written.' },
    resources: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 },
  },
  additionalProperties: false,
};
const APP_ID: Schema = {
  description: 'A UUID of the program, or empty.',
  anyOf: [
    { type: 'string', format: 'uuid' },
    { type: 'string', enum: [''] },
  ],
};
const NAMED = object({ name: { type: 'string', minLength: 1, maxLength: 200 }, app_id: APP_ID, scope: SCOPE }, [
  'name',
]);
const RENAMED = object(
  {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    app_id: { ...APP_ID, description: 'Accepted as it was sent with the creation, and never changed.' },
  },
  [],
);
const REMOVED = object({ deleted: { type: 'boolean' }, previous: object(MEMBERS, REQUIRED) });
const ALL_REMOVED = object({ deleted: { type: 'boolean' }, count: { type: 'integer' } });

const inPath = (name: string, schema: Schema, example?: string): Schema => ({
  name,
  in: 'path',
  required: true,
  schema,
  ...(example === undefined ? {} : { example }),
});
const OWNER = inPath('user_id', { type: ['integer', 'string'], description: 'Id of the account, or `me`.' }, 'me');
const UUID = inPath('uuid', text('The application password.'));
const CONTEXT: Schema = {
  name: 'context',
  in: 'query',
  required: false,
  schema: { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view' },
};

const OF_ACCOUNT = [
  'incorrect_password',
  'rest_invalid_token',
  'rest_not_logged_in',
  'rest_forbidden_scope',
  'rest_no_route',
];
/** `missing`: code for an account that does not exist. */
const ofAccount =
  (missing: string) =>
  (
    operationId: string,
    [summary, details]: [string, string],
    response: Schema,
    refusal: string,
    more: Partial<Parts> = {},
  ) =>
    describeOperation(operationId, {
      tag: 'Application passwords',
      summary,
      details,
      response,
      security: KNOWN,
      protocol: WITH_FIELDS,
      ...more,
      parameters: [OWNER, ...(more.parameters ?? [])],
      codes: [...OF_ACCOUNT, { code: missing, status: 404 }, refusal, ...(more.codes ?? [])],
    });

const NOT_FOUND = ['rest_application_password_not_found'];
const rename = (passwords: ReturnType<typeof ofAccount>, operationId: string) =>
  passwords(
    operationId,
    ['Rename an application password.', 'A new name is for people only; programs that use the password do not notice.'],
    PASSWORD,
    'rest_cannot_edit_application_password',
    {
      body: RENAMED,
      example: { name: 'Phone' },
      parameters: [UUID],
      codes: [...NOT_FOUND, 'rest_invalid_param'],
    },
  );

const describeOptions = (operationId: string, summary: string, parameters: Schema[] = []) =>
  describeOperation(operationId, {
    tag: 'Application passwords',
    summary,
    details: 'Methods, arguments, and the schema of an application password.',
    response: { type: 'object', additionalProperties: true },
    parameters: [OWNER, ...parameters],
    codes: ['incorrect_password', 'rest_invalid_token', 'rest_no_route'],
  });

/** Operations below the URL of an account, by what follows it; `missing`: code for an account that does not exist. */
export function passwordOperations(missing: string): Record<string, Record<string, Described>> {
  const passwords = ofAccount(missing);
  return {
    '': {
      get: passwords(
        'listApplicationPasswords',
        [
          'List the application passwords of an account.',
          'Without the passwords themselves: those are shown once, when they are created.',
        ],
        { type: 'array', items: PASSWORD },
        'rest_cannot_list_application_passwords',
        { tagged: true, parameters: [CONTEXT], codes: ['rest_invalid_param'] },
      ),
      post: passwords(
        'createApplicationPassword',
        [
          'Create an application password. Only this response contains it.',
          'It signs in with Basic authentication and the name of the account. Spaces in it do not count.',
        ],
        CREATED,
        'rest_cannot_create_application_passwords',
        {
          status: 201,
          headers: {
            Location: { description: 'Address of the new password.', schema: text() },
            'Idempotency-Replayed': REPLAYED,
          },
          body: NAMED,
          example: { name: 'Phone' },
          parameters: [{ ...IDEMPOTENCY_KEY, in: 'header' }],
          codes: [
            'rest_missing_callback_param',
            'rest_invalid_param',
            'rest_too_many_application_passwords',
            'rest_application_password_not_found',
            'rest_invalid_idempotency_key',
            'rest_idempotency_key_reused',
          ],
        },
      ),
      delete: passwords(
        'deleteApplicationPasswords',
        [
          'Withdraw all application passwords of an account.',
          'Programs that use them are signed out at once. Returns their number.',
        ],
        ALL_REMOVED,
        'rest_cannot_delete_application_passwords',
        { codes: BODY_CODES },
      ),
      options: describeOptions('describeApplicationPasswords', 'What application passwords take.'),
    },
    '/introspect': {
      get: passwords(
        'introspectApplicationPassword',
        ['The application password that signs this request.', 'Refused where the request is signed in another way.'],
        PASSWORD,
        'rest_cannot_read_application_password',
        { tagged: true, parameters: [CONTEXT], codes: ['rest_no_authenticated_app_password', 'rest_invalid_param'] },
      ),
      options: describeOptions('describeApplicationPasswordInUse', 'What the path of the one in use takes.'),
    },
    '/{uuid}': {
      get: passwords(
        'getApplicationPassword',
        ['Get one application password.', 'Without the password itself.'],
        PASSWORD,
        'rest_cannot_read_application_password',
        { tagged: true, parameters: [UUID, CONTEXT], codes: [...NOT_FOUND, 'rest_invalid_param'] },
      ),
      post: rename(passwords, 'updateApplicationPassword'),
      put: rename(passwords, 'updateApplicationPasswordByPut'),
      patch: rename(passwords, 'updateApplicationPasswordByPatch'),
      delete: passwords(
        'deleteApplicationPassword',
        ['Withdraw one application password.', 'The program that uses it is signed out at once.'],
        REMOVED,
        'rest_cannot_delete_application_password',
        { parameters: [UUID], codes: [...NOT_FOUND, ...BODY_CODES] },
      ),
      options: describeOptions('describeApplicationPassword', 'What one application password takes.', [UUID]),
    },
  };
}
