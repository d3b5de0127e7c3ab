// What must happen to the columns of a table that is there. Called by plan-evolution.ts.
import type { ColumnModel, TableModel } from '../../model/model.js';
import type { Scalar } from '../../model/schema.js';
import { toBound } from '../binding.js';
import type { Dialect } from '../dialect.js';
import { formOf, sameForm } from './form.js';
import type { LiveField, LiveShape } from './live-schema.js';
import { formStep } from './plan-form.js';
import type { Look, Risk, Step, StepKind } from './step.js';
import type { ColumnChange, Words } from './words.js';

/** What planning one table needs. `shape` is the table as it will be, changed along with the plan. */
export interface TablePlan {
  dialect: Dialect;
  words: Words;
  table: TableModel;
  shape: LiveShape;
  /** The name that questions to the data use. */
  quoted: string;
  steps: Step[];
  notes: string[];
  skip: ReadonlySet<string>;
}

type Change = { step: Step; change: ColumnChange };

const FILL = 'Give the field a default or a backfill.';

/** Adds the steps of all columns of the model, in an order that SQL can run. */
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
  const stuck = wanted.length > 0 ? plan.words.unchangeable?.(plan.shape) : undefined;
  const sql = plan.words.change(
    plan.table,
    plan.shape,
    wanted.map(({ change }) => change),
  );
  wanted.forEach(({ step }, at) => {
    step.sql = sql[at]!;
    if (stuck) Object.assign(step, { risk: 'refused', why: stuck, hint: 'Take it away, or make the table by hand.' });
    plan.steps.push(step);
  });
}

/** Questions about the rows of the table that `condition` is true of. */
export function lookAt({ table, quoted, dialect }: TablePlan, condition: string, rest: Omit<Look, 'sql'>): Look {
  const example = table.columns.has('id') ? `MIN(${dialect.quote('id')})` : 'NULL';
  return { ...rest, sql: `SELECT COUNT(*), ${example} FROM ${quoted} WHERE ${condition}` };
}

function rename(plan: TablePlan, column: ColumnModel): void {
  const { shape, table, dialect, words } = plan;
  const { name, renamedFrom: old } = column;
  const moved = old === undefined || table.columns.has(old) ? undefined : shape.columns.get(old);
  if (!moved || old === undefined) return;
  if (shape.columns.has(name)) {
    plan.notes.push(`${table.name}.${name}: ${old}, which it should replace, is there as well; its data stays there`);
    return;
  }
  const sql = [...(words.beforeRename?.(shape, old) ?? []), ...dialect.renameColumn(table, column)];
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

// The full-text table of a column does not survive its renaming.
function forgetFulltext(shape: LiveShape, index: string, column: string, made: NonNullable<LiveShape['made']>): void {
  if (!made.fulltext.includes(column) && shape.indexes.get(index)?.columns.includes(column))
    shape.indexes.delete(index);
}

function add(plan: TablePlan, column: ColumnModel, changes: Change[]): void {
  const { table, dialect, words } = plan;
  const step = stepOf(plan, 'add column', column.name, 'safe', 'the schema has it, the table does not');
  const { backfill, demanded } = column;
  const hasDefault = column.default !== undefined && column.default !== null;
  if (backfill === undefined && (column.nullable || hasDefault)) {
    const looks = demanded ? { looks: [wanting(plan, demanded)] } : {};
    plan.steps.push({ ...step, ...looks, sql: dialect.addColumn(table, column) });
    plan.shape.columns.set(column.name, {
      name: column.name,
      origin: '',
      type: words.typeText(table, column),
      nullable: column.nullable === true,
      hasDefault,
      fallback: hasDefault ? words.literal(column, column.default) : null,
      key: 0,
    });
    return;
  }
  const nullable = column.nullable === true;
  if (backfill === undefined) {
    changes.push({ step: { ...step, looks: [wanting(plan, demanded ?? {})] }, change: { column, nullable } });
  } else if (!takes(column, backfill)) {
    plan.steps.push({ ...step, risk: 'refused', why: 'its backfill is no value of this column', hint: 'Correct it.' });
  } else {
    const filled = { ...step, why: `${step.why}; rows that are there get its backfill` };
    changes.push({ step: filled, change: { column, nullable, fill: words.literal(column, backfill) } });
  }
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

/** Asks for rows of the resource that would lack a value. */
function wanting(plan: TablePlan, where: Readonly<Record<string, Scalar>>): Look {
  const conditions = conditionsOf(plan, where, plan.shape);
  return lookAt(plan, conditions.join(' AND ') || '1 = 1', {
    risk: 'refused',
    why: 'rows have no value for a required column',
    hint: FILL,
  });
}

/** A discriminator as conditions, without columns that the table does not have yet. */
export function conditionsOf(
  { table, words, dialect }: Pick<TablePlan, 'table' | 'words' | 'dialect'>,
  where: Readonly<Record<string, Scalar>>,
  shape: LiveShape,
  alias = '',
): string[] {
  return Object.entries(where).flatMap(([name, value]) => {
    const origin = shape.columns.get(name)?.origin;
    const column = table.columns.get(name);
    return origin && column ? [`${alias}${dialect.quote(origin)} = ${words.literal(column, value)}`] : [];
  });
}

function compare(plan: TablePlan, column: ColumnModel, live: LiveField, changes: Change[]): void {
  const { table, words, dialect } = plan;
  const [from, to] = [formOf(live.type, dialect.name), formOf(words.typeText(table, column), dialect.name)];
  const name = dialect.quote(live.origin);
  const form = sameForm(from, to) ? undefined : { from, to };
  if (form) {
    const step = formStep(plan, column, live, form, name);
    // A change that is left out keeps the nulls as they are, too.
    changes.push({ step, change: { column, live, form, nullable: live.nullable } });
    live = { ...live, type: words.typeText(table, column) };
  }
  const nullable = column.nullable === true;
  if (nullable === live.nullable || column.primary || live.key) return;
  changes.push(nullable ? relaxing(plan, column, live) : requiring(plan, column, live, name));
}

function relaxing(plan: TablePlan, column: ColumnModel, live: LiveField): Change {
  const step = stepOf(plan, 'relax column', column.name, 'safe', 'the schema allows null');
  return { step, change: { column, live, nullable: true } };
}

function requiring(plan: TablePlan, column: ColumnModel, live: LiveField, name: string): Change {
  const { default: said } = column;
  const fill = said === undefined || said === null ? undefined : plan.words.literal(column, said);
  const step = stepOf(plan, 'require column', column.name, 'safe', 'the schema does not allow null');
  const rest: Omit<Look, 'sql'> =
    fill === undefined
      ? { risk: 'refused', why: 'rows hold null', hint: `${FILL} Or fill them, or let it be nullable.` }
      : { risk: 'risky', why: 'rows hold null and get the default' };
  const looks = [lookAt(plan, `${name} IS NULL`, rest)];
  const change: ColumnChange = { column, live, nullable: false, ...(fill === undefined ? {} : { fill }) };
  return { step: { ...step, looks }, change };
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

/** A step about a column, its SQL to come. */
export function stepOf({ table }: TablePlan, kind: StepKind, column: string, risk: Risk, why: string): Step {
  return { kind, table: table.name, column, risk, sql: [], why };
}
