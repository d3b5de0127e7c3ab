// Default accounts for a folder of schemas that declares none: without accounts nobody could sign in and write.
import type { ResourceSchema } from '../../model/schema.js';
import { parseSchema, type SchemaFile } from './load.js';
import { record, text } from './as-json.js';

/** Name of the file in problems. */
const FILE = '(accounts of the engine)';

/** The files of a folder, with a resource of accounts added when none of them has the trait `account`. */
export function withAccounts(files: SchemaFile[]): SchemaFile[] {
  if (files.length === 0 || files.some(({ schema }) => 'account' in record(record(schema)['traits']))) return files;
  const taken = new Set(files.flatMap(({ schema }) => [text(record(schema)['name']), text(record(schema)['path'])]));
  const name = ['account', 'site-account', 'engine-account'].find((word) => !taken.has(word) && !taken.has(`${word}s`));
  return name === undefined ? files : [...files, parseSchema(FILE, JSON.stringify(accounts(name), null, 2)).file];
}

/** Accounts: users may read and edit their own, others need the capabilities for users. */
function accounts(name: string): ResourceSchema {
  const self = { is: { id: '$me' } };
  return {
    name,
    path: `${name}s`,
    labels: { singular: 'Account', plural: 'Accounts' },
    description: 'People who sign in.',
    selfAlias: 'me',
    fields: {
      username: { type: 'string', required: true, length: 60, contexts: ['edit'], description: 'Login.' },
      name: { type: 'string', clean: 'plain', length: 250, description: 'Name that others see.' },
      email: {
        type: 'string',
        format: 'email',
        required: true,
        length: 100,
        contexts: ['edit'],
        description: 'E-mail address.',
      },
      password: { type: 'password', required: true, description: 'Password; accepted, never shown.' },
      roles: { type: 'strings', contexts: ['edit'], description: 'Roles of the account.' },
      registered: {
        type: 'datetime',
        clock: 'offset',
        readOnly: true,
        contexts: ['edit'],
        description: 'When it was made.',
      },
    },
    traits: { 'force-delete': {}, account: { registered: 'registered', fallbacks: { name: [['username']] } } },
    list: { orderby: ['name', 'id'], defaultOrderby: 'name', defaultOrder: 'asc' },
    permissions: {
      rules: {
        read: { any: [self, 'list_users'] },
        create: 'create_users',
        edit: { any: [self, 'edit_users'] },
        delete: 'delete_users',
      },
    },
  };
}
