// Step of the WXR import: the accounts.
import { randomBytes } from 'node:crypto';
import { accountKey } from '../../model/functions/account-key.js';
import type { ResourceModel } from '../../model/model.js';
import { equals } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import { resolveId, type ImportSession } from './import-session.js';
import { contentHash } from './import-table.js';
import type { Change, ImportItem } from './import-unit.js';
import { userChange } from './map-user.js';
import type { ImportWriter } from './unit-writer.js';
import type { WxrAuthor } from '../wxr-file/wxr-events.js';
import { wholeNumber } from '../wxr-file/wxr-text.js';

/** Imports all authors; an existing account with the same username or e-mail address is used unchanged. */
export async function importUsers(session: ImportSession, units: ImportWriter): Promise<void> {
  const model = session.stored('user');
  if (!model) return;
  const { settings, hasRole } = session.writer.site;
  const role = hasRole('author') ? 'author' : settings.defaultRole;
  // A random password that is not stored: the accounts need a new one. Hashed here, because that is too slow inside a
  // transaction.
  const passwordHash = session.dryRun
    ? ''
    : await session.writer.site.hashPassword(randomBytes(32).toString('base64url'));
  for (const [username, author] of session.inventory.authors)
    await units.add(userUnit(session, model, username, author, { role, passwordHash }));
  await units.flush();
}

function userUnit(
  session: ImportSession,
  model: ResourceModel,
  username: string,
  author: WxrAuthor,
  created: { role: string; passwordHash: string },
): ImportItem {
  const email = author.email.trim().toLowerCase();
  return {
    model,
    key: username,
    line: author.line,
    label: username,
    hash: contentHash(author),
    wantedId: wholeNumber(author.id),
    highestId: session.inventory.highest.author,
    bare: session.inventory.unlistedAuthors.has(username),
    weight: 1000,
    same: (reader) => sameUser(model, username, author.email.trim(), reader),
    change: (reader, existing) => changeUser(model, author, username, reader, existing ? undefined : created),
    settle(id) {
      resolveId(session.users, username, id);
      if (author.id.trim()) resolveId(session.usersBySource, `id:${wholeNumber(author.id)}`, id);
      if (email) resolveId(session.usersBySource, `email:${email}`, id);
    },
  };
}

async function changeUser(
  model: ResourceModel,
  author: WxrAuthor,
  username: string,
  reader: Reader,
  created?: { role: string; passwordHash: string },
): Promise<Change> {
  const change = userChange(model, author, username, created);
  const holder = created ? undefined : await userBy(model, 'email', author.email.trim(), reader);
  if (holder !== undefined && holder !== (await userBy(model, 'username', username, reader))) {
    delete change.values['email'];
    change.notes.push('user: email, another account has it');
  }
  return change;
}

/** Finds an existing account with the username or the e-mail address. */
async function sameUser(
  model: ResourceModel,
  username: string,
  email: string,
  reader: Reader,
): Promise<number | undefined> {
  return (await userBy(model, 'username', username, reader)) ?? (await userBy(model, 'email', email, reader));
}

async function userBy(
  model: ResourceModel,
  name: 'username' | 'email',
  text: string,
  reader: Reader,
): Promise<number | undefined> {
  if (text === '') return undefined;
  const key = model.faces.accounts?.keys[name];
  const where = key ? equals(key, accountKey(text)) : equals(model.fields.get(name)?.column ?? name, text);
  const row = await reader.first(model.table!.name, ['id'], where);
  return row && Number(row['id']);
}
