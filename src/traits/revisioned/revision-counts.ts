// Checks what items store about their revisions.
import type { ResourceModel } from '../../model/model.js';
import { rowFindings } from '../../model/functions/row-findings.js';
import type { AuditFinding } from '../../model/hooks.js';
import { and, equals, FALSE, not, oneOf, or, type Predicate } from '../../model/query.js';
import type { Reader } from '../../model/store.js';

/** Items whose stored number of revisions is wrong, or that refer to a latest revision that does not exist. */
export async function wrongHistories(
  model: ResourceModel,
  target: ResourceModel,
  reader: Reader,
): Promise<AuditFinding[]> {
  const table = model.table!.name;
  const real = await reader.countBy(table, 'parent', target.rowScope);
  // Not queried per item where there are none at all.
  const hasRevisions: Predicate =
    real.size > 0 ? { op: 'exists', table, outer: 'id', inner: 'parent', where: target.rowScope } : FALSE;
  const rows = await reader.select({
    table,
    columns: ['id', 'revision_count', 'latest_revision'],
    where: and(model.rowScope, or(not(equals('revision_count', 0)), not(equals('latest_revision', 0)), hasRevisions)),
    order: [],
  });
  const wrong = rows.flatMap(({ id, revision_count: count, latest_revision: latest }) => {
    const has = real.get(id) ?? 0;
    if (count === has && has > 0 === latest > 0) return [];
    const difference = count === has ? `no latest of its ${has} revisions` : `${count} revisions and has ${has}`;
    return { id, message: `${model.name} ${id}: remembers ${difference}` };
  });
  // Counted again: the items may have been written since.
  return rowFindings(wrong, async (ids, tx) => {
    const own = and(target.rowScope, oneOf('parent', ids));
    const numbers = await tx.countBy(table, 'parent', own);
    const latest = await latestOf(table, own, tx);
    for (const id of ids) {
      const now = { revision_count: numbers.get(id) ?? 0, latest_revision: latest.get(id) ?? 0 };
      await tx.update(table, now, equals('id', id));
    }
  });
}

/** The latest revision of each item that has one. */
async function latestOf(table: string, where: Predicate, reader: Reader): Promise<Map<number, number>> {
  const order = ['date', 'id'].map((column) => ({ column, direction: 'desc' as const }));
  const ids = await reader.firstOfEach({ table, by: 'parent', where, order, each: 1 });
  const rows = await reader.select({ table, columns: ['id', 'parent'], where: oneOf('id', ids), order: [] });
  return new Map(rows.map((row) => [row['parent'], row['id']]));
}
