// Maps an account of an export to a user.
import { createHash } from 'node:crypto';
import type { ResourceModel } from '../../model/model.js';
import { fitted } from './fit-values.js';
import type { Change } from './import-unit.js';
import type { WxrAuthor } from '../wxr-file/wxr-events.js';

/**
 * A domain that cannot receive mail (RFC 2606), because every account needs a unique e-mail address and old exports have
 * none.
 */
const UNDELIVERABLE_DOMAIN = 'import.invalid';

/** Values that are left out where they do not fit: the items of an account need it, even without these details. */
const OPTIONAL = ['name', 'email', 'first_name', 'last_name'];

/** Longest part of an e-mail address before its domain (RFC 5321). */
const MAX_NAME = 64;

/** Values of a user. `created` adds what only a new one gets: a role and an unknown password. */
export function userChange(
  model: ResourceModel,
  author: WxrAuthor,
  username: string,
  created?: { role: string; passwordHash: string },
): Change {
  const first = author.firstName.trim();
  const last = author.lastName.trim();
  const email = author.email.trim();
  const values = {
    name: author.displayName.trim() || [first, last].filter(Boolean).join(' ') || username,
    first_name: first,
    last_name: last,
    ...(email || created ? { email: email || undeliverable(username) } : {}),
    ...(created ? { username, nickname: username, roles: [created.role] } : {}),
  };
  const column = model.fields.get('password')?.column ?? 'password';
  const change = fitted(model, values, created ? { [column]: created.passwordHash } : {}, OPTIONAL);
  if (created && model.fields.has('email')) change.values['email'] ??= undeliverable(username);
  return change;
}

/** A different local part for every username: characters that it must not contain are written as their code. */
function undeliverable(username: string): string {
  const name = username.replace(/[^\w.-]|^\.|\.(?=\.|$)/g, (found) => `=${found.charCodeAt(0).toString(16)}`);
  const short = name.length <= MAX_NAME ? name : createHash('sha256').update(username).digest('hex').slice(0, 32);
  return `${short}@${UNDELIVERABLE_DOMAIN}`;
}
