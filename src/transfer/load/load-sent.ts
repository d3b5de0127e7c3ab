// Creates items of handwritten lines like a client's create: traits fill in slugs, dates and keys.
import { type ContentBatch, ContentWriter, type ImportOptions } from '../../engine/content-writer.js';
import type { TextsAhead } from '../../engine/writes/texts-ahead.js';
import { ResourceError } from '../../errors/resource-error.js';
import { equals, type Row } from '../../model/query.js';
import { unlessUnused, withoutTexts } from './without-texts.js';
import { turnOf, type Item } from './load-item.js';
import { entryRow } from './load-rows.js';
import { comparedColumns } from './load-unique.js';
import { reasonOf } from '../wxr/outcomes.js';

/** Creates the item; `hashes` are its passwords by field name. Returns its id. */
export async function createSent(
  item: Item,
  hashes: Readonly<Record<string, string>>,
  batch: ContentBatch,
): Promise<number> {
  const { shape, values } = item;
  const id = await batch.create(shape.model!.name, { ...values, ...hashes }, optionsOf(item));
  for (const entry of item.entries ?? []) {
    await batch.tx.insert(shape.meta!.table, entryRow(shape.meta!.entries, id, entry));
  }
  return id;
}

/** Starts the text functions of an item before it is created. */
export function workAhead(item: Item, writer: ContentWriter, texts: TextsAhead): void {
  writer.workAhead(texts, item.shape.model!.name, item.values, optionsOf(item));
}

function optionsOf({ id, shape: { model }, row, many }: Item): ImportOptions {
  const parentId = model!.parent ? ((row[model!.parent.field.column!] as number | undefined) ?? 0) : 0;
  const sets = Object.fromEntries([...many].map(([field, wanted]) => [field.name, wanted]));
  return { columns: row, sets, parentId, ...(id === undefined ? {} : { id }) };
}

/** Announces the items that will be created, by resource. */
export async function expectSent(items: readonly Item[], batch: ContentBatch): Promise<void> {
  for (const shape of new Set(items.map((item) => item.shape))) {
    const own = items.filter((item) => item.shape === shape);
    await batch.expect(
      shape.name,
      own.map(({ values }) => values),
    );
  }
}

class TakenBack extends Error {}

type Refuse = (item: Item, reason: string) => void;
type Made = { item: Item; row: Row }[];

/** The row that a line would make as a new item; undefined where it would be rejected, such as for a unique value. */
export async function madeOf(item: Item, writer: ContentWriter): Promise<Row | undefined> {
  const { model, table } = item.shape;
  const { id: _, ...unnumbered } = item;
  let made: Row | undefined;
  try {
    await rehearsalOf(writer).batch(async (batch) => {
      const id = await createSent({ ...unnumbered, entries: [] }, placeholdersOf(item), batch);
      made = await batch.tx.first(table.name, model!.allColumns, equals('id', id));
      throw new TakenBack();
    });
  } catch (error) {
    if (error instanceof TakenBack) return made;
    errorText(error);
  }
  return undefined;
}

/** Creates the items in a transaction that is rolled back: returns their rows, and calls `refuse` for rejected ones. */
export async function rehearse(all: readonly Item[], writer: ContentWriter, refuse: Refuse): Promise<Made> {
  if (all.length === 0) return [];
  const items = [...all].sort((one, other) => turnOf(one, () => true) - turnOf(other, () => true));
  const rehearsal = rehearsalOf(writer);
  return (await rehearseTogether(items, rehearsal)) ?? rehearseEach(items, rehearsal, refuse);
}

function rehearsalOf({ models, store, site }: ContentWriter): ContentWriter {
  return new ContentWriter(models, withoutTexts(store, models.tables), site, 'command', unlessUnused);
}

/**
 * Rehearses all items in one transaction. Only rows of tables that can reject them are sent to the database: those with
 * unique indexes, or with ids from lines. Undefined when an item is rejected.
 */
async function rehearseTogether(items: readonly Item[], rehearsal: ContentWriter): Promise<Made | undefined> {
  let made: Made = [];
  const numbered = new Set(items.filter(({ id }) => id !== undefined).map(({ shape }) => shape.table.name));
  const tables = [...rehearsal.models.tables.values()].filter(
    ({ name, indexes }) => numbered.has(name) || [...indexes.values()].some(({ unique }) => unique),
  );
  try {
    await rehearsal.bulk(async (batch) => {
      made = [];
      await expectSent(items, batch);
      for (const item of items) made.push({ item, row: await attempt(item, batch) });
      for (const { name } of tables) await batch.tx.send(name);
      throw new TakenBack();
    });
  } catch (error) {
    if (error instanceof TakenBack) return made;
    errorText(error);
  }
  return undefined;
}

/** Rehearses the items one by one, to identify those that are rejected. */
async function rehearseEach(items: readonly Item[], rehearsal: ContentWriter, refuse: Refuse): Promise<Made> {
  const made: Made = [];
  for (let from = 0; from < items.length;) {
    let at = from;
    try {
      await rehearsal.batch(async (batch) => {
        made.splice(0, made.length, ...made.filter(({ item }) => items.indexOf(item) < from));
        for (at = from; at < items.length; at += 1)
          made.push({ item: items[at]!, row: await attempt(items[at]!, batch) });
        throw new TakenBack();
      });
    } catch (error) {
      if (error instanceof TakenBack) return made;
      refuse(items[at]!, errorText(error));
      // The state of a transaction after a failed statement depends on the database: continue in a new one.
      from = at + 1;
    }
  }
  return made;
}

async function attempt(item: Item, batch: ContentBatch): Promise<Row> {
  const id = await createSent(item, placeholdersOf(item), batch);
  const { table } = item.shape;
  const unique = [...table.indexes.values()].flatMap((index) => (index.unique ? index.columns : []));
  if (unique.length === 0) return { id: item.id };
  const compared = unique.flatMap((column) => [column, ...comparedColumns(item.shape, column)]);
  const row = await batch.tx.first(table.name, ['id', ...new Set(compared)], equals('id', id));
  // Only explicit ids are certain: generated ones may differ in the second pass.
  return { ...row, id: item.id };
}

function placeholdersOf({ passwords }: Item): Record<string, string> {
  return Object.fromEntries([...passwords.keys()].map((name) => [name, 'not yet hashed']));
}

function errorText(error: unknown): string {
  if (error instanceof ResourceError && error.status !== 503) return reasonOf(error).replace(/\.$/, '');
  if (error instanceof Error && error.name === 'UniqueViolation') return 'another item has the same unique values';
  throw error;
}
