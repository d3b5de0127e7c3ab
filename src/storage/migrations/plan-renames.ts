// Plans renamed columns.
import { movedName } from './moved-names.js';
import { moveValues } from './plan-leftovers.js';
import { keyOf, type Step, type TablePlan } from './step.js';
import type { LiveShape } from '../sql/migration-dialect.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/** Adds the step of a column that has another name in the table. */
export function planRename(plan: TablePlan, column: ColumnModel): void {
  const { shape, table, dialect, migration } = plan;
  const { name, renamedFrom: old } = column;
  // A key that names the column itself says nothing.
  const moved = old === undefined || old === name ? undefined : shape.columns.get(old);
  if (!moved || old === undefined) return;
  if (table.columns.has(old)) return refuseRename(plan, column, old);
  if (shape.columns.has(name)) {
    const step = moveValues(plan, column, moved);
    if (step && !plan.skip.has(keyOf(step))) {
      plan.steps.push(step);
      const movedColumn = movedName(old, shape.columns);
      shape.columns = new Map(
        [...shape.columns].map(([key, field]) =>
          key === old ? [movedColumn, { ...field, name: movedColumn }] : [key, field],
        ),
      );
    } else if (!step)
      plan.notes.push(
        `${table.name}.${name}: ${old}, which it should replace, is of another type; its data stays there`,
      );
    return;
  }
  const sql = [...(migration.beforeRename?.(shape, old) ?? []), ...dialect.renameColumn(table, column)];
  plan.steps.push({ kind: 'rename column', table: table.name, column: name, risk: 'safe', sql, why: `was ${old}` });
  shape.columns = new Map(
    [...shape.columns].map(([key, field]) => (key === old ? [name, { ...field, name }] : [key, field])),
  );
  for (const index of shape.indexes.values()) index.columns = index.columns.map((each) => (each === old ? name : each));
  const { definition } = shape;
  if (!definition) return;
  for (const index of table.indexes.values()) if (index.fulltext) forgetFulltext(shape, index.name, name, definition);
  definition.fulltext = definition.fulltext.filter((each) => each !== old);
  definition.extras = definition.extras
    .filter((extra) => !extra.name.startsWith(`${table.name}_${old}_fts_`))
    .map((extra) => ({ ...extra, sql: withColumn(extra.sql, dialect.quote(old), dialect.quote(name)) }));
}

/** The SQL of an index or a trigger with another name of a column. A table of the same name keeps it. */
function withColumn(sql: string, old: string, name: string): string {
  const on = ` ON ${old}`;
  return sql
    .split(on)
    .map((part) => part.replaceAll(old, name))
    .join(on);
}

// Ambiguous: the values cannot belong to both the renamed field and the new one.
function refuseRename({ shape, table, steps }: TablePlan, { name, derived }: ColumnModel, old: string): void {
  const step = { kind: 'rename column' as const, table: table.name, column: name, risk: 'refused' as const, sql: [] };
  if (!shape.columns.has(name))
    steps.push({
      ...step,
      why: `it says that it was ${old}, and a field has the column ${old} as well`,
      hint: 'Migrate once without that field and add it afterwards, or give it another "column".',
    });
  // Where both exist, it was renamed earlier.
  else if (!derived && isInCircle(table.columns, name))
    steps.push({
      ...step,
      why: `it says that it was ${old}, which says that it was ${table.columns.get(old)!.renamedFrom}`,
      hint: NO_EXCHANGE,
    });
}

const NO_EXCHANGE =
  'Fields cannot exchange their names: leave "renamedFrom" out, and say "column" to keep the values of each.';

/** Adds a refused step where lists that exist are said to have been one another; `tables`: the model's by name. */
export function refuseExchange(steps: Step[], table: TableModel, tables: ReadonlyMap<string, TableModel>): void {
  const { name, renamedFrom: old } = table;
  if (old === undefined || old === name || !isInCircle(tables, name)) return;
  const why = `it says that it was ${old}, which says that it was ${tables.get(old)!.renamedFrom}`;
  steps.push({ kind: 'rename table', table: name, name: old, risk: 'refused', sql: [], why, hint: NO_EXCHANGE });
}

/** Whether columns or tables that are said to have been one another lead back to this one. */
function isInCircle(all: ReadonlyMap<string, { renamedFrom?: string }>, name: string): boolean {
  let at = all.get(name)?.renamedFrom;
  for (let steps = 0; at !== undefined && steps < all.size; steps++) {
    if (at === name) return true;
    at = all.get(at)?.renamedFrom;
  }
  return false;
}

// The full-text table of a column does not survive a rename.
function forgetFulltext(
  shape: LiveShape,
  index: string,
  column: string,
  made: NonNullable<LiveShape['definition']>,
): void {
  if (!made.fulltext.includes(column) && shape.indexes.get(index)?.columns.includes(column))
    shape.indexes.delete(index);
}
