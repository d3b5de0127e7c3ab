// Validates the body of a comment: text, lengths, type, and a parent that belongs to the same item.
import { ResourceError } from '../../errors/resource-error.js';
import type { Operation, Draft } from '../../model/operation.js';
import { and, equals, type Row } from '../../model/query.js';
import type { Parts } from './parts.js';

/** Maximum lengths in bytes, and the error codes beyond them. */
const LIMITS = [
  { part: 'name', most: 245, error: 'comment_author_column_length' },
  { part: 'email', most: 100, error: 'comment_author_email_column_length' },
  { part: 'url', most: 200, error: 'comment_author_url_column_length' },
  { part: 'content', most: 65_525, error: 'comment_content_column_length' },
] as const;

/** Rejects an id sent by the client, and any type but the one that clients may write. */
export function assertNewOfKind({ model, field, kind }: Parts, op: Operation): void {
  if (op.raw['id']) throw new ResourceError(model.errors.exists, { status: 400, like: 'rest_comment_exists' });
  const given = op.raw[field.kind];
  if (given && given !== kind) throw new ResourceError('rest_invalid_comment_type');
}

/** Rejects a type other than the stored one. */
export function assertSameKind({ field, column }: Parts, op: Operation, current: Row): void {
  const given = op.raw[field.kind] ?? undefined;
  if (given !== undefined && given !== current[column.kind]) throw new ResourceError('rest_comment_invalid_type');
}

/** Rejects an empty text. */
export function assertNotEmpty({ column }: Parts, draft: Draft): void {
  if (draft.row[column.content] === '') throw new ResourceError('rest_comment_content_invalid');
}

/** Rejects values that are too long. */
export function assertFieldLengths({ column }: Parts, draft: Draft): void {
  for (const { part, most, error } of LIMITS) {
    if (Buffer.byteLength(String(draft.row[column[part]] ?? '')) > most) throw new ResourceError(error);
  }
}

/** Rejects a reply to a comment that does not exist or belongs to another item. */
export async function assertSameParent(
  { model, table, column }: Parts,
  draft: Draft,
  op: Operation,
  current?: Row,
): Promise<void> {
  const row = { ...current, ...draft.row };
  const parent = row[column.parent] as number;
  const same = current && parent === current[column.parent] && row[column.on] === current[column.on];
  if (!parent || same) return;
  const found = parent > 0 && (await op.store.first(table, [column.on], and(equals('id', parent), model.rowScope)));
  if (!found || found[column.on] !== row[column.on]) throw new ResourceError('rest_comment_invalid_parent');
}

/** Rejects moving a comment to an item that does not exist or is not visible. */
export async function assertSameTarget(
  { target, field, column }: Parts,
  draft: Draft,
  op: Operation,
  current: Row,
): Promise<void> {
  const requested = draft.values[field.on] as number | undefined;
  if (requested === undefined || requested === current[column.on]) return;
  const row = await target.load(requested, [], op, { visible: target.visible(op.actor) });
  if (!row) throw new ResourceError('rest_comment_invalid_post_id');
  if (!row['visible']) throw new ResourceError('rest_cannot_read_post');
}
