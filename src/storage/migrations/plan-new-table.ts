// Plans new tables, and tables that are recreated because their key changes.
import type { LiveShape } from '../sql/migration-dialect.js';
import type { LiveSchema } from './live-schema.js';
import { sourceOf } from './plan-sources.js';
import { leftoverTableChecks } from './plan-leftovers.js';
import { type PlanContext, type Plan, wording } from './step.js';
import type { TableModel } from '../../model/table.js';
import { createIndexes } from './plan-indexes.js';

/** Whether a column of the primary key is missing. */
export function lacksKey(table: TableModel, shape: LiveShape): boolean {
  return [...table.columns.values()].some(({ name, primary }) => primary && !shape.columns.has(name));
}

/**
 * Pairs of ids became pairs of strings, or vice versa: the table is recreated. A table of items without ids was not
 * created by Typecase.
 */
export function planNewKey(plan: Plan, table: TableModel, { dialect, migration }: PlanContext): void {
  if (table.columns.has('id')) {
    const why = 'a table of this name is there, of another program: it has no column id';
    const hint = 'Name another database in DATABASE_URL, or another "table" in the "storage" of the resource.';
    plan.steps.push({ kind: 'create table', table: table.name, risk: 'refused', sql: [], why, hint });
    return;
  }
  const quoted = dialect.quote(table.name);
  const isEmpty = {
    sql: `SELECT COUNT(*) FROM ${quoted}`,
    risk: 'refused' as const,
    why: wording('value of another type is', 'values of another type are', 'in this table'),
    hint: 'Give the field another name or "column", and write its values anew.',
  };
  const base = { kind: 'create table' as const, table: table.name, risk: 'safe' as const };
  const sql = [
    ...migration.dropTable({ name: table.name, columns: new Map(), indexes: new Map() }),
    ...dialect.createTable(table),
  ];
  plan.steps.push({ ...base, sql, why: 'its key changes, and it is empty', checks: [isEmpty] });
  createIndexes(plan, table, dialect);
}

/** The temporary name of a table while it is being filled. */
function temporaryName({ name }: TableModel): string {
  return `${name}__new`;
}

/**
 * Statements that create and fill a table. The final name marks it as complete: where each DDL statement commits, the
 * table is renamed last.
 */
function creationOf(
  table: TableModel,
  filled: string | undefined,
  from: string | undefined,
  { dialect, migration }: PlanContext,
): string[] {
  if (!filled) return dialect.createTable(table);
  const advance = (name: string) => (from === undefined ? [] : migration.advance(name, from));
  if (!migration.commits) return [...dialect.createTable(table), filled, ...advance(table.name)];
  const before = dialect.quote(temporaryName(table));
  return [
    `DROP TABLE IF EXISTS ${before}`,
    ...dialect.createTable({ ...table, name: temporaryName(table) }),
    filled,
    ...advance(temporaryName(table)),
    `ALTER TABLE ${before} RENAME TO ${dialect.quote(table.name)}`,
  ];
}

/** Adds the steps of a table that the database does not have. */
export function planNewTable(
  plan: Plan,
  table: TableModel,
  live: LiveSchema,
  models: readonly TableModel[],
  context: PlanContext,
): void {
  const { dialect, migration } = context;
  const hasKey = [...table.columns.values()].some((column) => column.primary || column.name === 'id');
  const source = hasKey ? sourceOf(table, live, models, context) : undefined;
  const filled = source?.fill && source.fill(migration.commits ? temporaryName(table) : table.name);
  const checks = source ? [] : leftoverTableChecks(table, live, context.orphanTables, context.accepted, dialect);
  plan.steps.push({
    kind: 'create table',
    table: table.name,
    ...(checks.length > 0 ? { checks: checks } : {}),
    ...(hasKey
      ? { risk: 'safe', why: 'the database does not have it', ...source?.step }
      : {
          risk: 'refused',
          why: 'the table has no primary key',
          hint: 'Give it a column id, or mark columns primary.',
        }),
    sql: hasKey ? creationOf(table, filled, source?.from, context) : [],
  });
  createIndexes(plan, table, dialect);
}
