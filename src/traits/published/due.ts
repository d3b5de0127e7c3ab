// Publishes scheduled items when their date has come.
import { ResourceError } from '../../errors/resource-error.js';
import type { Content } from '../../model/content.js';
import type { TaskModel } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals, not, oneOf, type Query } from '../../model/query.js';

/** Items published per transaction. */
const BATCH = 100;

/** Publishes the due items of a model; their dates stay. */
export function publishTask(model: ResourceModel): TaskModel {
  const unchanged = model.faces.dates?.columns ?? [];
  return {
    when: 'due',
    async run(content) {
      const failed = new Map<number, unknown>();
      while (await publishSome(content, model, unchanged, failed));
      if (failed.size > 0) throw [...failed.values()][0];
    },
  };
}

/**
 * Publishes one batch, except items that have `failed`, to which it adds those that fail: they are tried again in the
 * next run, and the others need not wait for them. Returns true when there may be more.
 */
async function publishSome(
  content: Content,
  model: ResourceModel,
  unchanged: readonly string[],
  failed: Map<number, unknown>,
): Promise<boolean> {
  const now = new Date(content.site.now()).toISOString().slice(0, 19);
  const isDue = and(model.rowScope, equals('status', 'future'), { op: 'le', column: 'date_gmt', value: now });
  const where = failed.size > 0 ? and(isDue, not(oneOf('id', [...failed.keys()]))) : isDue;
  const due = { table: model.table!.name, columns: ['id', ...unchanged], where, order: [], limit: BATCH };
  const found = await content.store.reader.select(due);
  if (found.length === 0) return false;
  // Another process may have published it: each transaction checks again.
  const publish = (query: Query) =>
    content.batch(async (batch) => {
      const rows = await batch.tx.select(query);
      for (const { id, ...columns } of rows) await batch.update(model.name, id, { status: 'publish' }, { columns });
      return rows.length === BATCH;
    });
  try {
    return await publish(due);
  } catch (error) {
    if (error instanceof ResourceError && error.status === 503) throw error;
    for (const { id } of found)
      await publish({ ...due, where: and(isDue, equals('id', id)) }).catch((reason) => failed.set(id, reason));
    return found.length === BATCH;
  }
}
