// Plans the migration from the live database to the tables of the models: every step with its risk and SQL. Pure;
// assess.ts runs the data checks.
import type { Accepted } from '../../model/accepted.js';
import type { Dialect } from '../sql/dialect.js';
import type { LiveShape, MigrationDialect } from '../sql/migration-dialect.js';
import { formerName } from './moved-names.js';
import type { LiveSchema } from './live-schema.js';
import { planColumns } from './plan-columns.js';
import { planMoves, sidesOf } from './plan-moves.js';
import { refuseExchange } from './plan-renames.js';
import { refuseIndexes, refuseNames, refuseRows } from './refuse-unfit.js';
import { keyOf, type PlanContext, type Plan, type Step, type TablePlan } from './step.js';
import type { TableModel } from '../../model/table.js';
import { freeIndexNames, staleIndexes, planIndex } from './plan-indexes.js';
import { lacksKey, planNewKey, planNewTable } from './plan-new-table.js';

/**
 * Plans all tables. Steps are in executable order; those named in `skip` are left out, and the others are planned as if
 * they never ran. Risks follow from the schemas alone; data checks may raise them later.
 */
export function planMigration(
  live: LiveSchema,
  models: readonly TableModel[],
  dialect: Dialect,
  skip: ReadonlySet<string> = new Set(),
  accepted: ReadonlySet<Accepted> = new Set(),
): Plan {
  const plan: Plan = { steps: [], notes: [] };
  const { migration } = dialect;
  const moving = new Set(models.flatMap(({ movedFrom = [] }) => movedFrom.map(({ table }) => table)));
  const wanted = new Set(models.map(({ name }) => name));
  const former = new Set([...live.tables.keys()].filter((name) => !wanted.has(name)));
  const context: PlanContext = {
    dialect,
    migration,
    skip,
    accepted,
    orphanTables: former,
    previousTypes: live.previousTypes,
    listed: listedColumns(models),
    forget: models.flatMap(({ name, progress }) =>
      progress && live.tables.has(name) ? [`DELETE FROM ${dialect.quote(name)}`] : [],
    ),
  };
  const tables = new Map(models.map((table) => [table.name, table]));
  for (const table of models) {
    if (live.tables.has(table.name)) refuseExchange(plan.steps, table, tables);
    const shape = live.tables.get(table.name) ?? renamedTable(plan, table, live, context);
    if (!shape) planNewTable(plan, table, live, models, context);
    else if (lacksKey(table, shape)) planNewKey(plan, table, context);
    else planTable(plan, table, shape, live, context);
  }
  // After their related tables exist.
  for (const table of models) {
    const now = live.tables.get(table.name);
    const shape = copyOf(now ?? { name: table.name, columns: new Map(), indexes: new Map() });
    const quoted = dialect.quote(table.name);
    const own = { ...context, table, shape, quoted, steps: plan.steps, notes: plan.notes };
    planMoves(own, live, now, models);
  }
  const renamed = plan.steps.flatMap(({ kind, name }) => (kind === 'rename table' ? [name!] : []));
  // The lists of a table that moves are given another name together with it.
  const sides = models.flatMap((table) =>
    (table.movedFrom ?? []).flatMap((move) => sidesOf(table, move.table, live, models).map(({ side }) => side.name)),
  );
  const known = new Set([...wanted, ...moving, ...renamed, ...sides]);
  for (const shape of live.tables.values()) if (!known.has(shape.name)) planOrphanTable(plan, shape, live, migration);
  freeIndexNames(plan.steps, live, former, dialect);
  refuseNames(plan.steps, migration);
  refuseRows(plan.steps, models, live, migration);
  refuseIndexes(plan.steps, models, live, migration);
  // Lists and tables that are filled from a column have to be made while it is there.
  const isLast = ({ kind }: Step) => kind === 'drop column' || kind === 'drop table';
  const steps = [...plan.steps.filter((step) => !isLast(step)), ...plan.steps.filter(isLast)];
  return { ...plan, steps: steps.filter((step) => !skip.has(keyOf(step))) };
}

/** Columns that become, or have become, the first members of a list. */
function listedColumns(models: readonly TableModel[]): Set<string> {
  return new Set(
    models.flatMap(({ pairsOf }) =>
      pairsOf ? [pairsOf.column, pairsOf.renamedFrom ?? pairsOf.column].map((name) => `${pairsOf.table}.${name}`) : [],
    ),
  );
}

/** A join table is renamed along with its field. Returns its shape after the rename. */
function renamedTable(plan: Plan, table: TableModel, live: LiveSchema, context: PlanContext): LiveShape | undefined {
  const { renamedFrom: old } = table;
  const shape = old === undefined || !context.orphanTables.has(old) ? undefined : live.tables.get(old);
  if (!shape || old === undefined) return undefined;
  const { quote } = context.dialect;
  plan.steps.push({
    kind: 'rename table',
    table: table.name,
    name: old,
    risk: 'safe',
    sql: [`ALTER TABLE ${quote(old)} RENAME TO ${quote(table.name)}`],
    why: `was ${old}`,
  });
  return { ...shape, currentName: old, name: table.name };
}

function planTable(plan: Plan, table: TableModel, found: LiveShape, live: LiveSchema, context: PlanContext): void {
  const shape = copyOf(found);
  const quoted = context.dialect.quote(found.currentName ?? table.name);
  const before = new Set(shape.columns.keys());
  const own: TablePlan = { ...context, table, shape, quoted, steps: plan.steps, notes: plan.notes };
  planColumns(own);
  staleIndexes(own, live);
  for (const index of table.indexes.values()) planIndex(own, index);
  for (const column of own.shape.columns.values()) {
    if (table.columns.has(column.name) || !before.has(column.name)) continue;
    plan.steps.push({
      kind: 'drop column',
      table: table.name,
      column: column.name,
      ...(column.key
        ? { risk: 'refused' as const, why: 'it is part of the primary key, and no schema has it' }
        : { risk: 'destructive' as const, why: 'no schema has it; its data stays until it is dropped' }),
      sql: context.migration.dropColumn(own.shape, column.name),
      optional: !column.key,
    });
  }
}

function planOrphanTable(plan: Plan, shape: LiveShape, live: LiveSchema, migration: MigrationDialect): void {
  if (!live.created.has(shape.name) && !live.created.has(formerName(shape.name))) {
    plan.notes.push(`${shape.name}: no schema has this table, and Typecase did not make it; it stays`);
    return;
  }
  plan.steps.push({
    kind: 'drop table',
    table: shape.name,
    risk: 'destructive',
    sql: migration.dropTable(shape),
    why: 'no schema has it; its data stays until it is dropped',
    optional: true,
  });
}

function copyOf(shape: LiveShape): LiveShape {
  return structuredClone(shape);
}
