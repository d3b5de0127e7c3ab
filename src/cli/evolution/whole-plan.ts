// The plan of `diff` and `migrate --dry-run`: table steps, then the items whose derived columns are recomputed.
import { type Outdated, outdatedMessage, outdatedValues } from '../../maintenance/check-stored-values.js';
import { RULES } from '../../maintenance/recorded-rules.js';
import { DERIVED, derivingModels, staleModels } from '../../maintenance/backfill-derived.js';
import type { Accepted } from '../../model/accepted.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { rowsOf } from '../../engine/membership.js';
import { not, or, TRUE } from '../../model/query.js';
import type { Store } from '../../model/store.js';
import { unclaimedRows } from '../../server/unclaimed-rows.js';
import type { AdministeredStore } from '../../storage/sql/administered-store.js';
import { planStore } from '../../storage/migrate-store.js';
import type { AssessedPlan } from '../../storage/migrations/assess.js';
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
  const tablePlan = await planStore(store, tables, accepted);
  const { steps, notes, live } = tablePlan;
  // An index changes no row: what is in the table can be read before it is made.
  const touched = new Set(steps.filter(({ kind }) => kind !== 'create index').map(({ table }) => table));
  const derived: Step[] = [];
  const known = live.tables.has(DERIVED.name);
  const stale = known ? await staleModels(models, store.reader) : derivingModels(models);
  for (const model of stale) if (await hasItems(model, store, live.tables, touched)) derived.push(deriving(model));
  const outdated = await outdatedBefore(models, store, tablePlan, accepted);
  const unclaimed = accepted?.has('leftovers') ? [] : await unclaimedRows(models, store);
  return {
    steps: [...steps, ...unclaimed, ...outdated.map(keeping), ...derived],
    notes: [...notes, ...(await ownerless(store, models, touched, live.tables))],
  };
}

/**
 * Values that narrower rules no longer allow, as far as they can be read before the tables are changed: not where the column
 * is made, converted or refused by a step.
 */
async function outdatedBefore(
  models: ModelSet,
  store: Store,
  { steps, live }: AssessedPlan,
  accepted?: ReadonlySet<Accepted>,
): Promise<Outdated[]> {
  if (!live.tables.has(RULES.name) || accepted?.has('values')) return [];
  const unread = ({ kind, risk }: Step) => kind === 'convert column' || risk === 'refused';
  const left = new Set(steps.filter(unread).map(({ table, column }) => `${table}.${column}`));
  return outdatedValues(models, store.reader, ({ table, discriminator }, { column }) => {
    const there = live.tables.get(table!.name)?.columns;
    const read = ['id', column!, ...Object.keys(discriminator)];
    return read.every((name) => there?.has(name)) && !left.has(`${table!.name}.${column}`);
  });
}

/** Values that `migrate` asks about before it changes anything, and the steps that it would refuse then. */
export async function askedValues(
  models: ModelSet,
  store: AdministeredStore,
  tables: ReadonlyMap<string, TableModel>,
  accepted: ReadonlySet<Accepted>,
): Promise<{ outdated: Outdated[]; refused: Step[] }> {
  // A plan reads what its steps would touch.
  if (accepted.has('values')) return { outdated: [], refused: [] };
  const plan = await planStore(store, tables, accepted);
  const outdated = await outdatedBefore(models, store, plan, accepted);
  return { outdated, refused: plan.steps.filter(({ risk }) => risk === 'refused') };
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
