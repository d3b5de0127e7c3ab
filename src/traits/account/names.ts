// Logins, e-mail addresses and other names of an account: validation, length, uniqueness.
import { ResourceError } from '../../errors/resource-error.js';
import { compileRule } from '../../values/compile-rule.js';
import { constrained, constraint } from '../../values/rule.js';
import { accountKey } from '../../model/account-key.js';
import type { Draft, FieldModel, ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, not, type Row } from '../../model/query.js';
import type { Rule } from '../../model/value.js';
import { slugify } from '../../text/slug.js';
import type { AccountOptions } from './account.trait.js';

/** Words of ASCII letters, digits and a few punctuation characters, separated by single spaces. */
const LOGIN = /^[a-z\d_.@-]+(?: [a-z\d_.@-]+)*$/i;
/** Columns under which login and e-mail address are unique. */
export const KEYS = { username: 'login_key', email: 'email_key' } as const;
/** Slugs are truncated before they are stored; this length reveals how long they would have been. */
const MAX_SLUG_SOURCE_LENGTH = 1000;

/** Accepts values of any length and choice in the field's rule; a later check rejects them with a specific code. */
export function withoutLengthLimit(field: FieldModel | undefined): void {
  if (!field) return;
  const { maxLength: _length, enum: _choice, ...rest } = field.arg;
  field.rule = compileRule(rest);
}

/** A rule for logins on top of the plain string rule. */
export function loginRule(text: Rule, reserved: readonly string[]): Rule {
  const taken = new Set(reserved.map(accountKey));
  const reason = (login: string): string | undefined => {
    if (!LOGIN.test(login)) return 'may have letters without accents, digits, single spaces and _ . - @ only.';
    return taken.has(accountKey(login)) ? 'is reserved; choose another.' : undefined;
  };
  return constrained(text, [constraint('rest_user_invalid_username', reason, () => ({ status: 400 }))]);
}

function lengthOf(field: FieldModel | undefined): number | undefined {
  return field?.schema.length ?? field?.schema.maxLength;
}

/** Rejects values longer than their field's length. */
export function assertLength(model: ResourceModel, { tooLong }: AccountOptions, draft: Draft): void {
  for (const [name, code] of Object.entries(tooLong)) {
    const field = model.fields.get(name);
    const value = draft.values[name];
    const most = lengthOf(field);
    if (typeof value !== 'string' || most === undefined) continue;
    const stored = field?.type === 'slug' ? slugify(value, MAX_SLUG_SOURCE_LENGTH) : value;
    const wording = `${name} is too long. Use at most ${most} characters.`;
    if ([...stored].length > most) throw new ResourceError(code, { status: 400, wording });
  }
}

/** Rejects a login or e-mail address that another account has; a login is immutable. */
export async function assertNotTaken(
  model: ResourceModel,
  options: AccountOptions,
  draft: Draft,
  op: Operation,
  current?: Row,
): Promise<void> {
  const { username, email } = options;
  const login = draft.values[username];
  if (current) {
    if (await isTaken(model, KEYS.email, draft.values[email], op, current))
      throw new ResourceError('rest_user_invalid_email');
    const stored = current[model.fields.get(username)!.column!];
    if (login !== undefined && login !== stored) throw new ResourceError('rest_user_invalid_argument');
    return;
  }
  if (await isTaken(model, KEYS.username, login, op)) throw new ResourceError('existing_user_login');
  if (await isTaken(model, KEYS.email, draft.values[email], op)) throw new ResourceError('existing_user_email');
}

async function isTaken(
  model: ResourceModel,
  column: string,
  value: unknown,
  op: Operation,
  current?: Row,
): Promise<boolean> {
  if (typeof value !== 'string' || value === '') return false;
  const others = current ? [not(equals('id', current['id']))] : [];
  return (
    (await op.store.first(
      model.table!.name,
      ['id'],
      and(model.rowScope, equals(column, accountKey(value)), ...others),
    )) !== undefined
  );
}

/** Stores the keys under which login and address are unique; accounts without one do not conflict. */
export function writeKeys(model: ResourceModel, { username, email }: AccountOptions, draft: Draft): void {
  for (const [name, key] of [
    [username, KEYS.username],
    [email, KEYS.email],
  ] as const) {
    const text = draft.row[model.fields.get(name)?.column ?? name];
    if (text !== undefined) draft.row[key] = accountKey(String(text)) || null;
  }
}
