// User accounts: unique username and e-mail address, roles, the time of the last password change.
import type { Refusal } from '../../model/permissions.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import { checkAccount } from './check.js';
import { holdAll, requireOtherHolder, scopeToRoles } from './capability-holders.js';
import {
  KEYS,
  keysOf,
  usernameRule,
  assertNotTaken,
  assertLength,
  sharedNames,
  withOwnLengthLimit,
  writeKeys,
  wrongKeys,
} from './names.js';
import { authorizeRoles, checkRoles, grantDefaultRole, withinScope } from './roles.js';
import { standInAccounts } from './stand-in.js';
import { utcNow } from '../../values/date-time.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { Trait } from '../../model/trait.js';
import { type AccountOptions, ACCOUNT_DEFAULTS } from './options.js';
import { showSiteLocale, checkLocale } from './locale.js';
import { fillEmpty } from './fallbacks.js';

/** Columns that the trait adds, besides the one of `extra`. */
const KEY: FieldSchema = { type: 'string', hidden: true, nullable: true, unique: true, columnLength: 191 };
const TEXTS = { type: 'array', items: { type: 'string' } };

export const accountTrait: Trait<Partial<AccountOptions>> = {
  name: 'account',
  description:
    'Items are people who sign in. Keeps usernames and e-mail addresses unique, checks roles, remembers when the password changed.',
  // The last administrator may be moved to the trash, since an account in the trash can still sign in.
  after: ['trashable'],
  options: {
    username: { type: 'string', description: 'Field with the username (default: username).' },
    email: { type: 'string', description: 'Field with the e-mail address (default email).' },
    password: { type: 'string', description: 'Field with the password (default password).' },
    roles: { type: 'string', description: 'Field of type strings with the roles (default roles).' },
    extra: {
      type: 'string',
      description: 'Hidden field with capabilities given to one account alone (default extra).',
    },
    registered: { type: 'string', description: 'Read-only datetime field that is set when the account is made.' },
    locale: {
      type: 'string',
      description: 'Field with the language; shown as the language of the site while it is empty.',
    },
    reserved: { ...TEXTS, description: 'Usernames that cannot be used.' },
    tooLong: {
      type: 'object',
      description: 'Field to the error code of a value longer than its maxLength.',
      additionalProperties: { type: 'string', format: 'code' },
    },
    fallbacks: {
      type: 'object',
      description:
        'Field to groups of fields; the first group that holds something, joined by spaces, takes the place of an empty value.',
      additionalProperties: { type: 'array', items: TEXTS },
    },
    promote: {
      type: 'string',
      format: 'capability',
      description: 'Capability to change roles; its last holder cannot lose it (default promote_users).',
    },
    keep: {
      type: 'string',
      format: 'capability',
      description: 'Capability that accounts cannot remove from themselves (default edit_users).',
    },
    authors: {
      type: 'object',
      description:
        'List parameter for accounts with a role that has the capability `can`, even those that the caller could not list otherwise.',
      properties: {
        param: { type: 'string', required: true },
        can: { type: 'string', format: 'capability', required: true },
      },
      additionalProperties: false,
    },
  },
  accounts: { standIn: standInAccounts },
  check: (check, written) => checkAccount(check, { ...ACCOUNT_DEFAULTS, ...written }),
  params: ({ authors }) => (authors ? [authors.param] : []),
  extend(schema, written) {
    const { extra } = { ...ACCOUNT_DEFAULTS, ...written };
    schema.fields[extra] = { type: 'object', hidden: true, additionalProperties: true, ...schema.fields[extra] };
    schema.fields['password_changed'] = { type: 'integer', hidden: true };
    for (const key of Object.values(KEYS)) schema.fields[key] = { ...KEY };
  },
  faces(model, written) {
    const options = { ...ACCOUNT_DEFAULTS, ...written };
    const { username, email, password, roles, extra, promote } = options;
    const fields = { username, email, password, roles, extra };
    return {
      accounts: { fields, keys: KEYS, promote, holdAll: (...args) => holdAll(model, options, ...args) },
    };
  },
  link(model, written) {
    const options = { ...ACCOUNT_DEFAULTS, ...written };
    for (const name of Object.keys(options.tooLong)) withOwnLengthLimit(model.fields.get(name));
    const username = model.fields.get(options.username);
    if (username) username.rule = usernameRule(username.rule, options.reserved);
    if (options.locale) showSiteLocale(model, options.locale);
  },
  adopt(model, written) {
    const options = { ...ACCOUNT_DEFAULTS, ...written };
    const registered = options.registered && model.fields.get(options.registered)?.column;
    return {
      obstacle: (reader) => sharedNames(model, options, reader),
      row(row, { now }) {
        const set: Row = { ...keysOf(model, options, row) };
        fillEmpty(model, options.fallbacks, set, row);
        return registered && !row[registered] ? { ...set, [registered]: now } : set;
      },
    };
  },
  audit: (model, written) => (reader) => wrongKeys(model, { ...ACCOUNT_DEFAULTS, ...written }, reader),
  authorizes: ['create', 'update'],
  sideBySide: true,
  codes(_model, written) {
    const { tooLong } = { ...ACCOUNT_DEFAULTS, ...written };
    const both: Refusal[] = [
      ...Object.values(tooLong).map((code) => ({ code, status: 400 })),
      ...[400, 403].map((status) => ({ code: 'rest_user_invalid_role', status })),
    ];
    return {
      create: ['existing_user_login', 'existing_user_email', 'rest_user_invalid_username', ...both],
      update: ['rest_user_invalid_argument', 'rest_user_invalid_email', 'rest_cannot_edit_roles', ...both],
      delete: ['rest_user_cannot_delete'],
    };
  },
  hooks(model, written) {
    const options = { ...ACCOUNT_DEFAULTS, ...written };
    return {
      async authorize(op) {
        if (op.kind !== 'create' && op.kind !== 'update') return;
        checkLocale(op, options.locale);
        if (op.kind === 'update') await authorizeRoles(model, options, op);
        withinScope(options, op);
      },
      scope(plan, op) {
        const { authors } = options;
        if (authors && op.params[authors.param] !== undefined) scopeToRoles(model, options, authors.can, plan, op);
      },
      async input(draft, op, current) {
        if (!op.trusted) {
          if (current) await assertNotTaken(model, options, draft, op, current);
          await checkRoles(model, options, draft, op, current);
          assertLength(model, options, draft);
          if (!current) await assertNotTaken(model, options, draft, op);
          if (!current) grantDefaultRole(options, draft, op);
        }
        writeKeys(model, options, draft);
        fillEmpty(model, options.fallbacks, draft.row, current);
        stamp(model, options, draft.row, draft.values, op, current);
      },
      remove: (row, op) => requireOtherHolder(model, options, row['id'], { code: 'rest_user_cannot_delete' }, op),
    };
  },
};

function stamp(
  model: ResourceModel,
  options: AccountOptions,
  row: Row,
  values: Record<string, unknown>,
  op: Operation,
  current?: Row,
): void {
  if (values[options.password] !== undefined) row['password_changed'] = Math.floor(op.site.now() / 1000);
  const registered = options.registered && model.fields.get(options.registered)?.column;
  if (registered && !current && !row[registered]) row[registered] = utcNow(op);
}
