// Publishes scheduled items when their date has come.
import type { Content } from '../../model/content.js';
import type { TaskModel } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals } from '../../model/query.js';

/** Items published per transaction. */
const BATCH = 100;

/** Publishes the due items of a model; their dates stay. */
export function publishTask(model: ResourceModel): TaskModel {
  const kept = model.faces.dates?.columns ?? [];
  return {
    when: 'due',
    async run(content) {
      while (await publishSome(content, model, kept));
    },
  };
}

/** Publishes one batch; returns true when there may be more. */
async function publishSome(content: Content, model: ResourceModel, kept: readonly string[]): Promise<boolean> {
  const now = new Date(content.site.now()).toISOString().slice(0, 19);
  const where = and(model.rowScope, equals('status', 'future'), { op: 'le', column: 'date_gmt', value: now });
  const due = { table: model.table!.name, columns: ['id', ...kept], where, order: [], limit: BATCH };
  if ((await content.store.reader.select(due)).length === 0) return false;
  return content.batch(async (batch) => {
    // Another process may have published it: check again inside the transaction.
    const rows = await batch.tx.select(due);
    for (const { id, ...columns } of rows) await batch.update(model.name, id, { status: 'publish' }, { columns });
    return rows.length === BATCH;
  });
}
