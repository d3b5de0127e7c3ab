// The plan of `diff` and `migrate --dry-run`: table steps, then the items whose derived columns are recomputed.
import { type Outdated, outdatedMessage } from '../../maintenance/check-stored-values.js';
import { DERIVED, derivingModels, staleModels } from '../../maintenance/backfill-derived.js';
import type { Accepted } from '../../model/accepted.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { rowsOf } from '../../engine/membership.js';
import { not, or, TRUE } from '../../model/query.js';
import type { Store } from '../../model/store.js';
import { outdatedBefore } from '../../server/questions/asked-first.js';
import { unclaimedRows } from '../../server/unclaimed-rows.js';
import type { AdministeredStore } from '../../storage/sql/administered-store.js';
import { planStore } from '../../storage/migrate-store.js';
import type { Plan, Step } from '../../storage/migrations/step.js';
import type { TableModel } from '../../model/table.js';
import type { Config } from '../../config/settings.js';
import { withTables } from './open-tables.js';
import { counted } from '../../values/value-issue.js';

/** The plan for the database of a configuration. */
export function planOf(config: Config): Promise<Plan> {
  const accepted = new Set(config.database.accept);
  return withTables(config, 'plan', (store, tables, models) => wholePlan(store, tables, models, accepted));
}

/** Everything that `migrate` would do. Changes nothing. */
export async function wholePlan(
  store: AdministeredStore,
  tables: ReadonlyMap<string, TableModel>,
  models: ModelSet,
  accepted?: ReadonlySet<Accepted>,
): Promise<Plan> {
  const outdated: Outdated[] = [];
  const { steps, notes, live } = await planStore(store, tables, accepted, async (before) => {
    if (!accepted?.has('values')) outdated.push(...(await outdatedBefore(models, before)));
  });
  // An index changes no row: what is in the table can be read before it is made.
  const touched = new Set(steps.filter(({ kind }) => kind !== 'create index').map(({ table }) => table));
  const derived: Step[] = [];
  const known = live.tables.has(DERIVED.name);
  const stale = known ? await staleModels(models, store.reader) : derivingModels(models);
  for (const model of stale) if (await hasItems(model, store, live.tables, touched)) derived.push(deriving(model));
  const unclaimed = accepted?.has('leftovers') ? [] : await unclaimedRows(models, store);
  return {
    steps: [...steps, ...unclaimed, ...outdated.map(keeping), ...derived],
    notes: [...notes, ...(await ownerless(store, models, touched, live.tables))],
  };
}

/** Orphaned rows, whose discriminator no resource uses any more: they are invisible otherwise. */
async function ownerless(
  { reader }: Store,
  { ofTable }: ModelSet,
  touched: ReadonlySet<string>,
  live: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const notes: string[] = [];
  for (const [table, sharing] of ofTable) {
    const whole = live.has(table) && !touched.has(table);
    if (!whole || sharing.some(({ discriminator }) => Object.keys(discriminator).length === 0)) continue;
    const rows = await reader.count(table, not(or(...sharing.map((other) => other.rowScope))));
    if (rows > 0)
      notes.push(
        `${table}: ${counted(rows, 'row')} with a mark ("where" of a storage) that no resource has; nothing is dropped`,
      );
  }
  return notes;
}

async function hasItems(
  model: ResourceModel,
  { reader }: Store,
  live: ReadonlyMap<string, unknown>,
  touched: ReadonlySet<string>,
): Promise<boolean> {
  const table = model.table!.name;
  if (!live.has(table)) return false;
  // The discriminator columns may not exist yet.
  const where = touched.has(table) ? TRUE : rowsOf(model);
  return (await reader.select({ table, columns: ['id'], where, order: [], limit: 1 })).length > 0;
}

function keeping(found: Outdated): Step {
  const hint = 'Change these values first, widen the rule, or let them stay with DATABASE_ACCEPT=values.';
  const why = outdatedMessage(found);
  return {
    kind: 'keep values',
    table: found.model.table!.name,
    column: found.field,
    risk: 'refused',
    sql: [],
    why,
    hint,
  };
}

function deriving({ name, table }: ResourceModel): Step {
  const why = `sort keys, search texts and rendered texts of the items of ${name} are worked out from what is stored`;
  return { kind: 'derive columns', table: table!.name, risk: 'safe', sql: [], why };
}
