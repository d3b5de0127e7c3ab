// Initial status of a comment: approved, held for moderation, or trash.
import { pipelines, render as renderedText } from '../../values/pipelines.js';
import type { Operation, Draft } from '../../model/operation.js';
import { and, equals, type Row } from '../../model/query.js';
import { runText } from '../../model/runtime/texts.js';
import { stripTags } from '../../text/plain.js';
import type { Parts } from './parts.js';
import { moderates } from './rejections.js';
import type { FieldModel } from '../../model/field.js';

/** Status of a new comment whose columns are all known. */
export async function firstState(parts: Parts, { row }: Draft, op: Operation): Promise<string> {
  if (await isRespected(parts, row, op)) return 'approved';
  const { settings } = op.site;
  const text = String(row[parts.column.content]);
  if (mentions(settings.disallowedWords, parts, row, runText(op, stripTags, text)))
    return settings.trash ? 'trash' : 'spam';
  return (await passes(parts, row, op)) ? 'approved' : 'hold';
}

/** Comments by the owner of the target and by moderators are approved. */
async function isRespected(parts: Parts, row: Row, op: Operation): Promise<boolean> {
  const author = row[parts.column.author] as number;
  if (!author) return false;
  const owner = op.state.target?.[parts.target.columnOf(parts.owner) ?? ''];
  if (author === owner) return true;
  return author === op.actor.id ? moderates(parts, op) : accountModerates(parts, author, op);
}

/** Whether another account is a moderator, by the field with its capabilities. */
async function accountModerates({ authors, granted, moderators }: Parts, id: number, op: Operation): Promise<boolean> {
  if (!granted?.toView) return false;
  const row = await op.store.first(authors.table!.name, [...new Set(['id', ...granted.reads])], equals('id', id));
  if (!row) return false;
  for (const name of granted.relations ?? []) row[`#${name}`] = await valuesOf(authors.fields.get(name), id, op);
  const view = granted.toView(row, { op, context: 'edit', site: op.site }) as Record<string, unknown>;
  return view[moderators] === true;
}

async function valuesOf(field: FieldModel | undefined, id: number, op: Operation): Promise<unknown[]> {
  if (!field?.many) return [];
  const { table, value } = field.many;
  const pairs = await op.store.select({ table, columns: [value], where: equals('owner_id', id), order: [] });
  return pairs.map((pair) => pair[value]);
}

async function passes(parts: Parts, row: Row, op: Operation): Promise<boolean> {
  const { commentModeration, commentMaxLinks, moderationWords, commentPreviouslyApproved } = op.site.settings;
  if (commentModeration) return false;
  if (commentMaxLinks > 0 && linksIn(renderText(parts, row, op)) >= commentMaxLinks) return false;
  if (mentions(moderationWords, parts, row)) return false;
  return !commentPreviouslyApproved || wasApproved(parts, row, op);
}

function renderText({ model, field, column }: Parts, row: Row, op: Operation): string {
  const pipeline = pipelines.get(model.fields.get(field.content)!.schema.pipeline ?? '');
  const raw = String(row[column.content]);
  return pipeline ? renderedText(pipeline, raw, '', op) : raw;
}

/** Number of links, counted in one pass, since the text is untrusted. */
function linksIn(html: string): number {
  const tags = html.split('<').slice(1);
  return tags.filter((tag) => /^a\s/i.test(tag) && /\shref/i.test(tag.split('>', 1)[0]!)).length;
}

function mentions(words: readonly string[], { column }: Parts, row: Row, ...more: string[]): boolean {
  const parts = [column.name, column.email, column.url, column.content, column.address, column.agent];
  const texts = [...parts.map((name) => String(row[name] ?? '')), ...more].map((text) => text.toLowerCase());
  return words.some((word) => word.trim() !== '' && texts.some((text) => text.includes(word.trim().toLowerCase())));
}

/** Whether a comment by the writer was approved before: by the account, or without one under the same name and e-mail address. */
async function wasApproved({ model, table, column }: Parts, row: Row, op: Operation): Promise<boolean> {
  if (!row[column.name] || !row[column.email]) return false;
  const writer = row[column.author]
    ? [equals(column.author, row[column.author])]
    : [equals(column.email, row[column.email]), equals(column.name, row[column.name])];
  return Boolean(
    await op.store.first(table, ['id'], and(...writer, equals(column.status, 'approved'), model.rowScope)),
  );
}
