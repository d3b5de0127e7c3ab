// Accounts of a site whose schema files declare none: without accounts no one could sign in and write.
import type { ResourceSchema } from '../../model/schema/schema.js';

/** Accounts: users may read and edit their own, others need the capabilities for users. */
export function standInAccounts(name: string): ResourceSchema {
  const self = { is: { id: '$me' } };
  return {
    name,
    path: `${name}s`,
    labels: { singular: 'Account', plural: 'Accounts' },
    description: 'People who sign in.',
    selfAlias: 'me',
    fields: {
      username: { type: 'string', required: true, columnLength: 60, contexts: ['edit'], description: 'Username.' },
      name: { type: 'string', sanitize: 'plain', columnLength: 250, description: 'Name that others see.' },
      email: {
        type: 'string',
        format: 'email',
        required: true,
        columnLength: 100,
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
