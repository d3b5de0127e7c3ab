// Plans the migration from the live database to the tables of the models: every step with its risk and SQL. Pure;
// run.ts executes the data checks.
import type { Accepted } from '../../model/accepted.js';
import type { Dialect } from '../sql/dialect.js';
import type { LiveShape, MigrationDialect } from '../sql/migration-dialect.js';
import type { LiveSchema } from './live-schema.js';
import { planColumns } from './plan-columns.js';
import { sourceOf } from './plan-sources.js';
import { planMoves } from './plan-moves.js';
import { leftoverTableChecks } from './plan-leftovers.js';
import { keyOf, dataCheck, MAX_IDS, type Plan, type Step, type TablePlan } from './step.js';
import type { IndexModel, TableModel } from '../../model/table.js';

/**
 * Plans all tables. Steps are in executable order; those named in `skip` are left out, and the others are planned as
 * if they never ran. Risks are those that the schemas alone decide; data checks may raise them later.
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
  const means: Means = {
    dialect,
    migration,
    skip,
    accepted,
    orphanTables: former,
    previousTypes: live.previousTypes,
    forget: models.flatMap(({ name, progress }) =>
      progress && live.tables.has(name) ? [`DELETE FROM ${dialect.quote(name)}`] : [],
    ),
  };
  for (const table of models) {
    const shape = live.tables.get(table.name) ?? renamedTable(plan, table, live, means);
    if (!shape) create(plan, table, live, models, means);
    else if (lacksKey(table, shape)) remake(plan, table, means);
    else planTable(plan, table, shape, live, means);
  }
  // After their related tables exist.
  for (const table of models) {
    const now = live.tables.get(table.name);
    const shape = copyOf(now ?? { name: table.name, columns: new Map(), indexes: new Map() });
    const quoted = dialect.quote(table.name);
    const own = { ...means, table, shape, quoted, steps: plan.steps, notes: plan.notes };
    planMoves(own, live, now, models);
  }
  const renamed = plan.steps.flatMap(({ kind, name }) => (kind === 'rename table' ? [name!] : []));
  const known = new Set([...wanted, ...moving, ...renamed]);
  for (const shape of live.tables.values()) if (!known.has(shape.name)) planOrphanTable(plan, shape, live, migration);
  return { ...plan, steps: plan.steps.filter((step) => !skip.has(keyOf(step))) };
}

type Means = Pick<
  TablePlan,
  'dialect' | 'migration' | 'skip' | 'orphanTables' | 'previousTypes' | 'accepted' | 'forget'
>;

/** A join table is renamed along with its field. Returns its shape after the rename. */
function renamedTable(plan: Plan, table: TableModel, live: LiveSchema, means: Means): LiveShape | undefined {
  const { renamedFrom: old } = table;
  const shape = old === undefined || !means.orphanTables.has(old) ? undefined : live.tables.get(old);
  if (!shape || old === undefined) return undefined;
  const { quote } = means.dialect;
  plan.steps.push({
    kind: 'rename table',
    table: table.name,
    name: old,
    risk: 'safe',
    sql: [`ALTER TABLE ${quote(old)} RENAME TO ${quote(table.name)}`],
    why: `was ${old}`,
  });
  return { ...shape, asked: old, name: table.name };
}

function lacksKey(table: TableModel, shape: LiveShape): boolean {
  return [...table.columns.values()].some(({ name, primary }) => primary && !shape.columns.has(name));
}

/** Pairs of ids became pairs of strings, or vice versa: recreate the table. */
function remake(plan: Plan, table: TableModel, { dialect, migration }: Means): void {
  const quoted = dialect.quote(table.name);
  const isEmpty = {
    sql: `SELECT COUNT(*) FROM ${quoted}`,
    risk: 'refused' as const,
    why: 'values of another type are in this table',
    hint: 'Give the field another name or "column", and write its values anew.',
  };
  const made = { kind: 'create table' as const, table: table.name, risk: 'safe' as const };
  const sql = [
    ...migration.dropTable({ name: table.name, columns: new Map(), indexes: new Map() }),
    ...dialect.createTable(table),
  ];
  plan.steps.push({ ...made, sql, why: 'its key changes, and it is empty', checks: [isEmpty] });
  createIndexes(plan, table, dialect);
}

function create(plan: Plan, table: TableModel, live: LiveSchema, models: readonly TableModel[], means: Means): void {
  const { dialect, migration } = means;
  const hasKey = [...table.columns.values()].some((column) => column.primary || column.name === 'id');
  const source = hasKey ? sourceOf(table, live, models, means) : undefined;
  const named = dialect.quote(table.name);
  const before = `${table.name}__new`;
  const filled = source?.fill && source.fill(migration.commits ? before : table.name);
  // The final name marks the table as complete: where each DDL statement commits, the rename comes last.
  const whole =
    filled && migration.commits
      ? [
          `DROP TABLE IF EXISTS ${dialect.quote(before)}`,
          ...dialect.createTable({ ...table, name: before }),
          filled,
          `ALTER TABLE ${dialect.quote(before)} RENAME TO ${named}`,
        ]
      : [
          ...dialect.createTable(table),
          ...(filled ? [filled] : []),
          ...(filled && table.columns.has('id') ? (migration.advance?.(table.name) ?? []) : []),
        ];
  const looks = source ? [] : leftoverTableChecks(table, live, means.orphanTables, means.accepted, dialect);
  plan.steps.push({
    kind: 'create table',
    table: table.name,
    ...(looks.length > 0 ? { checks: looks } : {}),
    ...(hasKey
      ? { risk: 'safe', why: 'the database does not have it', ...source?.step }
      : {
          risk: 'refused',
          why: 'the table has no primary key',
          hint: 'Give it a column id, or mark columns primary.',
        }),
    sql: hasKey ? whole : [],
  });
  createIndexes(plan, table, dialect);
}

