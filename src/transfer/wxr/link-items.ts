// Third step of the WXR import: parents and featured images that appeared further down in the file.
import type { ContentBatch } from '../../engine/content-writer.js';
import type { ResourceError } from '../../errors/resource-error.js';
import { storedSlug } from './fit-values.js';
import { linkedIds, type ItemLinks } from './import-items.js';
import type { Imported } from './import-table.js';
import type { ImportSession } from './import-session.js';
import { referenceFields } from './map-item.js';
import { reasonOf, refusalOf } from './outcomes.js';

/** An item with incomplete references. */
export interface WaitingItem {
  id: number;
  hash: string;
  links: ItemLinks;
}

const MAX_ITEMS = 100;

/** Completes the references of all waiting items. */
export async function linkItems(session: ImportSession, waiting: readonly WaitingItem[]): Promise<void> {
  for (let at = 0; at < waiting.length; at += MAX_ITEMS) await linkSome(session, waiting.slice(at, at + MAX_ITEMS));
}

async function linkSome(session: ImportSession, items: readonly WaitingItem[]): Promise<void> {
  let notes: string[] = [];
  try {
    await session.writer.batch(async (batch) => {
      notes = [];
      for (const item of items) notes.push(...(await link(session, item, batch)));
    });
  } catch (error) {
    const refusal = refusalOf(error, items[0]!.links.model);
    if (!refusal) throw error;
    if (items.length > 1) for (const item of items) await linkSome(session, [item]);
    else await giveUp(session, items[0]!, refusal);
    return;
  }
  for (const note of notes) session.summary.note(note);
}

async function link(session: ImportSession, { id, hash, links }: WaitingItem, batch: ContentBatch): Promise<string[]> {
  const { model, key, slug } = links;
  const fields = referenceFields(model);
  const found = await linkedIds(session, links, batch.tx);
  const row = await batch.find(model.name, { id });
  const values: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const [kind, field] of Object.entries(fields) as ['parent' | 'featured', string][]) {
    const target = found[kind];
    if (target === 'later') notes.push(`${model.name}: ${field}, an item that was not imported`);
    else if (row && row[model.fields.get(field)!.column!] !== target) values[field] = target;
  }
  const slugColumn = model.fields.get('slug')?.column;
  const renamed = slug !== '' && slugColumn !== undefined && row?.[slugColumn] !== storedSlug(model, slug);
  if (Object.keys(values).length > 0 || renamed) {
    // An update would set the dates to the current time.
    const { columns: dates = [], floating } = model.faces.dates ?? {};
    // Below its own parent a page may use the slug that was taken at the top level.
    const columns = Object.fromEntries(
      [...dates, ...(floating ? [floating] : [])]
        .filter((name) => row?.[name] !== undefined)
        .map((name) => [name, row![name]]),
    );
    await batch.update(model.name, id, { ...values, ...(slug ? { slug } : {}) }, { columns });
  }
  await record(session, batch, { kind: model.name, key, hash, itemId: id });
  return notes;
}

async function giveUp(session: ImportSession, { id, hash, links }: WaitingItem, error: ResourceError): Promise<void> {
  session.summary.note(`${links.model.name}: parent or featured image of ${links.key} (${reasonOf(error)})`);
  const item = { kind: links.model.name, key: links.key, hash, itemId: id };
  await session.writer.batch((batch) => record(session, batch, item));
}

async function record({ ledger }: ImportSession, { tx }: ContentBatch, item: Imported): Promise<void> {
  await ledger.record(tx, item, await ledger.find(tx, item.kind, item.key));
}
