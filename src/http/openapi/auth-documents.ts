// The token endpoints in OPTIONS.
import type { Argument } from '../resource/argument-documents.js';
import type { RouteDocument } from '../resource/options-document.js';

/** Ways to get tokens. */
export const GRANTS = ['password', 'refresh_token'];
/** Longest value that is read. */
export const MAX_VALUE_CHARACTERS = 4096;

const value = (description: string, required = false): Argument => ({
  description,
  type: 'string',
  maxLength: MAX_VALUE_CHARACTERS,
  required,
});

/** What each endpoint takes. */
export const TOKEN_ARGUMENTS = {
  token: {
    grant_type: {
      description: 'What is sent for the tokens; default: refresh_token where there is one, else password.',
      type: 'string',
      enum: GRANTS,
      required: false,
    },
    username: value('Name of the account, with a password.'),
    password: value('Password of the account.'),
    refresh_token: value('The token of the last response, instead of a name and password.'),
  },
  revoke: { token: value('The access or refresh token to end, and all that were renewed from the same login.', true) },
} satisfies Record<string, Record<string, Argument>>;

/** The document of an endpoint; `root`: the URL of the API. */
export function tokenRoute(endpoint: keyof typeof TOKEN_ARGUMENTS, root: string): RouteDocument {
  return {
    namespace: '',
    methods: ['POST'],
    endpoints: [{ methods: ['POST'], args: TOKEN_ARGUMENTS[endpoint] }],
    _links: { self: [{ href: `${root}/auth/${endpoint}` }] },
  };
}
