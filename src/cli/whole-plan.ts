// The plan of `diff` and `migrate --dry-run`: the steps of the tables, then the items whose derived columns are worked out anew.
import { DERIVED, derivingModels, staleModels } from '../engine/derived-columns.js';
import type { ModelSet, ResourceModel, TableModel } from '../model/model.js';
import { TRUE } from '../model/query.js';
import type { Store } from '../model/store.js';
import { planStore } from '../storage/evolution/evolve-store.js';
import type { Plan } from '../storage/evolution/step.js';

/** Everything that migrate would do. Changes nothing. */
export async function wholePlan(
  store: Store,
  tables: ReadonlyMap<string, TableModel>,
  models: ModelSet,
): Promise<Plan> {
  const { steps, notes, live } = await planStore(store, tables);
  const known = live.tables.has(DERIVED.name);
  const stale = known ? await staleModels(models, store.reader) : derivingModels(models);
  for (const model of stale) if (await hasItems(model, store, live.tables)) steps.push(deriving(model));
  return { steps, notes };
}

async function hasItems(
  { table }: ResourceModel,
  { reader }: Store,
  live: ReadonlyMap<string, unknown>,
): Promise<boolean> {
  if (!table || !live.has(table.name)) return false;
  return (await reader.select({ table: table.name, columns: ['id'], where: TRUE, order: [], limit: 1 })).length > 0;
}

function deriving({ name, table }: ResourceModel): Plan['steps'][number] {
  const why = `sort keys, search texts and rendered texts of the items of ${name} are worked out from what is stored`;
  return { kind: 'derive columns', table: table!.name, risk: 'safe', sql: [], why };
}
