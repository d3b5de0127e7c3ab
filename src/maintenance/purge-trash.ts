// Permanently deletes items that have been in the trash longer than the retention period.
import type { ResourceModel } from '../model/model.js';
import { and, equals, type Query } from '../model/query.js';
import type { ContentWriter } from '../engine/content-writer.js';

/** Items deleted per transaction. */
const BATCH = 100;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Permanently deletes everything moved to the trash longer than the site's `trashRetentionDays` ago; 0 keeps
 * everything.
 */
export async function purgeTrash(writer: ContentWriter): Promise<void> {
  const days = writer.site.settings.trashRetentionDays;
  if (!(days > 0)) return;
  const before = new Date(writer.site.now() - days * DAY).toISOString().slice(0, 19);
  for (const model of writer.models.byName.values()) {
    if (model.table?.columns.has('trashed_at') && model.fields.has('trashed_at'))
      while (await purgeSome(writer, model, before));
  }
}

/** Deletes one batch; returns true when there may be more. */
async function purgeSome(writer: ContentWriter, model: ResourceModel, before: string): Promise<boolean> {
  const old: Query = {
    table: model.table!.name,
    columns: ['id'],
    where: and(model.rowScope, equals('status', 'trash'), { op: 'le', column: 'trashed_at', value: before }),
    order: [{ column: 'id', direction: 'asc' }],
    limit: BATCH,
  };
  if ((await writer.store.reader.select(old)).length === 0) return false;
  return writer.batch(async (batch) => {
    // The item may have been restored meanwhile: check again inside the transaction.
    const rows = await batch.tx.select(old);
    for (const { id } of rows) await batch.remove(model.name, id as number);
    return rows.length === BATCH;
  });
}
