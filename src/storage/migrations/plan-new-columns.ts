// Plans columns that the schema has and the table does not.
import type { Scalar } from '../../model/schema/schema.js';
import { toBound } from '../sql/bind-value.js';
import { formerColumns, leftoverChecks } from './plan-leftovers.js';
import { type DataCheck, dataCheck, type Step, stepOf, type TablePlan, type PlannedChange, wording } from './step.js';
import type { LiveShape } from '../sql/migration-dialect.js';
import type { ColumnModel } from '../../model/table.js';

/** Hint for rows that would lack a value. */
export const FILL =
  'Give the field a default or a backfill. If it marks the rows of a resource, say which one has them: "movedFrom" in its storage.';

/**
 * Adds the step for a column that the table lacks. One without a backfill that is nullable or has a default is added
 * directly; others go to `changes`.
 */
export function planNewColumn(plan: TablePlan, column: ColumnModel, changes: PlannedChange[]): void {
  const { table, dialect, migration, shape, steps, withLeftovers: whole = table } = plan;
  // Already reported as an error.
  if (column.renamedFrom && table.columns.has(column.renamedFrom) && shape.columns.has(column.renamedFrom)) return;
  const step: Step = {
    ...stepOf(plan, 'add column', column.name, 'safe', 'the schema has it, the table does not'),
  };
  const checks = [...formerPairs(plan, column), ...leftoverChecks(plan, column)];
  if (checks.length > 0) step.checks = checks;
  const hint = renameHint(plan, column);
  if (hint) step.hint = hint;
  const { backfill, demanded } = column;
  const hasDefault = column.default !== undefined && column.default !== null;
  if (backfill === undefined && (column.nullable || hasDefault)) {
    const checks = [...(step.checks ?? []), ...(demanded ? [missingValueCheck(plan, demanded)] : [])];
    steps.push({ ...step, ...(checks.length > 0 ? { checks: checks } : {}), sql: dialect.addColumn(whole, column) });
    plan.shape.columns.set(column.name, {
      name: column.name,
      origin: '',
      type: migration.typeText(whole, column),
      nullable: column.nullable === true,
      hasDefault,
      fallback: hasDefault ? migration.literal(column, column.default) : null,
      key: 0,
    });
    return;
  }
  const nullable = column.nullable === true;
  if (backfill === undefined) {
    const checks = [...(step.checks ?? []), missingValueCheck(plan, demanded ?? {})];
    changes.push({ step: { ...step, checks: checks }, change: { column, nullable } });
  } else if (!accepts(column, backfill)) {
    plan.steps.push({
      ...step,
      risk: 'refused',
      why: 'its backfill is not a value of this column',
      hint: 'Correct it.',
    });
  } else {
    const filled = { ...step, why: `${step.why}; rows that are there get its backfill` };
    changes.push({ step: filled, change: { column, nullable, fill: migration.literal(column, backfill) } });
  }
}

/** A to-many field became a to-one field, renamed or not: which value to keep is ambiguous. */
function formerPairs({ table, orphanTables: former, dialect }: TablePlan, column: ColumnModel): DataCheck[] {
  const names = column.derived ? [] : [column.name, ...(column.renamedFrom ? [column.renamedFrom] : [])];
  return names.flatMap((name) => {
    const side = `${table.name}_${name}`;
    if (!former.has(side)) return [];
    const list = `of the former list ${name}`;
    const why = wording(`value ${list} is`, `values ${list} are`, `in the table ${side}`);
    const hint = `Keep its type, or give the new field another name or "column", without "renamedFrom": "${name}". The list is dropped only by you: DROP TABLE ${dialect.quote(side)}.`;
    return [{ sql: `SELECT COUNT(*) FROM ${dialect.quote(side)}`, risk: 'refused' as const, why, hint }];
  });
}

// A new column while one of the same type disappears is probably a renamed field.
function renameHint(plan: TablePlan, column: ColumnModel): string | undefined {
  if (!column.mayBeRenamed) return undefined;
  const names = formerColumns(plan, column).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return `If this field was ${names.slice(0, 3).join(' or ')} before, say so: "renamedFrom": "${names[0]}".`;
}

function accepts(column: ColumnModel, value: Scalar): boolean {
  try {
    const bound = toBound(value, column);
    if (bound === null) return column.nullable === true;
    return typeof bound !== 'string' || column.length === undefined || [...bound].length <= column.length;
  } catch {
    return false;
  }
}

/** Data check for rows of the resource that would lack a value. */
function missingValueCheck(plan: TablePlan, where: Readonly<Record<string, Scalar>>): DataCheck {
  const conditions = conditionsOf(plan, where, plan.shape);
  return dataCheck(plan, conditions.join(' AND ') || '1 = 1', {
    risk: 'refused',
    why: wording('row has', 'rows have', 'no value for a required column'),
    hint: FILL,
  });
}

/** A discriminator as SQL conditions, without columns that do not exist yet. */
export function conditionsOf(
  { table, migration, dialect }: Pick<TablePlan, 'table' | 'migration' | 'dialect'>,
  where: Readonly<Record<string, Scalar>>,
  shape: LiveShape,
  alias = '',
): string[] {
  return Object.entries(where).flatMap(([name, value]) => {
    const origin = shape.columns.get(name)?.origin;
    const column = table.columns.get(name);
    return origin && column ? [`${alias}${dialect.quote(origin)} = ${migration.literal(column, value)}`] : [];
  });
}
