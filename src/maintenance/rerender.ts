// Recomputes rendered texts, sort keys and search texts from stored data, after an upgrade of the renderer. Dates,
// versions and revisions do not change.
import type { ModelSet, ResourceModel } from '../model/model.js';
import { and, equals, oneOf } from '../model/query.js';
import type { Store } from '../model/store.js';
import { staleColumns } from '../engine/derive-row.js';
import { rowsOf } from '../engine/shared-table.js';

/** Rows per transaction, and ids read at a time. */
const BATCH = 100;
const IDS = 20_000;

/** Number of rows read and written, per resource. */
export type Rerendered = Map<string, { rows: number; changed: number }>;

/**
 * Renders every row of every resource that has derived columns; `onProgress` receives the number of rows done and the
 * total.
 */
export async function rerender(
  models: ModelSet,
  store: Store,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Rerendered> {
  const deriving = [...models.byName.values()].filter((model) => model.table && model.derive.length > 0);
  let total = 0;
  for (const model of deriving) total += await store.reader.count(model.table!.name, rowsOf(model));
  const outcome: Rerendered = new Map();
  let done = 0;
  for (const model of deriving) {
    const counts = { rows: 0, changed: 0 };
    outcome.set(model.name, counts);
    for await (const ids of batchesOf(model, store)) {
      counts.changed += await renderSome(model, ids, store);
      counts.rows += ids.length;
      onProgress((done += ids.length), total);
    }
  }
  return outcome;
}

async function* batchesOf(model: ResourceModel, store: Store): AsyncGenerator<number[]> {
  for (let last = 0; ;) {
    const rows = await store.reader.select({
      table: model.table!.name,
      columns: ['id'],
      where: and(rowsOf(model), { op: 'gt', column: 'id', value: last }),
      order: [{ column: 'id', direction: 'asc' }],
      limit: IDS,
    });
    const ids = rows.map((row) => row['id'] as number);
    for (let at = 0; at < ids.length; at += BATCH) yield ids.slice(at, at + BATCH);
    if (ids.length < IDS) return;
    last = ids.at(-1)!;
  }
}

async function renderSome(model: ResourceModel, ids: number[], store: Store): Promise<number> {
  const table = model.table!.name;
  const columns = [...model.table!.columns.keys()];
  const rows = await store.reader.select({ table, columns, where: oneOf('id', ids), order: [] });
  const changes = rows.flatMap((row) => {
    const set = staleColumns(model, row, store);
    return Object.keys(set).length > 0 ? [{ row, set }] : [];
  });
  if (changes.length === 0) return 0;
  return store.transaction(async (tx) => {
    let changed = 0;
    for (const { row, set } of changes) {
      // A row that was written since it was read was rendered by that write.
      changed += await tx.update(table, set, and(equals('id', row['id']), equals('row_version', row['row_version'])));
    }
    return changed;
  });
}
