// Checks what items store about their revisions.
import type { ResourceModel } from '../../model/model.js';
import type { AuditFinding } from '../../model/hooks.js';
import { and, equals, not, or, type Predicate } from '../../model/query.js';
import type { Reader } from '../../model/store.js';

/** Items whose stored number of revisions is wrong, or that refer to a latest revision that does not exist. */
export async function wrongHistories(
  model: ResourceModel,
  target: ResourceModel,
  reader: Reader,
): Promise<AuditFinding[]> {
  const table = model.table!.name;
  const real = await reader.countBy(table, 'parent', target.rowScope);
  const rows = await reader.select({
    table,
    columns: ['id', 'revision_count', 'latest_revision'],
    where: and(
      model.rowScope,
      or(not(equals('revision_count', 0)), not(equals('latest_revision', 0)), {
        op: 'exists',
        table,
        outer: 'id',
        inner: 'parent',
        where: target.rowScope,
      }),
    ),
    order: [],
  });
  return rows.flatMap(({ id, revision_count: count, latest_revision: latest }) => {
    const has = real.get(id) ?? 0;
    if (count === has && has > 0 === latest > 0) return [];
    const difference = count === has ? `no latest of its ${has} revisions` : `${count} revisions and has ${has}`;
    return {
      message: `${model.name} ${id}: remembers ${difference}`,
      // Counted again: the item may have been written since.
      fix: async (tx) => {
        const own = and(target.rowScope, equals('parent', id));
        const latest_revision = await latestOf(table, own, tx);
        await tx.update(table, { revision_count: await tx.count(table, own), latest_revision }, equals('id', id));
      },
    };
  });
}

async function latestOf(table: string, where: Predicate, reader: Reader): Promise<number> {
  const newest = ['date', 'id'].map((column) => ({ column, direction: 'desc' as const }));
  const [row] = await reader.select({ table, columns: ['id'], where, order: newest, limit: 1 });
  return (row?.['id'] as number | undefined) ?? 0;
}
