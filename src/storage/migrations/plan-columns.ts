// Plans the changes of an existing table's columns.
import type { Scalar } from '../../model/schema/schema.js';
import { toBound } from '../sql/bind-value.js';
import { columnTypeOf, sameColumnType } from './column-type.js';
import { typeChangeStep, semanticChangeStep } from './plan-type-change.js';
import { formerColumns, leftoverChecks, moveValues } from './plan-leftovers.js';
import { type DataCheck, dataCheck, keyOf, type Step, stepOf, type TablePlan } from './step.js';
import type { ColumnChange, ColumnType, LiveField, LiveShape } from '../sql/migration-dialect.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

type Change = { step: Step; change: ColumnChange };

const FILL =
  'Give the field a default or a backfill. If it marks the rows of a resource, say which one has them: "movedFrom" in its storage.';

/** Adds the steps of all columns of the model, in an executable order. */
export function planColumns(plan: TablePlan): void {
  for (const column of plan.table.columns.values()) rename(plan, column);
  const changes: Change[] = [];
  for (const column of plan.table.columns.values()) {
    const live = plan.shape.columns.get(column.name);
    if (!live) add(plan, column, changes);
    else if (!column.primary || column.name !== 'id') compare(plan, column, live, changes);
  }
  for (const live of plan.shape.columns.values()) {
    if (!plan.table.columns.has(live.name)) unknown(plan, live, changes);
  }
  const wanted = changes.filter(({ step }) => !plan.skip.has([step.kind, step.table, step.column, ''].join('|')));
  const stuck = wanted.length > 0 ? plan.migration.unchangeable?.(plan.shape) : undefined;
  const sql = plan.migration.change(
    plan.table,
    plan.shape,
    wanted.map(({ change }) => change),
  );
  wanted.forEach(({ step, change }, at) => {
    step.sql = [...dropBlockingIndexes(plan, change), ...sql[at]!];
    if (stuck) Object.assign(step, { risk: 'refused', why: stuck, hint: 'Take it away, or make the table by hand.' });
    plan.steps.push(step);
  });
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
    if (!columns.includes(column.name) || /^PRIMARY$|_pkey$/.test(name)) return [];
    const index = table.indexes.get(name);
    const same = index && `${dialect.createIndex(old, index)}` === `${dialect.createIndex(table, index)}`;
    if (form.from.family === form.to.family && same) return [];
    shape.indexes.delete(name);
    return dialect.dropIndex(table, { name, columns });
  });
}

function asColumn({ family, most }: ColumnType): Pick<ColumnModel, 'kind' | 'length'> {
  if (family !== 'text') return { kind: 'integer' };
  return most > MAX_VARCHAR_CHARACTERS ? { kind: 'text' } : { kind: 'varchar', length: most };
}

const MAX_VARCHAR_CHARACTERS = 16_000;

