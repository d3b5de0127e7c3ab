// Deletes items some days after their date, in portions: what logs need.
import type { Content } from '../../model/content.js';
import type { TaskModel } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import { and, oneOf, type Predicate } from '../../model/query.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Items deleted by one transaction. */
const BATCH = 1_000;

/** The task that deletes items `days` after their `date` (a column), where `which` holds; 0 days: never. */
export function trimOld(model: ResourceModel, days: number, date: string, which?: Predicate): TaskModel {
  return {
    when: 'sweep',
    async run(content) {
      if (days === 0) return;
      const value = new Date(content.site.now() - days * DAY_MS).toISOString().slice(0, 19);
      const old: Predicate = { op: 'lt', column: date, value };
      while (await deleteSome(content, model, which ? and(old, which) : old));
    },
  };
}

/** Returns whether there may be more. */
async function deleteSome(content: Content, model: ResourceModel, where: Predicate): Promise<boolean> {
  const table = model.table!.name;
  const rows = await content.store.reader.select({ table, columns: ['id'], where, order: [], limit: BATCH });
  const ids = rows.map(({ id }) => id as number);
  // One of them may have become due again, such as a repeated delivery: the condition is checked again.
  if (ids.length > 0) await content.batch(({ tx }) => tx.delete(table, and(where, oneOf('id', ids))));
  return ids.length === BATCH;
}
