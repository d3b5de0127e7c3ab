// Items of other resources that are hidden while an item is in the trash, and come back with it.
import { withDerived } from '../../model/functions/with-derived.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, NEXT_VERSION, oneOf, type Predicate, type Row } from '../../model/query.js';
import type { TrashableOptions } from './options.js';

type Companion = NonNullable<TrashableOptions['with']>[number];

/** The reference of companions to the item. */
interface Place {
  model: ResourceModel;
  table: string;
  column: string;
}

/** Hides companions under a status that no list includes, and records the previous one. */
export async function mark(model: ResourceModel, companion: Companion, id: number, op: Operation): Promise<void> {
  const place = placeOf(model, companion);
  if (!place) return;
  const ofItem = equals(place.column, id);
  const change = (status: string): Row => ({ status: companion.mark, marked_status: status });
  await changeCounted(place, ofItem, 'status', change, op);
}

/** Gives companions back the status that they had. */
export async function unmark(model: ResourceModel, companion: Companion, id: number, op: Operation): Promise<void> {
  const place = placeOf(model, companion);
  if (!place) return;
  const marked = and(equals(place.column, id), equals('status', companion.mark));
  const change = (status: string): Row => ({ status, marked_status: '' });
  await changeCounted(place, marked, 'marked_status', change, op);
}

/** Changes rows, and the counts that what classifies them has of them. */
async function changeCounted(
  place: Place,
  where: Predicate,
  column: string,
  change: (status: string) => Row,
  op: Operation,
): Promise<void> {
  const { model, table } = place;
  if (!model.faces.counted) return changeEach(place, where, column, change, op);
  const rows = await op.tx!.select({ table, columns: ['id'], where, order: [] });
  const those = oneOf(
    'id',
    rows.map(({ id }) => id as number),
  );
  await addToCounts(place, those, -1, op);
  await changeEach(place, where, column, change, op);
  await addToCounts(place, those, 1, op);
}

/** Adds the rows that count now to the counts of their terms, or takes them away. */
async function addToCounts({ model, table }: Place, where: Predicate, sign: 1 | -1, { tx }: Operation): Promise<void> {
  const { fields, rows } = model.faces.counted!;
  const counting = await tx!.select({ table, columns: ['id'], where: and(where, rows), order: [] });
  const owners = oneOf(
    'owner_id',
    counting.map(({ id }) => id as number),
  );
  for (const name of fields) {
    const { table: pairs, value, target } = model.fields.get(name)?.many ?? {};
    const column = target?.faces.counter?.column;
    if (pairs === undefined || !target?.table || column === undefined || counting.length === 0) continue;
    for (const [id, count] of await tx!.countBy(pairs, value!, owners))
      tx!.add(target.table.name, id, column, sign * count);
  }
}

/** Changes rows by the status in a column of theirs. */
async function changeEach(
  { model, table }: Place,
  where: Predicate,
  column: string,
  change: (status: string) => Row,
  op: Operation,
): Promise<void> {
  // Where nothing follows from the status, those of one status are changed together.
  const isPlain = Object.keys(withDerived(model, change(''), op, {})).length === Object.keys(change('')).length;
  const columns = isPlain ? ['id', column] : model.allColumns;
  const rows = await op.tx!.select({ table, columns, where, order: [] });
  if (isPlain) {
    for (const status of new Set(rows.map((row) => row[column] as string)))
      await op.tx!.update(table, { ...change(status), ...NEXT_VERSION }, and(where, equals(column, status)));
    return;
  }
  for (const row of rows) {
    const changes = withDerived(model, change(row[column] as string), op, row);
    await op.tx!.update(table, { ...changes, ...NEXT_VERSION }, equals('id', row['id']));
  }
}

function placeOf(model: ResourceModel, { resource, field }: Companion): Place | undefined {
  const other = model.site.byName.get(resource);
  const column = other?.fields.get(field)?.column;
  return other?.table && column ? { model: other, table: other.table.name, column } : undefined;
}