function rename(plan: TablePlan, column: ColumnModel): void {
  const { shape, table, dialect, migration } = plan;
  const { name, renamedFrom: old } = column;
  const moved = old === undefined ? undefined : shape.columns.get(old);
  if (!moved || old === undefined) return;
  if (table.columns.has(old)) return refuseRename(plan, column, old);
  if (shape.columns.has(name)) {
    const step = moveValues(plan, column, moved);
    if (step && !plan.skip.has(keyOf(step))) {
      plan.steps.push(step);
      const aside = `${old}__moved`;
      shape.columns = new Map(
        [...shape.columns].map(([key, field]) => (key === old ? [aside, { ...field, name: aside }] : [key, field])),
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
  const { made } = shape;
  if (!made) return;
  for (const index of table.indexes.values()) if (index.fulltext) forgetFulltext(shape, index.name, name, made);
  made.fulltext = made.fulltext.filter((each) => each !== old);
  made.extras = made.extras
    .filter((extra) => !extra.name.startsWith(`${table.name}_${old}_fts_`))
    .map((extra) => ({ ...extra, sql: extra.sql.replaceAll(dialect.quote(old), dialect.quote(name)) }));
}

// Ambiguous: the values cannot belong to both the renamed field and the new one.
function refuseRename({ shape, table, steps }: TablePlan, { name }: ColumnModel, old: string): void {
  if (shape.columns.has(name)) return;
  steps.push({
    kind: 'rename column',
    table: table.name,
    column: name,
    risk: 'refused',
    sql: [],
    why: `it says that it was ${old}, and a field has the column ${old} as well`,
    hint: 'Migrate once without that field and add it afterwards, or give it another "column".',
  });
}

// The full-text table of a column does not survive a rename.
function forgetFulltext(shape: LiveShape, index: string, column: string, made: NonNullable<LiveShape['made']>): void {
  if (!made.fulltext.includes(column) && shape.indexes.get(index)?.columns.includes(column))
    shape.indexes.delete(index);
}

function add(plan: TablePlan, column: ColumnModel, changes: Change[]): void {
  const { table, dialect, migration, shape, steps } = plan;
  // Already reported as an error.
  if (column.renamedFrom && table.columns.has(column.renamedFrom) && shape.columns.has(column.renamedFrom)) return;
  const step: Step = {
    ...stepOf(plan, 'add column', column.name, 'safe', 'the schema has it, the table does not'),
  };
  const asked = [...formerPairs(plan, column), ...leftoverChecks(plan, column)];
  if (asked.length > 0) step.checks = asked;
  const hint = renameHint(plan, column);
  if (hint) step.hint = hint;
  const { backfill, demanded } = column;
  const hasDefault = column.default !== undefined && column.default !== null;
  if (backfill === undefined && (column.nullable || hasDefault)) {
    const looks = [...(step.checks ?? []), ...(demanded ? [missingValueCheck(plan, demanded)] : [])];
    steps.push({ ...step, ...(looks.length > 0 ? { checks: looks } : {}), sql: dialect.addColumn(table, column) });
    plan.shape.columns.set(column.name, {
      name: column.name,
      origin: '',
      type: migration.typeText(table, column),
      nullable: column.nullable === true,
      hasDefault,
      fallback: hasDefault ? migration.literal(column, column.default) : null,
      key: 0,
    });
    return;
  }
  const nullable = column.nullable === true;
  if (backfill === undefined) {
    const looks = [...(step.checks ?? []), missingValueCheck(plan, demanded ?? {})];
    changes.push({ step: { ...step, checks: looks }, change: { column, nullable } });
  } else if (!takes(column, backfill)) {
    plan.steps.push({ ...step, risk: 'refused', why: 'its backfill is no value of this column', hint: 'Correct it.' });
  } else {
    const filled = { ...step, why: `${step.why}; rows that are there get its backfill` };
    changes.push({ step: filled, change: { column, nullable, fill: migration.literal(column, backfill) } });
  }
}

/** A to-many field became a to-one field: which value to keep is ambiguous. */
function formerPairs({ table, orphanTables: former, dialect }: TablePlan, { name, derived }: ColumnModel): DataCheck[] {
  const side = `${table.name}_${name}`;
  if (derived || !former.has(side)) return [];
  const why = `values of the former list ${name} are in the table ${side}`;
  const hint = `Keep its type, or give the new field another name or "column". The list is dropped only by you: DROP TABLE ${dialect.quote(side)}.`;
  return [{ sql: `SELECT COUNT(*) FROM ${dialect.quote(side)}`, risk: 'refused', why, hint }];
}

// A new column while one of the same type disappears is probably a renamed field.
function renameHint(plan: TablePlan, column: ColumnModel): string | undefined {
  if (!column.asks) return undefined;
  const names = formerColumns(plan, column).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return `If this field was ${names.slice(0, 3).join(' or ')} before, say so: "renamedFrom": "${names[0]}".`;
}

function takes(column: ColumnModel, value: Scalar): boolean {
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
    why: 'rows have no value for a required column',
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

function compare(plan: TablePlan, column: ColumnModel, live: LiveField, changes: Change[]): void {
  const { table, migration, dialect } = plan;
  const [from, to] = [
    columnTypeOf(live.type, dialect.name),
    columnTypeOf(migration.typeText(table, column), dialect.name),
  ];
  const name = dialect.quote(live.origin);
  const form = sameColumnType(from, to) ? undefined : { from, to };
  const meaning = semanticChangeStep(plan, column, live, { from, to }, name);
  if (!form && meaning) plan.steps.push(meaning);
  if (form) {
    const step = mergeSteps(typeChangeStep(plan, column, live, form, name), meaning);
    // If the type change is skipped, the column stays nullable, too.
    changes.push({ step, change: { column, live, form, nullable: live.nullable } });
    live = { ...live, type: migration.typeText(table, column) };
  }
  const nullable = column.nullable === true;
  if (nullable === live.nullable || column.primary || live.key) return;
  changes.push(nullable ? relaxing(plan, column, live) : requiring(plan, column, live, name));
}

/** Merges two steps with the data checks of both. */
function mergeSteps(step: Step, meaning: Step | undefined): Step {
  if (!meaning) return step;
  const { optional: _, ...rest } = step;
  const looks = [...(step.checks ?? []), ...(meaning.checks ?? [])];
  const { risk, why, hint } = meaning.risk === 'refused' ? meaning : step;
  return { ...rest, kind: 'convert column', risk, why, ...(hint ? { hint } : {}), checks: looks };
}

function relaxing(plan: TablePlan, column: ColumnModel, live: LiveField): Change {
  const step = stepOf(plan, 'relax column', column.name, 'safe', 'the schema allows null');
  return { step, change: { column, live, nullable: true } };
}

function requiring(plan: TablePlan, column: ColumnModel, live: LiveField, name: string): Change {
  // Do not fill NULLs with a type's implicit default.
  const said = column.backfill ?? (column.implied ? undefined : column.default);
  const fill = said === undefined || said === null ? undefined : plan.migration.literal(column, said);
  const step = stepOf(plan, 'require column', column.name, 'safe', 'the schema does not allow null');
  const rest: Omit<DataCheck, 'sql'> =
    fill === undefined
      ? { risk: 'refused', why: 'rows hold null', hint: `${FILL} Or fill them, or let it be nullable.` }
      : { risk: 'risky', why: `rows hold null and get the ${column.backfill === undefined ? 'default' : 'backfill'}` };
  const looks = [dataCheck(plan, `${name} IS NULL`, rest)];
  const change: ColumnChange = { column, live, nullable: false, ...(fill === undefined ? {} : { fill }) };
  return { step: { ...step, checks: looks }, change };
}

function unknown(plan: TablePlan, live: LiveField, changes: Change[]): void {
  if (live.nullable || live.hasDefault || live.key) return;
  const column: ColumnModel = { name: live.name, kind: 'text', nullable: true };
  const why = 'the schema does not have it, and new rows would lack it';
  changes.push({
    step: stepOf(plan, 'relax column', live.name, 'safe', why),
    change: { column, live, nullable: true },
  });
}
