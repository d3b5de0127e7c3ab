// Compares items to load with existing ones: an identical item is skipped, a different one with the same id is a
// problem.
import { isDeepStrictEqual } from 'node:util';
import { oneOf, type Row } from '../../model/query.js';
import type { Site } from '../../model/site/site.js';
import type { Reader } from '../../model/store.js';
import { plain } from '../dump/dump-line.js';
import type { Shape } from '../dump/dump-shape.js';
import type { Item } from './load-item.js';
import { givenColumns } from './load-rows.js';
import { readItems, type StoredItem } from '../dump/stored-items.js';
import type { Entry } from './meta-entries.js';

/**
 * Items that already exist unchanged; `refuse` is called for those whose ids belong to something else. `rowMade`: the row
 * that a line of one's own would make now, because traits change what is sent: statuses, names that are taken.
 */
export async function alreadyThere(
  items: readonly Item[],
  site: Site,
  reader: Reader,
  refuse: (item: Item, reason: string) => void,
  rowMade: (item: Item) => Promise<Row | undefined>,
): Promise<Set<Item>> {
  const same = new Set<Item>();
  for (const shape of new Set(items.map((item) => item.shape))) {
    const own = items.filter((item) => item.shape === shape && item.id !== undefined);
    const stored = await storedUnder(shape, own, reader);
    for (const item of own) {
      const found = stored.get(item.id!);
      if (!found) continue;
      let difference = differenceOf(item, found, site);
      if (difference !== undefined && !item.restored && item.shape.model)
        difference = differenceOf(item, found, site, await rowMade(item));
      if (difference === undefined) same.add(item);
      else refuse(item, takenBy(item, difference));
    }
  }
  await rejectTakenEntries(
    items.filter((item) => !same.has(item)),
    reader,
    refuse,
  );
  return same;
}

async function storedUnder(shape: Shape, items: readonly Item[], reader: Reader): Promise<Map<number, StoredItem>> {
  if (items.length === 0) return new Map();
  const found = await readItems(
    shape,
    items.map((item) => item.id!),
    reader,
  );
  return new Map(found.map((item) => [item.row['id'] as number, item]));
}

function takenBy({ shape, id }: Item, difference: string): string {
  return `id ${id} belongs to ${difference} already. Load ${shape.name} ${id} into a site without it, or delete that one first`;
}

/** How the existing item differs from what is given, or made of it; undefined when it is the same. */
function differenceOf(item: Item, { row, many, entries }: StoredItem, site: Site, made?: Row): string | undefined {
  const { shape } = item;
  const others = Object.entries(shape.constants).filter(([column, value]) => row[column] !== value);
  if (others.length > 0)
    return `an item of another resource (${others.map(([column]) => `${column} ${row[column]}`).join(', ')})`;
  const given = givenColumns(item, site);
  const passwords = [...item.passwords.keys()].map((name) => shape.fields.get(name)!.column.name);
  const columns = Object.keys(given).filter(
    (name) =>
      !passwords.includes(name) &&
      !shape.table.columns.get(name)?.ofUse &&
      name in row &&
      plain(given[name]) !== plain(row[name]) &&
      !sameJson(shape, name, given, row) &&
      !(made && isMade(shape, name, made, row)),
  );
  const sets = [...item.many].filter(([field, values]) => !isDeepStrictEqual(values, many.get(field.name) ?? []));
  const meta = item.entries && !sameEntries(item.entries, entries) ? [shape.meta!.name] : [];
  const names = [...columns.map((name) => nameOf(shape, name)), ...sets.map(([{ name }]) => name), ...meta];
  return names.length === 0 ? undefined : `another ${shape.name} (it differs in ${names.join(', ')})`;
}

/** Whether a stored value is the one that is made; names are made unique by a number at their end. */
function isMade({ model }: Shape, name: string, made: Row, row: Row): boolean {
  const isName = model?.faces.name?.column === name;
  const [one, other] = [made, row].map((each) =>
    isName ? String(each[name]).replace(/-\d+$/, '') : plain(each[name]),
  );
  return one === other;
}

/** JSON values are compared regardless of whitespace. */
function sameJson(shape: Shape, name: string, given: Row, row: Row): boolean {
  if (shape.table.columns.get(name)?.kind !== 'json') return false;
  try {
    return isDeepStrictEqual(JSON.parse(given[name]), JSON.parse(row[name]));
  } catch {
    return false;
  }
}

function nameOf(shape: Shape, column: string): string {
  return [...shape.fields.values()].find((field) => field.column.name === column)?.name ?? column;
}

function sameEntries(wanted: readonly Entry[], stored: readonly Row[]): boolean {
  if (wanted.length !== stored.length) return false;
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  const sorted = stored.map((row) => row as Row & { key: string }).sort(byKey);
  return [...wanted].sort(byKey).every((entry, index) => {
    const row = sorted[index]!;
    const id = entry.id === undefined || entry.id === row['id'];
    return (
      id && entry.key === row.key && entry.value === row['value'] && entry.structured === Number(row['structured'])
    );
  });
}

async function rejectTakenEntries(
  items: readonly Item[],
  reader: Reader,
  refuse: (item: Item, reason: string) => void,
): Promise<void> {
  for (const shape of new Set(items.map((item) => item.shape))) {
    const owners = new Map<number, Item>();
    for (const item of items) {
      if (item.shape === shape) for (const { id } of item.entries ?? []) if (id !== undefined) owners.set(id, item);
    }
    if (owners.size === 0) continue;
    const where = oneOf('id', [...owners.keys()]);
    const rows = await reader.select({ table: shape.meta!.table, columns: ['id', 'owner_id'], where, order: [] });
    for (const row of rows)
      refuse(owners.get(row['id'])!, `the meta entry ${row['id']} belongs to item ${row['owner_id']} already`);
  }
}
