// Usernames, e-mail addresses and other names of an account: validation, length, uniqueness.
import { ResourceError } from '../../errors/resource-error.js';
import { compileRule } from '../../values/compile-value-rule.js';
import { withConstraints, constraint } from '../../values/rule.js';
import { accountKey } from '../../model/functions/account-key.js';
import { portionsOf } from '../../model/functions/update-in-portions.js';
import type { AuditFinding } from '../../model/hooks.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation, Draft } from '../../model/operation.js';
import { and, equals, not, type Row } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import type { Rule } from '../../model/value.js';
import { slugify } from '../../text/slug.js';
import type { FieldModel } from '../../model/field.js';
import type { AccountOptions } from './options.js';

/** Words of ASCII letters, digits and a few punctuation characters, separated by single spaces. */
const USERNAME = /^[a-z\d_.@-]+(?: [a-z\d_.@-]+)*$/i;
/** Columns under which username and e-mail address are unique. */
export const KEYS = { username: 'login_key', email: 'email_key' } as const;
/** Slugs are truncated before they are stored; this length reveals how long they would have been. */
const MAX_SLUG_SOURCE_LENGTH = 1000;

/** Accepts values of any length and choice in the field's rule; a later check rejects them with a specific code. */
export function withoutLengthLimit(field: FieldModel | undefined): void {
  if (!field) return;
  const { maxLength: _length, enum: _choice, ...rest } = field.arg;
  field.rule = compileRule(rest);
}

/** A rule for usernames on top of the plain string rule. */
export function usernameRule(text: Rule, reserved: readonly string[]): Rule {
  const taken = new Set(reserved.map(accountKey));
  const reason = (username: string): string | undefined => {
    if (!USERNAME.test(username)) return 'may have letters without accents, digits, single spaces and _ . - @ only.';
    return taken.has(accountKey(username)) ? 'is reserved; choose another.' : undefined;
  };
  return withConstraints(text, [constraint('rest_user_invalid_username', reason, () => ({ status: 400 }))]);
}

/** The same for a field whose length {@link assertLength} checks; that length is described. */
export function withOwnLengthLimit(field: FieldModel | undefined): void {
  withoutLengthLimit(field);
  const maxLength = lengthOf(field);
  // A slug is measured as it is stored, which may be shorter than what is sent.
  if (field && maxLength !== undefined && field.type !== 'slug') field.limits = () => ({ maxLength });
}

function lengthOf(field: FieldModel | undefined): number | undefined {
  return field?.schema.columnLength ?? field?.schema.maxLength;
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

/** Rejects a username or e-mail address that another account has; a username is immutable. */
export async function assertNotTaken(
  model: ResourceModel,
  options: AccountOptions,
  draft: Draft,
  op: Operation,
  current?: Row,
): Promise<void> {
  const { username, email } = options;
  const sent = draft.values[username];
  if (current) {
    if (await isTaken(model, KEYS.email, draft.values[email], op, current))
      throw new ResourceError('rest_user_invalid_email');
    const stored = current[model.fields.get(username)!.column!];
    if (sent !== undefined && sent !== stored) throw new ResourceError('rest_user_invalid_argument');
    return;
  }
  if (await isTaken(model, KEYS.username, sent, op)) throw new ResourceError('existing_user_login');
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

/** Stores the keys under which username and e-mail address are unique; accounts without one do not conflict. */
export function writeKeys(model: ResourceModel, { username, email }: AccountOptions, draft: Draft): void {
  for (const [name, key] of [
    [username, KEYS.username],
    [email, KEYS.email],
  ] as const) {
    const text = draft.row[model.fields.get(name)?.column ?? name];
    if (text !== undefined) draft.row[key] = accountKey(String(text ?? '')) || null;
  }
}

/** The keys of a stored account. */
export function keysOf(model: ResourceModel, options: Pick<AccountOptions, 'username' | 'email'>, row: Row): Row {
  return Object.fromEntries(
    (['username', 'email'] as const).map((part) => {
      const text = row[model.fields.get(options[part])?.column ?? options[part]];
      return [KEYS[part], accountKey(String(text ?? '')) || null];
    }),
  );
}

const PAGE = 500;
const MAX_IDS = 10;
/** Maximum number of findings. */
const MAX_FINDINGS = 1_000;

/** Accounts whose keys are not those of their username and e-mail address. */
export async function wrongKeys(
  model: ResourceModel,
  options: Pick<AccountOptions, 'username' | 'email'>,
  reader: Reader,
): Promise<AuditFinding[]> {
  const table = model.table!.name;
  const names = [options.username, options.email].map((name) => model.fields.get(name)?.column ?? name);
  const columns = ['id', ...new Set([...names, ...Object.values(KEYS)])];
  const changesOf = (row: Row): Row =>
    Object.fromEntries(Object.entries(keysOf(model, options, row)).filter(([key, value]) => row[key] !== value));
  const findings: AuditFinding[] = [];
  for await (const rows of portionsOf(reader, { table, columns, where: model.rowScope }, PAGE)) {
    for (const row of rows) {
      const changed = Object.keys(changesOf(row));
      if (changed.length === 0) continue;
      const own = equals('id', row['id']);
      findings.push({
        message: `${model.name} ${row['id']}: ${changed.join(', ')} do not match the fields that they are computed from`,
        fix: async (tx) => {
          const now = await tx.first(table, columns, own);
          if (now) await tx.update(table, changesOf(now), own);
        },
      });
      if (findings.length === MAX_FINDINGS) return findings;
    }
  }
  return findings;
}

/** Why stored items cannot become accounts: some have the username or the e-mail address of another one. */
export async function sharedNames(
  model: ResourceModel,
  options: Pick<AccountOptions, 'username' | 'email'>,
  reader: Reader,
): Promise<{ message: string; hint: string } | undefined> {
  const names = [options.username, options.email].map((name) => model.fields.get(name)?.column ?? name);
  const seen = new Set<string>();
  const shared: number[] = [];
  for (let last = 0; ;) {
    const where = and(model.rowScope, { op: 'gt', column: 'id', value: last });
    const order = [{ column: 'id', direction: 'asc' as const }];
    const query = { table: model.table!.name, columns: ['id', ...names], where, order, limit: PAGE };
    const rows = await reader.select(query);
    for (const row of rows) {
      for (const [column, key] of Object.entries(keysOf(model, options, row))) {
        if (key === null) continue;
        if (seen.has(`${column} ${key}`)) shared.push(row['id'] as number);
        seen.add(`${column} ${key}`);
      }
    }
    if (rows.length < PAGE) break;
    last = rows.at(-1)!['id'] as number;
  }
  if (shared.length === 0) return undefined;
  const ids = [...new Set(shared)].slice(0, MAX_IDS).join(', ');
  const message = `items have the username or the e-mail address of another one: ids ${ids}`;
  return { message, hint: 'Change these first: no two accounts may share either.' };
}
