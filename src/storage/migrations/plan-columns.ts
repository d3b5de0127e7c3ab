// Plans the changes of an existing table's columns.
import { columnTypeOf, sameColumnType } from './column-type.js';
import { typeChangeStep } from './plan-type-change.js';
import {
  type DataCheck,
  dataCheck,
  keyOf,
  type QueryCheck,
  type Step,
  stepOf,
  type TablePlan,
  type PlannedChange,
  wording,
} from './step.js';
import type { ColumnChange, ColumnType, LiveField } from '../sql/migration-dialect.js';
import type { ColumnModel, IndexModel, TableModel } from '../../model/table.js';
import { semanticChangeStep } from './plan-content-type.js';
import { duplicates, isMadeByHand } from './plan-indexes.js';
import { planNewColumn, FILL } from './plan-new-columns.js';
import { planRename } from './plan-renames.js';

/** Adds the steps of all columns of the model, in an executable order. */
export function planColumns(plan: TablePlan): void {
  for (const column of plan.table.columns.values()) planRename(plan, column);
  plan.withLeftovers = withLeftovers(plan);
  const changes: PlannedChange[] = [];
  let next = plan.steps.length;
  for (const column of plan.table.columns.values()) {
    const live = plan.shape.columns.get(column.name);
    if (!live) planNewColumn(plan, column, changes);
    else if (!column.primary || column.name !== 'id') compare(plan, column, live, changes);
  }
  for (const live of plan.shape.columns.values()) {
    if (!plan.table.columns.has(live.name)) unknown(plan, live, changes);
  }
  const applied = changes.filter(({ step }) => !isSkipped(plan, step));
  const obstacle = applied.length > 0 ? plan.migration.unchangeable?.(plan.shape) : undefined;
  const sql = plan.migration.change(
    plan.withLeftovers,
    plan.shape,
    applied.map(({ change }) => change),
  );
  applied.forEach(({ step, change }, at) => {
    step.sql = [...dropBlockingIndexes(plan, change), ...sql[at]!];
    if (obstacle)
      Object.assign(step, { risk: 'refused', why: obstacle, hint: 'Drop it, or create the table by hand.' });
    // First: where rows have a maximum size, a string that is stored elsewhere from now on makes room for new columns.
    if (plan.dialect.remote && step.kind === 'widen column') plan.steps.splice(next++, 0, step);
    else plan.steps.push(step);
  });
}

/** The table with its leftover columns, marked as keys because their types stay. */
function withLeftovers({ table, shape, dialect }: TablePlan): TableModel {
  const columns = new Map(table.columns);
  for (const { name, type } of shape.columns.values()) {
    if (columns.has(name)) continue;
    const { family, capacity } = columnTypeOf(type, dialect.name);
    const isVarchar = family === 'text' && /char/i.test(type);
    const kind = isVarchar ? 'varchar' : family === 'text' ? 'text' : family === 'boolean' ? 'boolean' : 'integer';
    columns.set(name, { name, kind, primary: true, ...(isVarchar ? { length: capacity } : {}) });
  }
  return { ...table, columns };
}

function isSkipped({ skip }: TablePlan, step: Step): boolean {
  return skip.has(keyOf(step));
}

/**
 * Servers cannot keep some indexes while the type of their column changes: these are dropped, and planIndex creates
 * them again. SQLite rebuilds the whole table with its indexes.
 */
function dropBlockingIndexes({ dialect, table, shape }: TablePlan, { column, live, form }: ColumnChange): string[] {
  if (!live || !form || !dialect.remote) return [];
  const before: ColumnModel = { ...column, ...asColumn(form.from) };
  const old: TableModel = { ...table, columns: new Map(table.columns).set(column.name, before) };
  return [...shape.indexes].flatMap(([name, { columns }]) => {
    if (!columns.includes(column.name) || /^PRIMARY$|_pkey\d*$/.test(name)) return [];
    const index = table.indexes.get(name);
    // Those that were made by hand stay, and the database keeps them or refuses the change.
    if (!index && isMadeByHand(name)) return [];
    const same = index && `${dialect.createIndex(old, index)}` === `${dialect.createIndex(table, index)}`;
    if (form.from.family === form.to.family && same) return [];
    shape.indexes.delete(name);
    return dialect.dropIndex(table, { name, columns });
  });
}

