// Permanently deletes items that have been in the trash longer than the retention period of the site.
import type { Content } from '../../model/content.js';
import type { TaskModel } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals, type Query } from '../../model/query.js';

/** Items deleted per transaction. */
const BATCH = 100;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Deletes what was put into the trash longer than the site's `trashRetentionDays` ago; 0 keeps everything. For models
 * with the columns `status` and `trashed_at`.
 */
export function purgeTask(model: ResourceModel): TaskModel {
  return {
    when: 'sweep',
    async run(content) {
      const days = content.site.settings.trashRetentionDays;
      if (!(days > 0)) return;
      const before = new Date(content.site.now() - days * DAY).toISOString().slice(0, 19);
      while (await purgeSome(content, model, before));
    },
  };
}

/** Deletes one batch; returns true when there may be more. */
async function purgeSome(content: Content, model: ResourceModel, before: string): Promise<boolean> {
  const old: Query = {
    table: model.table!.name,
    columns: ['id'],
    where: and(model.rowScope, equals('status', 'trash'), { op: 'le', column: 'trashed_at', value: before }),
    order: [{ column: 'id', direction: 'asc' }],
    limit: BATCH,
  };
  if ((await content.store.reader.select(old)).length === 0) return false;
  return content.batch(async (batch) => {
    // The item may have been restored meanwhile: check again inside the transaction.
    const rows = await batch.tx.select(old);
    for (const { id } of rows) await batch.remove(model.name, id as number);
    return rows.length === BATCH;
  });
}
