// Application passwords in OPTIONS and in the index.
import type { ResourceModel } from '../../model/model.js';
import type { Site } from '../../model/site/site.js';
import type { RouteDocument } from '../resource/options-document.js';
import type { Argument } from '../resource/argument-documents.js';

/** The routes: all of an account, one of them, the one in use. */
export type PasswordRoute = 'list' | 'item' | 'introspection';

const CONTEXTS = ['view', 'embed', 'edit'] as const;
const CONTEXT: Argument = {
  description: 'Which fields are shown.',
  type: 'string',
  enum: [...CONTEXTS],
  default: 'view',
  required: false,
};
const NAME = { description: 'What the password is for.', type: 'string', minLength: 1, maxLength: 200 } as const;
const APP_ID = { description: 'Identifier of the application.', type: 'string', format: 'uuid' } as const;
const SCOPE = {
  description: 'What it may be used for; without it, whatever the account may do.',
  type: 'object',
  properties: {
    read_only: { type: 'boolean', description: 'Nothing may be written.', default: false },
    resources: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: 20,
      description: 'Paths of the resources that may be used; default: all.',
    },
  },
  additionalProperties: false,
} as const;
const OWNER: Argument = { description: 'Id of the account, or me.', type: 'string', required: false };
const UUID: Argument = { description: 'Identifier of the password.', type: 'string', required: false };

const readOnly = (description: string, type: string | string[], more: object = {}) => ({
  description,
  type,
  context: ['view', 'edit'],
  readonly: true,
  ...more,
});

/** JSON Schema of one password. */
const SCHEMA = {
  $schema: 'http://json-schema.org/draft-04/schema#',
  title: 'application-password',
  type: 'object',
  properties: {
    uuid: { ...readOnly('Identifier of the password.', 'string', { format: 'uuid' }), context: CONTEXTS },
    // Empty where none was sent.
    app_id: {
      description: APP_ID.description,
      type: 'string',
      anyOf: [{ format: APP_ID.format }, { enum: [''] }],
      context: CONTEXTS,
    },
    name: { ...NAME, context: CONTEXTS },
    password: {
      ...readOnly('The password; shown once, in the response that creates it.', 'string'),
      context: ['edit'],
    },
    created: readOnly('When it was made, as UTC.', 'string', { format: 'date-time' }),
    last_used: readOnly('When it was last used, as UTC.', ['string', 'null'], { format: 'date-time' }),
    scope: { ...SCOPE, context: ['view', 'edit'] },
    last_ip: readOnly('Address that it was last used from.', ['string', 'null'], { format: 'ip' }),
  },
  required: ['name'],
};

/** Patterns of the routes below the API root, as keys of the index. */
function passwordPatterns(accounts: ResourceModel, namespace: string): Record<PasswordRoute, string> {
  const alias = accounts.schema.selfAlias;
  const list = `/${namespace}/${accounts.path}/(?P<user_id>[\\d]+${alias ? `|${alias}` : ''})/application-passwords`;
  return { list, item: `${list}/(?P<uuid>[\\w-]+)`, introspection: `${list}/introspect` };
}

/** The entry of a route in the index. */
function passwordRoute(kind: PasswordRoute, site: Site): RouteDocument {
  const path = { user_id: OWNER, ...(kind === 'item' ? { uuid: UUID } : {}) };
  const endpoint = (methods: string[], args: Record<string, Argument> = {}) => ({
    methods,
    args: { ...path, ...args },
  });
  const write = (required: boolean) => ({
    app_id: { ...APP_ID, required: false },
    name: { ...NAME, required },
    ...(required ? { scope: { ...structuredClone(SCOPE), required: false } as Argument } : {}),
  });
  const endpoints = {
    list: [endpoint(['GET'], { context: CONTEXT }), endpoint(['POST'], write(true)), endpoint(['DELETE'])],
    item: [
      endpoint(['GET'], { context: CONTEXT }),
      endpoint(['POST', 'PUT', 'PATCH'], write(false)),
      endpoint(['DELETE']),
    ],
    introspection: [endpoint(['GET'], { context: CONTEXT })],
  }[kind];
  return { namespace: site.namespace, methods: endpoints.flatMap(({ methods }) => methods), endpoints };
}

/** The document of OPTIONS. */
export function passwordOptions(kind: PasswordRoute, site: Site): Record<string, unknown> {
  return { ...passwordRoute(kind, site), schema: SCHEMA };
}

/** Every entry of the index. */
export function passwordRoutes(accounts: ResourceModel, site: Site): Record<string, RouteDocument> {
  const patterns = passwordPatterns(accounts, site.namespace);
  const kinds = Object.keys(patterns) as PasswordRoute[];
  return Object.fromEntries(kinds.map((kind) => [patterns[kind], passwordRoute(kind, site)]));
}
