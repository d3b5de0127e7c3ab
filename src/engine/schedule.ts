// Publishes scheduled items at their moment, empties the trash and clears what a crash left, without any traffic (decisions 11.8, 11.15). Started with the site.
import type { ResourceModel } from '../model/model.js';
import { and, equals } from '../model/query.js';
import { forgetOld } from './idempotency.js';
import type { ContentWriter } from './content-writer.js';
import { purgeTrash } from './purge.js';
import { sweepFiles } from './sweep-files.js';

/** Milliseconds between looks; an item is public within two of them. */
const INTERVAL = 1000;
/** Items published in one transaction. */
const BATCH = 100;

/** Looks between two sweeps: of the trash, of answers kept for retries, of counters that are over, of files. */
const SWEEP_EVERY = 600;
/** Columns that publication by the clock leaves as they are. */
const KEPT = ['date', 'date_gmt', 'modified', 'modified_gmt'];

/** Looks for due items now and every second from now on; `sweep` does what else is due now and then. */
export function startSchedule(
  writer: ContentWriter,
  sweep: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): void } {
  const models = [...writer.models.byName.values()].filter(
    (model) => model.traits.get('published')?.['schedule'] !== false && model.traits.has('published'),
  );
  let running = false;
  let looks = 0;
  const look = async () => {
    if (running) return;
    running = true;
    try {
      for (const model of models) while (await publishDue(writer, model));
      if (looks++ % SWEEP_EVERY === 0) {
        await forgetOld(writer.store, writer.site.now());
        await writer.store.tallies?.sweep();
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
  const timer = setInterval(() => void look(), INTERVAL);
  timer.unref();
  void look();
  return { stop: () => clearInterval(timer) };
}

/** Publishes one batch; true when there may be more. */
async function publishDue(writer: ContentWriter, model: ResourceModel): Promise<boolean> {
  const now = new Date(writer.site.now()).toISOString().slice(0, 19);
  const where = and(
    ...Object.entries(model.discriminator).map(([column, value]) => equals(column, value)),
    equals('status', 'future'),
    { op: 'le', column: 'date_gmt', value: now },
  );
  const due = { table: model.table!.name, columns: ['id', ...KEPT], where, order: [], limit: BATCH };
  if ((await writer.store.reader.select(due)).length === 0) return false;
  return writer.batch(async (batch) => {
    // Another process may have been faster: ask again inside the transaction.
    const rows = await batch.tx.select(due);
    for (const { id, ...columns } of rows) await batch.update(model.name, id, { status: 'publish' }, { columns });
    return rows.length === BATCH;
  });
}
