// Maps an account of an export to a user.
import type { ResourceModel } from '../../model/model.js';
import { fitted } from './fit-values.js';
import type { Change } from './import-unit.js';
import type { WxrAuthor } from '../wxr-file/wxr-events.js';

/**
 * A domain that cannot receive mail (RFC 2606), because every account needs a unique address and old exports have
 * none.
 */
const UNDELIVERABLE_DOMAIN = 'import.invalid';

/** Values of a user. `created` adds what only a new one gets: a role and an unknown password. */
export function userChange(
  model: ResourceModel,
  author: WxrAuthor,
  login: string,
  created?: { role: string; passwordHash: string },
): Change {
  const first = author.firstName.trim();
  const last = author.lastName.trim();
  const email = author.email.trim();
  const values = {
    name: author.displayName.trim() || [first, last].filter(Boolean).join(' ') || login,
    first_name: first,
    last_name: last,
    ...(email || created ? { email: email || `${login.replace(/[^\w.-]/g, '-')}@${UNDELIVERABLE_DOMAIN}` } : {}),
    ...(created ? { username: login, nickname: login, roles: [created.role] } : {}),
  };
  const column = model.fields.get('password')?.column ?? 'password';
  return fitted(model, values, created ? { [column]: created.passwordHash } : {}, ['first_name', 'last_name']);
}
