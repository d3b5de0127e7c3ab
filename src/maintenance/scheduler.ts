// Periodic tasks: publishes scheduled items when due, purges the trash and cleans up after crashes, independent of
// requests.
import type { ResourceModel } from '../model/model.js';
import { and, equals } from '../model/query.js';
import { forgetOld } from '../engine/idempotency.js';
import type { ContentWriter } from '../engine/content-writer.js';
import { purgeTrash } from './purge-trash.js';
import { sweepFiles } from './sweep-files.js';

/** Milliseconds between runs; an item is published within two of them. */
const INTERVAL_MS = 1000;
/** Items published per transaction. */
const BATCH = 100;

/** Runs between two sweeps of the trash, idempotent responses, expired counters and files. */
const SWEEP_EVERY = 600;
/** Columns that scheduled publication does not change. */
const KEPT = ['date', 'date_gmt', 'modified', 'modified_gmt'];

/** Publishes due items now and every second from now on; `sweep` does the less frequent tasks. */
export function startSchedule(
  writer: ContentWriter,
  sweep: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): void } {
  const models = [...writer.models.byName.values()].filter(
    (model) => model.traits.get('published')?.['schedule'] !== false && model.traits.has('published'),
  );
  let running = false;
  let runs = 0;
  const runOnce = async () => {
    if (running) return;
    running = true;
    try {
      for (const model of models) while (await publishDue(writer, model));
      if (runs++ % SWEEP_EVERY === 0) {
        await forgetOld(writer.store, writer.site.now());
        await writer.store.rateCounters?.sweep();
        await purgeTrash(writer);
        await sweepFiles(writer);
        await sweep();
      }
    } catch (error) {
      onError(error);
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void runOnce(), INTERVAL_MS);
  timer.unref();
  void runOnce();
  return { stop: () => clearInterval(timer) };
}

/** Publishes one batch; returns true when there may be more. */
async function publishDue(writer: ContentWriter, model: ResourceModel): Promise<boolean> {
  const now = new Date(writer.site.now()).toISOString().slice(0, 19);
  const where = and(model.rowScope, equals('status', 'future'), { op: 'le', column: 'date_gmt', value: now });
  const due = { table: model.table!.name, columns: ['id', ...KEPT], where, order: [], limit: BATCH };
  if ((await writer.store.reader.select(due)).length === 0) return false;
  return writer.batch(async (batch) => {
    // Another process may have published it: check again inside the transaction.
    const rows = await batch.tx.select(due);
    for (const { id, ...columns } of rows) await batch.update(model.name, id, { status: 'publish' }, { columns });
    return rows.length === BATCH;
  });
}
