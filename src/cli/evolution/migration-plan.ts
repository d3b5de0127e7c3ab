// The plan of `diff` and `migrate --dry-run`: table steps, then the items whose derived columns are recomputed.
import type { Newcomer } from '../../maintenance/adopt-items.js';
import { DERIVED, derivingModels, staleModels } from '../../maintenance/backfill-derived.js';
import type { Accepted } from '../../model/accepted.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { rowsOf } from '../../engine/shared-table.js';
import { not, or, TRUE } from '../../model/query.js';
import type { Store } from '../../model/store.js';
import { type Findings, findingsBefore, type RequiredDecision } from '../../server/decisions/required-decisions.js';
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
  return withTables(config, 'plan', (store, tables, models) => migrationPlan(store, tables, models, accepted));
}

/** Everything that `migrate` would do. Changes nothing. */
export async function migrationPlan(
  store: AdministeredStore,
  tables: ReadonlyMap<string, TableModel>,
  models: ModelSet,
  accepted?: ReadonlySet<Accepted>,
): Promise<Plan> {
  let found: Findings = { decisions: [], adoptable: [] };
  const { steps, notes, live } = await planStore(store, tables, accepted, async (before) => {
    // Without a file: the steps are reported with their own places.
    found = await findingsBefore(models, before, accepted, '');
  });
  // New indexes change no rows, so that the table can be read before they are created.
  const touched = new Set(steps.filter(({ kind }) => kind !== 'create index').map(({ table }) => table));
  const derived: Step[] = [];
  const known = live.tables.has(DERIVED.name);
  const stale = known ? await staleModels(models, store.reader) : derivingModels(models);
  for (const model of stale) if (await hasItems(model, store, live.tables, touched)) derived.push(deriving(model));
  const unclaimed = accepted?.has('leftovers') ? [] : await unclaimedRows(models, store);
  return {
    steps: [...steps, ...unclaimed, ...found.decisions.map(deciding), ...found.adoptable.map(adopting), ...derived],
    notes: [...notes, ...(await ownerless(store, models, touched, live.tables))],
  };
}

/** Orphaned rows, whose discriminator belongs to no resource any more, so that the API does not show them. */
async function ownerless(
  { reader }: Store,
  { ofTable }: ModelSet,
  touched: ReadonlySet<string>,
  live: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const notes: string[] = [];
  for (const [table, sharing] of ofTable) {
    const isUntouched = live.has(table) && !touched.has(table);
    if (!isUntouched || sharing.some(({ discriminator }) => Object.keys(discriminator).length === 0)) continue;
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

function deciding({ model, field, trait, problem: { message, hint } }: RequiredDecision): Step {
  const table = model.table!.name;
  const said = { risk: 'refused' as const, sql: [], why: message, hint: hint?.replace(/\.?$/, '.') };
  if (trait !== undefined) return { kind: 'adopt items', table, name: trait, ...said };
  return { kind: 'keep values', table, column: field!, ...said };
}

function adopting({ model, trait }: Newcomer): Step {
  const why = `what the new trait needs is computed for the existing items of ${model.name}`;
  return { kind: 'adopt items', table: model.table!.name, name: trait, risk: 'safe', sql: [], why };
}

function deriving({ name, table }: ResourceModel): Step {
  const why = `sort keys, search texts and rendered texts of the items of ${name} are worked out from what is stored`;
  return { kind: 'derive columns', table: table!.name, risk: 'safe', sql: [], why };
}
