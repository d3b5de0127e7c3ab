// Author of a comment and where it was sent from.
import { ResourceError } from '../../errors/resource-error.js';
import type { Operation, Draft } from '../../model/operation.js';
import { equals, type Row } from '../../model/query.js';
import { plainText } from '../../text/plain.js';
import type { Parts } from './parts.js';

/** Maximum length of a stored `User-Agent`, in characters. */
const MAX_AGENT_CHARACTERS = 254;

/** Sets the author of a new comment: the account sent, else the caller's own, unless a name or an e-mail address was sent. */
export async function setAuthor(parts: Parts, draft: Draft, op: Operation): Promise<void> {
  const { field, column, copied } = parts;
  const account = draft.values[field.author] as number | undefined;
  const anonymous = copied.every((part) => (draft.row[part.column] ?? '') === '');
  // author=0 is allowed for anonymous callers.
  if (account !== undefined && (account !== 0 || op.actor.id > 0)) await copyAccount(parts, account, draft, op);
  else if (op.actor.id > 0 && anonymous) await copyAccount(parts, op.actor.id, draft, op);
  if (!draft.row[column.address]) draft.row[column.address] = op.actor.address || '127.0.0.1';
  if (draft.values[field.agent] === undefined)
    draft.row[column.agent] = plainText(op.actor.agent).slice(0, MAX_AGENT_CHARACTERS);
}

/** Assigns a comment to another account. */
export async function changeAuthor(parts: Parts, draft: Draft, op: Operation, current: Row): Promise<void> {
  const account = draft.values[parts.field.author] as number | undefined;
  if (account !== undefined && account !== current[parts.column.author]) await copyAccount(parts, account, draft, op);
}

/** Rejects a new comment without name or e-mail address, where the site requires them. */
export function requireAuthor({ column }: Parts, draft: Draft, op: Operation): void {
  if (!op.site.settings.requireNameEmail) return;
  if (!draft.row[column.name] || !draft.row[column.email]) throw new ResourceError('rest_comment_author_data_required');
}

/** Fills values that were not sent from an account. */
async function copyAccount({ authors, column, copied }: Parts, id: number, draft: Draft, op: Operation): Promise<void> {
  const columns = ['id', ...copied.map((part) => part.from)];
  const account = id > 0 ? await op.store.first(authors.table!.name, columns, equals('id', id)) : undefined;
  if (!account) throw new ResourceError('rest_comment_author_invalid');
  draft.row[column.author] = id;
  for (const part of copied) {
    if (draft.values[part.field] === undefined) draft.row[part.column] = account[part.from] ?? '';
  }
}