function createIndexes(plan: Plan, table: TableModel, dialect: Dialect): void {
  for (const index of table.indexes.values()) {
    const sql = dialect.createIndex(table, index);
    if (sql.length > 0) plan.steps.push(indexStep('create index', table, index, sql, 'the table is new'));
  }
}

function planTable(plan: Plan, table: TableModel, found: LiveShape, live: LiveSchema, means: Means): void {
  const shape = copyOf(found);
  const quoted = means.dialect.quote(found.asked ?? table.name);
  const before = new Set(shape.columns.keys());
  const own: TablePlan = { ...means, table, shape, quoted, steps: plan.steps, notes: plan.notes };
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
      sql: means.migration.dropColumn(own.shape, column.name),
      optional: !column.key,
    });
  }
}

function staleIndexes({ migration, table, shape, dialect, steps, notes }: TablePlan, live: LiveSchema): void {
  for (const { name, sql } of migration.staleFulltext?.(table, shape) ?? []) {
    steps.push({
      kind: 'drop index',
      table: table.name,
      name,
      risk: 'safe',
      sql,
      why: 'the schema does not search there',
    });
    if (shape.made) shape.made.fulltext = [];
  }
  for (const [name, { columns, unique }] of shape.indexes) {
    if (table.indexes.has(name) || /^(sqlite_autoindex_|PRIMARY$)|_pkey$/.test(name)) continue;
    if (!/^[iu]x_/.test(name) && !live.made.has(name)) {
      notes.push(`${table.name}: the index ${name} was made by hand and stays`);
      continue;
    }
    shape.indexes.delete(name);
    const sql = dialect.dropIndex(table, { name, columns, unique });
    steps.push({ kind: 'drop index', table: table.name, name, risk: 'safe', sql, why: 'the schema does not need it' });
  }
}

function planIndex(plan: TablePlan, index: IndexModel): void {
  const { table, dialect, shape, steps } = plan;
  const same = shape.indexes.get(index.name);
  if (same && same.unique === (index.unique ?? false) && `${same.columns}` === `${index.columns}`) return;
  const sql = [...(same ? dialect.dropIndex(table, index) : []), ...dialect.createIndex(table, index)];
  if (sql.length === 0) return;
  const why = same ? 'it covers other columns' : 'the schema needs it';
  const step = indexStep(same ? 'rebuild index' : 'create index', table, index, sql, why);
  steps.push({ ...step, ...(index.unique ? duplicates(plan, index) : {}) });
}

/** Data check for rows that violate a unique index. NULLs are never equal. */
function duplicates(plan: TablePlan, index: IndexModel): Pick<Step, 'checks'> {
  const { shape, dialect, table } = plan;
  const columns = index.columns.map((name) => shape.columns.get(name));
  const there = columns
    .filter((column) => column && column.origin !== '')
    .map((column) => dialect.quote(column!.origin));
  // A new column without a value is NULL everywhere, so nothing can be duplicate.
  if (index.columns.some((name, at) => !columns[at]?.origin && table.columns.get(name)?.nullable)) return {};
  const condition = there.map((name) => `${name} IS NOT NULL`).join(' AND ') || '1 = 1';
  const group = there.length > 0 ? ` GROUP BY ${there.join(', ')}` : '';
  const look = dataCheck(plan, condition, {
    risk: 'refused',
    why: `values of ${index.columns.join(', ')} stand in more than one row`,
    hint: 'Make them different, or let the field not be unique.',
  });
  const twice = (what: string) => `SELECT ${what} FROM ${plan.quoted} WHERE ${condition}${group} HAVING COUNT(*) > 1`;
  const sql = `SELECT COUNT(*) FROM (${twice('1 AS one')}) d`;
  const id = dialect.quote('id');
  const joined = there.map((name) => `d.${name} = t.${name}`).join(' AND ') || '1 = 1';
  const order = [...there, id].map((name) => `t.${name}`).join(', ');
  const ids = `SELECT t.${id} FROM ${plan.quoted} t JOIN (${twice(there.join(', ') || '1 AS one')}) d ON ${joined} ORDER BY ${order} LIMIT ${MAX_IDS}`;
  return { checks: [{ ...look, sql, ...(look.ids ? { ids } : {}) }] };
}

function indexStep(kind: Step['kind'], table: TableModel, { name }: IndexModel, sql: string[], why: string): Step {
  return { kind, table: table.name, name, risk: 'safe', sql, why };
}

function planOrphanTable(plan: Plan, shape: LiveShape, live: LiveSchema, migration: MigrationDialect): void {
  if (!live.made.has(shape.name) && !live.made.has(shape.name.replace(/__moved$/, ''))) {
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
