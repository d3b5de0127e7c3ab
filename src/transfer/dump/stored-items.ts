// Reads stored items with their relations and meta entries, in batches of limited memory.
import { and, oneOf, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Reader } from '../../model/store.js';
import type { Shape } from './dump-shape.js';
import { orderOfPairs } from '../../engine/presentation/load-relations.js';
import type { FieldModel } from '../../model/field.js';

/** A row, its to-many values by field name and its meta entries in the order of their ids. */
export interface StoredItem {
  row: Row;
  many: Map<string, Scalar[]>;
  entries: Row[];
}

/** Ids looked up at a time, items read at first and at most at a time, and the target size of a batch in characters. */
const ID_BATCH = 20_000;
const FIRST_BATCH = 8;
const MAX_BATCH = 250;
export const BATCH_CHARACTERS = 4 * 1024 * 1024;
const ENTRY = Object.freeze(['id', 'owner_id', 'key', 'value', 'structured']);

/** All items of a shape by id, in batches; `weigh` returns the size of the last one in characters. */
export async function* itemsOf(shape: Shape, reader: Reader, weigh: () => number): AsyncGenerator<StoredItem[]> {
  // How long the texts of a site are is not known before the first items.
  let size = FIRST_BATCH;
  for (let last = 0; ;) {
    const ids = await idsAfter(last, shape, reader);
    for (let at = 0; at < ids.length;) {
      const batch = await readItems(shape, ids.slice(at, at + size), reader);
      yield batch;
      at += size;
      // Sites with long texts get smaller batches.
      const fitting = Math.floor((batch.length * BATCH_CHARACTERS) / Math.max(1, weigh()));
      size = Math.max(1, Math.min(MAX_BATCH, size * 2, fitting));
    }
    if (ids.length < ID_BATCH) return;
    last = ids.at(-1)!;
  }
}

async function idsAfter(last: number, shape: Shape, reader: Reader): Promise<number[]> {
  const rows = await reader.select({
    table: shape.table.name,
    columns: ['id'],
    where: and(shape.where, { op: 'gt', column: 'id', value: last }),
    order: [{ column: 'id', direction: 'asc' }],
    limit: ID_BATCH,
  });
  return rows.map((row) => row['id'] as number);
}

/** Items with these ids, in the order of the ids. */
export async function readItems(shape: Shape, ids: readonly number[], reader: Reader): Promise<StoredItem[]> {
  const rows = await reader.select({
    table: shape.table.name,
    columns: shape.columns,
    where: oneOf('id', ids),
    order: [{ column: 'id', direction: 'asc' }],
  });
  const items = rows.map((row): StoredItem => ({ row, many: new Map(), entries: [] }));
  const byId = new Map(items.map((item) => [item.row['id'] as number, item]));
  for (const field of shape.many) await readPairs(field, ids, byId, reader);
  if (shape.meta) await readEntries(shape.meta.table, shape.meta.entries?.columns ?? ENTRY, ids, byId, reader);
  return items;
}

async function readPairs(
  field: FieldModel,
  ids: readonly number[],
  items: ReadonlyMap<number, StoredItem>,
  reader: Reader,
): Promise<void> {
  const { table, value } = field.many!;
  const pairs = await reader.select({
    table,
    columns: ['owner_id', value],
    where: oneOf('owner_id', ids),
    order: [
      { column: 'owner_id', direction: 'asc' },
      { column: orderOfPairs(value), direction: 'asc' },
    ],
  });
  for (const pair of pairs) {
    const { many } = items.get(pair['owner_id'] as number) ?? {};
    const values = many?.get(field.name);
    if (values) values.push(pair[value] as Scalar);
    else many?.set(field.name, [pair[value] as Scalar]);
  }
}

async function readEntries(
  table: string,
  columns: readonly string[],
  ids: readonly number[],
  items: ReadonlyMap<number, StoredItem>,
  reader: Reader,
): Promise<void> {
  const entries = await reader.select({
    table,
    columns,
    where: oneOf('owner_id', ids),
    order: [{ column: 'id', direction: 'asc' }],
  });
  for (const entry of entries) items.get(entry['owner_id'] as number)?.entries.push(entry);
}
