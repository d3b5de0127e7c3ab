// Options of the trait account.

/** Names of the fields, and the capabilities that decide. */
export interface AccountOptions {
  username: string;
  email: string;
  password: string;
  roles: string;
  /** Object field of capabilities that the account has besides those of its roles; `false` revokes one. */
  extra: string;
  /** Date and time of registration. */
  registered?: string;
  /** Locale; returned as the site's when empty. */
  locale?: string;
  /** Reserved usernames. */
  reserved: string[];
  /** Error codes for values longer than the field's maxLength, by field. */
  tooLong: Record<string, string>;
  /** Fallbacks of empty fields: the first of these groups of fields in which one has a value. */
  fallbacks: Record<string, string[][]>;
  /** Capability to change roles; at least one account always keeps it. */
  promote: string;
  /** Capability that accounts cannot remove from themselves. */
  keep: string;
  /** List parameter that selects accounts with a role that has the capability `can`. */
  authors?: { param: string; can: string };
}

/** What the options are where they are left out. */
export const ACCOUNT_DEFAULTS: AccountOptions = {
  username: 'username',
  email: 'email',
  password: 'password',
  roles: 'roles',
  extra: 'extra',
  reserved: [],
  tooLong: {},
  fallbacks: {},
  promote: 'promote_users',
  keep: 'edit_users',
};
