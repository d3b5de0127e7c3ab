// Logins, e-mail addresses and other names of an account: what is allowed, how long, and who has it already (decisions 15.12-15.19).
import { ResourceError } from '../errors/resource-error.js';
import { compileRule } from '../fields/value-rule.js';
import { accountKey } from '../model/account-key.js';
import type { Draft, FieldModel, ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { and, equals, not, type Row } from '../model/query.js';
import type { Rule } from '../model/value.js';
import { slugify } from '../text/slug.js';
import type { AccountOptions } from './account.trait.js';

/** Words of ASCII letters, digits and a few signs, one space between them. */
const LOGIN = /^[a-z\d_.@-]+(?: [a-z\d_.@-]+)*$/i;
/** Slugs are cut to their length before they are stored; this one shows how long they would have been. */
const ANY_LENGTH = 1000;

/** Lets values of any length and choice through the field's rule; a check of our own comes later, with a code of its own. */
export function unlimited(field: FieldModel | undefined): void {
  if (!field) return;
  const { maxLength: _length, enum: _choice, ...rest } = field.arg;
  field.rule = compileRule(rest);
}

/** A rule for logins on top of the plain string rule. */
export function loginRule(text: Rule, reserved: readonly string[]): Rule {
  const taken = new Set(reserved.map(accountKey));
  return (value, param) => {
    const checked = text(value, param);
    if ('issue' in checked) return checked;
    const login = checked.value as string;
    const reason = !LOGIN.test(login)
      ? 'may have letters without accents, digits, single spaces and _ . - @ only.'
      : taken.has(accountKey(login))
        ? 'is reserved; choose another.'
        : undefined;
    if (reason === undefined) return checked;
    return {
      issue: { code: 'rest_user_invalid_username', param, message: `${param} ${reason}`, data: { status: 400 } },
    };
  };
}

function lengthOf(field: FieldModel | undefined): number | undefined {
  return field?.schema.length ?? field?.schema.maxLength;
}

/** Refuses values longer than the length of their field. */
export function refuseTooLong(model: ResourceModel, { tooLong }: AccountOptions, draft: Draft): void {
  for (const [name, code] of Object.entries(tooLong)) {
    const field = model.fields.get(name);
    const value = draft.values[name];
    const most = lengthOf(field);
    if (typeof value !== 'string' || most === undefined) continue;
    const stored = field?.type === 'slug' ? slugify(value, ANY_LENGTH) : value;
    const wording = `${name} is too long. Use at most ${most} characters.`;
    if ([...stored].length > most) throw new ResourceError(code, { status: 400, wording });
  }
}

/** Refuses a login or an address that another account has; a login never changes. */
export async function refuseTaken(
  model: ResourceModel,
  options: AccountOptions,
  draft: Draft,
  op: Operation,
  current?: Row,
): Promise<void> {
  const { username, email } = options;
  const login = draft.values[username];
  if (current) {
    if (await isTaken(model, 'email_key', draft.values[email], op, current))
      throw new ResourceError('rest_user_invalid_email');
    const stored = current[model.fields.get(username)!.column!];
    if (login !== undefined && login !== stored) throw new ResourceError('rest_user_invalid_argument');
    return;
  }
  if (await isTaken(model, 'login_key', login, op)) throw new ResourceError('existing_user_login');
  if (await isTaken(model, 'email_key', draft.values[email], op)) throw new ResourceError('existing_user_email');
}

async function isTaken(
  model: ResourceModel,
  column: string,
  value: unknown,
  op: Operation,
  current?: Row,
): Promise<boolean> {
  if (typeof value !== 'string' || value === '') return false;
  const kinds = Object.entries(model.discriminator).map(([name, constant]) => equals(name, constant));
  const others = current ? [not(equals('id', current['id']))] : [];
  return (
    (await op.store.first(model.table!.name, ['id'], and(...kinds, equals(column, accountKey(value)), ...others))) !==
    undefined
  );
}

/** Keeps the keys under which login and address are unique; accounts without one do not collide. */
export function writeKeys(model: ResourceModel, { username, email }: AccountOptions, draft: Draft): void {
  for (const [name, key] of [
    [username, 'login_key'],
    [email, 'email_key'],
  ] as const) {
    const text = draft.row[model.fields.get(name)?.column ?? name];
    if (text !== undefined) draft.row[key] = accountKey(String(text)) || null;
  }
}