function asColumn({ family, capacity }: ColumnType): Pick<ColumnModel, 'kind' | 'length'> {
  if (family !== 'text') return { kind: 'integer' };
  return capacity > MAX_VARCHAR_CHARACTERS ? { kind: 'text' } : { kind: 'varchar', length: capacity };
}

const MAX_VARCHAR_CHARACTERS = 16_000;

function compare(plan: TablePlan, column: ColumnModel, live: LiveField, changes: PlannedChange[]): void {
  const { table, migration, dialect, withLeftovers: whole = table } = plan;
  const [from, to] = [
    columnTypeOf(live.type, dialect.name),
    columnTypeOf(migration.typeText(whole, column), dialect.name),
  ];
  const name = dialect.quote(live.origin);
  const form = sameColumnType(from, to) ? undefined : { from, to };
  const meaning = semanticChangeStep(plan, column, live, { from, to }, name);
  if (!form && meaning) plan.steps.push(meaning);
  if (form) {
    const step = mergeSteps(typeChangeStep(plan, column, live, form, name), meaning);
    // A change of nullability is a separate step, below: either of the two may be skipped.
    changes.push({ step, change: { column, live, form, nullable: live.nullable } });
    if (!isSkipped(plan, step)) live = { ...live, type: migration.typeText(whole, column) };
  }
  const nullable = column.nullable === true;
  if (nullable === live.nullable || column.primary || live.key) return;
  changes.push(nullable ? relaxing(plan, column, live) : requiring(plan, column, live, name));
}

/** Merges two steps with the data checks of both. */
function mergeSteps(step: Step, meaning: Step | undefined): Step {
  if (!meaning) return step;
  const { optional: _, ...rest } = step;
  const checks = [...(step.checks ?? []), ...(meaning.checks ?? [])];
  const { risk, why, hint } = meaning.risk === 'refused' ? meaning : step;
  return { ...rest, kind: 'convert column', risk, why, ...(hint ? { hint } : {}), checks: checks };
}

function relaxing(plan: TablePlan, column: ColumnModel, live: LiveField): PlannedChange {
  const step = stepOf(plan, 'relax column', column.name, 'safe', 'the schema allows null');
  return { step, change: { column, live, nullable: true } };
}

function requiring(plan: TablePlan, column: ColumnModel, live: LiveField, name: string): PlannedChange {
  // Do not fill NULLs with a type's implicit default.
  const fallback = column.backfill ?? (column.implied ? undefined : column.default);
  const fill = fallback === undefined || fallback === null ? undefined : plan.migration.literal(column, fallback);
  const step = stepOf(plan, 'require column', column.name, 'safe', 'the schema does not allow null');
  const filler = `the ${column.backfill === undefined ? 'default' : 'backfill'}`;
  const rest: Omit<QueryCheck, 'sql'> =
    fill === undefined
      ? {
          risk: 'refused',
          why: ['row holds null', 'rows hold null'],
          hint: `${FILL} Or fill them, or let it be nullable.`,
        }
      : { risk: 'risky', why: wording('row holds null and gets', 'rows hold null and get', filler) };
  const checks: DataCheck[] = [dataCheck(plan, `${name} IS NULL`, rest)];
  if (fill !== undefined) {
    const filled = { name: column.name, value: fallback, literal: fill };
    for (const index of plan.table.indexes.values())
      if (index.unique && uniqueColumns(index).includes(column.name))
        checks.push(...(duplicates(plan, index, filled).checks ?? []));
  }
  const change: ColumnChange = { column, live, nullable: false, ...(fill === undefined ? {} : { fill }) };
  return { step: { ...step, checks: checks }, change };
}

/** Columns whose values a unique index compares. */
function uniqueColumns({ columns, digests }: IndexModel): readonly string[] {
  return digests?.flatMap(({ sources }) => sources.map(({ column }) => column)) ?? columns;
}

function unknown(plan: TablePlan, live: LiveField, changes: PlannedChange[]): void {
  if (live.nullable || live.hasDefault || live.key) return;
  const column: ColumnModel = { name: live.name, kind: 'text', nullable: true };
  const why = 'the schema does not have it, and new rows would lack it';
  changes.push({
    step: stepOf(plan, 'relax column', live.name, 'safe', why),
    change: { column, live, nullable: true },
  });
}
