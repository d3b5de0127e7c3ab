// What must happen to the columns of a table that is there. Called by plan-evolution.ts.
import type { ColumnModel, TableModel } from '../../model/model.js';
import type { Scalar } from '../../model/schema.js';
import { toBound } from '../binding.js';
import type { Dialect } from '../dialect.js';
import { type Form, formOf, sameForm } from './form.js';
import type { LiveField, LiveShape } from './live-schema.js';
import { formStep, meaningStep } from './plan-form.js';
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
  /** Tables in the database that no schema has. */
  former: ReadonlySet<string>;
  /** What columns held at the last migration, under `table.column`; undefined: nobody knows. */
  held: ReadonlyMap<string, string> | undefined;
}

type Change = { step: Step; change: ColumnChange };

const FILL =
  'Give the field a default or a backfill. If it marks the rows of a resource, say which one has them: "movedFrom" in its storage.';

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
  wanted.forEach(({ step, change }, at) => {
    step.sql = [...freeIndexes(plan, change), ...sql[at]!];
    if (stuck) Object.assign(step, { risk: 'refused', why: stuck, hint: 'Take it away, or make the table by hand.' });
    plan.steps.push(step);
  });
}

/** Questions about the rows of the table that `condition` is true of. */
export function lookAt({ table, quoted, dialect }: TablePlan, condition: string, rest: Omit<Look, 'sql'>): Look {
  const from = `FROM ${quoted} WHERE ${condition}`;
  const id = dialect.quote('id');
  const ids = table.columns.has('id') ? { ids: `SELECT ${id} ${from} ORDER BY ${id} LIMIT ${NAMED}` } : {};
  return { ...rest, ...ids, sql: `SELECT COUNT(*) ${from}` };
}

/** Most ids that a refusal names, and one to know that there are more. */
export const NAMED = 11;

/**
 * Servers cannot keep some indexes while a column under them becomes another one: these go, and planIndex makes them again.
 * SQLite makes the table again, indexes and all.
 */
