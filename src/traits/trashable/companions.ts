// Items of other resources that are hidden while an item is in the trash, and come back with it.
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, NEXT_VERSION } from '../../model/query.js';
import type { TrashableOptions } from './options.js';

type Companion = NonNullable<TrashableOptions['with']>[number];

function others(model: ResourceModel, { resource, field }: Companion) {
  const other = model.site.byName.get(resource);
  const column = other?.fields.get(field)?.column;
  return other?.table && column ? { table: other.table.name, column } : undefined;
}

/** Hides companions under a status that no list includes, and records the previous one. */
export async function mark(model: ResourceModel, companion: Companion, id: number, op: Operation): Promise<void> {
  const other = others(model, companion);
  if (!other) return;
  const rows = await op.tx!.select({
    table: other.table,
    columns: ['id', 'status'],
    where: equals(other.column, id),
    order: [],
  });
  for (const status of new Set(rows.map((row) => row['status'] as string))) {
    const where = and(equals(other.column, id), equals('status', status));
    await op.tx!.update(other.table, { status: companion.mark, marked_status: status, ...NEXT_VERSION }, where);
  }
}

/** Gives companions back the status that they had. */
export async function unmark(model: ResourceModel, companion: Companion, id: number, op: Operation): Promise<void> {
  const other = others(model, companion);
  if (!other) return;
  const marked = and(equals(other.column, id), equals('status', companion.mark));
  const rows = await op.tx!.select({ table: other.table, columns: ['id', 'marked_status'], where: marked, order: [] });
  for (const status of new Set(rows.map((row) => row['marked_status'] as string))) {
    const where = and(marked, equals('marked_status', status));
    await op.tx!.update(other.table, { status, marked_status: '', ...NEXT_VERSION }, where);
  }
}
