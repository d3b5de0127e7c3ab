// Permanently deletes items that have been in the trash longer than the retention period of the site.
import { ResourceError } from '../../errors/resource-error.js';
import type { Content } from '../../model/content.js';
import type { TaskModel } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals, type Query } from '../../model/query.js';

/** Items deleted per transaction. */
const BATCH = 100;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Deletes what was put into the trash longer than the site's `trashRetentionDays` ago; 0: never. For models with the
 * columns `status` and `trashed_at`.
 */
export function purgeTask(model: ResourceModel): TaskModel {
  return {
    when: 'sweep',
    async run(content) {
      const days = content.site.settings.trashRetentionDays;
      if (!(days > 0)) return;
      const before = new Date(content.site.now() - days * DAY).toISOString().slice(0, 19);
      let last: number | undefined = 0;
      while (last !== undefined) last = await purgeSome(content, model, before, last);
    },
  };
}

/** Deletes one batch of items above the id `after`; returns its last id when there may be more. */
async function purgeSome(
  content: Content,
  model: ResourceModel,
  before: string,
  after: number,
): Promise<number | undefined> {
  const old = oldItems(model, before, after, BATCH);
  const found = await content.store.reader.select(old);
  if (found.length === 0) return undefined;
  const last = found.at(-1)!['id'] as number;
  try {
    await purge(content, model, old);
  } catch (error) {
    if (!isRefused(error)) throw error;
    for (const { id } of found)
      await purgeUnlessRefused(content, model, oldItems(model, before, (id as number) - 1, 1));
  }
  return found.length === BATCH ? last : undefined;
}

function oldItems(model: ResourceModel, before: string, after: number, limit: number): Query {
  return {
    table: model.table!.name,
    columns: ['id'],
    where: and(
      model.rowScope,
      equals('status', 'trash'),
      { op: 'le', column: 'trashed_at', value: before },
      { op: 'gt', column: 'id', value: after },
    ),
    order: [{ column: 'id', direction: 'asc' }],
    limit,
  };
}

function purge(content: Content, model: ResourceModel, old: Query): Promise<void> {
  return content.batch(async (batch) => {
    // The item may have been restored: check again inside the transaction.
    for (const { id } of await batch.tx.select(old)) await batch.remove(model.name, id as number);
  });
}

// It stays in the trash while something refers to it, or while a trait keeps it: the last account of its kind.
async function purgeUnlessRefused(content: Content, model: ResourceModel, old: Query): Promise<void> {
  await purge(content, model, old).catch((error: unknown) => {
    if (!isRefused(error)) throw error;
  });
}

function isRefused(error: unknown): boolean {
  return error instanceof ResourceError && error.statusFor(true) < 500;
}