function freeIndexes({ dialect, table, shape }: TablePlan, { column, live, form }: ColumnChange): string[] {
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

function asColumn({ family, most }: Form): Pick<ColumnModel, 'kind' | 'length'> {
  if (family !== 'text') return { kind: 'integer' };
  return most > LONGEST_VARCHAR ? { kind: 'text' } : { kind: 'varchar', length: most };
}

const LONGEST_VARCHAR = 16_000;

function rename(plan: TablePlan, column: ColumnModel): void {
  const { shape, table, dialect, words } = plan;
  const { name, renamedFrom: old } = column;
  const moved = old === undefined ? undefined : shape.columns.get(old);
  if (!moved || old === undefined) return;
  if (table.columns.has(old)) return refuseRename(plan, column, old);
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

// Whose values are those: they cannot be both the renamed field's and the new one's.
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

// The full-text table of a column does not survive its renaming.
function forgetFulltext(shape: LiveShape, index: string, column: string, made: NonNullable<LiveShape['made']>): void {
  if (!made.fulltext.includes(column) && shape.indexes.get(index)?.columns.includes(column))
    shape.indexes.delete(index);
}

function add(plan: TablePlan, column: ColumnModel, changes: Change[]): void {
  const { table, dialect, words, shape, steps } = plan;
  // Refused already.
  if (column.renamedFrom && table.columns.has(column.renamedFrom) && shape.columns.has(column.renamedFrom)) return;
  const step: Step = {
    ...stepOf(plan, 'add column', column.name, 'safe', 'the schema has it, the table does not'),
    ...formerPairs(plan, column),
  };
  const hint = renameHint(plan, column);
  if (hint) step.hint = hint;
  const { backfill, demanded } = column;
  const hasDefault = column.default !== undefined && column.default !== null;
  if (backfill === undefined && (column.nullable || hasDefault)) {
    const looks = [...(step.looks ?? []), ...(demanded ? [wanting(plan, demanded)] : [])];
    steps.push({ ...step, ...(looks.length > 0 ? { looks } : {}), sql: dialect.addColumn(table, column) });
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
    const looks = [...(step.looks ?? []), wanting(plan, demanded ?? {})];
    changes.push({ step: { ...step, looks }, change: { column, nullable } });
  } else if (!takes(column, backfill)) {
    plan.steps.push({ ...step, risk: 'refused', why: 'its backfill is no value of this column', hint: 'Correct it.' });
  } else {
    const filled = { ...step, why: `${step.why}; rows that are there get its backfill` };
    changes.push({ step: filled, change: { column, nullable, fill: words.literal(column, backfill) } });
  }
}

/** A field of many values became a field of one: which of them it would be nobody can say. */
function formerPairs({ table, former, dialect }: TablePlan, { name, derived }: ColumnModel): Pick<Step, 'looks'> {
  const side = `${table.name}_${name}`;
  if (derived || !former.has(side)) return {};
  const why = `values of the former list ${name} are in the table ${side}`;
  const hint = `Keep its type, or give the new field another name or "column". The list is dropped only by you: DROP TABLE ${dialect.quote(side)}.`;
  return { looks: [{ sql: `SELECT COUNT(*) FROM ${dialect.quote(side)}`, risk: 'refused', why, hint }] };
}

// A column that comes while another of its kind goes is likely the same field under a new name.
function renameHint({ table, shape, dialect, words }: TablePlan, column: ColumnModel): string | undefined {
  if (column.derived || column.renamedFrom) return undefined;
  const wanted = formOf(words.typeText(table, column), dialect.name).family;
  const gone = [...shape.columns.values()].filter(
    ({ name, type }) => !table.columns.has(name) && formOf(type, dialect.name).family === wanted,
  );
  const names = gone.map(({ name }) => name).filter((name) => !/_(sort|search|rendered)$/.test(name));
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
  const meaning = meaningStep(plan, column, live, { from, to }, name);
  if (!form && meaning) plan.steps.push(meaning);
  if (form) {
    const step = joined(formStep(plan, column, live, form, name), meaning);
    // A change that is left out keeps the nulls as they are, too.
    changes.push({ step, change: { column, live, form, nullable: live.nullable } });
    live = { ...live, type: words.typeText(table, column) };
  }
  const nullable = column.nullable === true;
  if (nullable === live.nullable || column.primary || live.key) return;
  changes.push(nullable ? relaxing(plan, column, live) : requiring(plan, column, live, name));
}

/** One step with the doubts of both. */
function joined(step: Step, meaning: Step | undefined): Step {
  if (!meaning) return step;
  const { optional: _, ...rest } = step;
  const looks = [...(step.looks ?? []), ...(meaning.looks ?? [])];
  const { risk, why, hint } = meaning.risk === 'refused' ? meaning : step;
  return { ...rest, kind: 'convert column', risk, why, ...(hint ? { hint } : {}), looks };
}

function relaxing(plan: TablePlan, column: ColumnModel, live: LiveField): Change {
  const step = stepOf(plan, 'relax column', column.name, 'safe', 'the schema allows null');
  return { step, change: { column, live, nullable: true } };
}

function requiring(plan: TablePlan, column: ColumnModel, live: LiveField, name: string): Change {
  // The empty value of a type is nobody's word that it may take the place of nulls.
  const said = column.backfill ?? (column.implied ? undefined : column.default);
  const fill = said === undefined || said === null ? undefined : plan.words.literal(column, said);
  const step = stepOf(plan, 'require column', column.name, 'safe', 'the schema does not allow null');
  const rest: Omit<Look, 'sql'> =
    fill === undefined
      ? { risk: 'refused', why: 'rows hold null', hint: `${FILL} Or fill them, or let it be nullable.` }
      : { risk: 'risky', why: `rows hold null and get the ${column.backfill === undefined ? 'default' : 'backfill'}` };
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
