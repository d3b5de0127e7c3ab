// What must happen to the columns of a table that is there. Called by plan-evolution.ts.
import type { ColumnModel, TableModel } from '../../model/model.js';
import type { Dialect } from '../dialect.js';
import { type Form, formOf, sameForm } from './form.js';
import type { LiveField, LiveShape } from './live-schema.js';
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

const FILL = 'Give the field a default.';

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
  if (column.nullable || (column.default !== undefined && column.default !== null)) {
    plan.steps.push({ ...step, sql: dialect.addColumn(table, column) });
    plan.shape.columns.set(column.name, {
      name: column.name,
      origin: '',
      type: words.typeText(table, column),
      nullable: column.nullable === true,
      hasDefault: column.default !== undefined && column.default !== null,
      fallback: column.default === undefined || column.default === null ? null : words.literal(column, column.default),
      key: 0,
    });
    return;
  }
  const look = lookAt(plan, '1 = 1', { risk: 'refused', why: 'rows have no value for a required column', hint: FILL });
  changes.push({ step: { ...step, looks: [look] }, change: { column, nullable: false } });
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

function stepOf({ table }: TablePlan, kind: StepKind, column: string, risk: Risk, why: string): Step {
  return { kind, table: table.name, column, risk, sql: [], why };
}

const FREE = 1_000_000_000;

/** The step from one form to another: its class follows from what the forms can hold, and from what the rows do hold. */
function formStep(
  plan: TablePlan,
  column: ColumnModel,
  live: LiveField,
  form: { from: Form; to: Form },
  name: string,
): Step {
  const { from, to } = form;
  const { words } = plan;
  const said = `from ${live.type || 'no type'} to ${words.typeText(plan.table, column)}`;
  const step = (kind: StepKind, risk: Risk, looks?: Look[]): Step => ({
    ...stepOf(plan, kind, column.name, risk, said),
    ...(looks ? { looks } : {}),
  });
  const unless = (condition: string, why: string): Look[] => [
    lookAt(plan, `${name} IS NOT NULL AND NOT (${condition})`, {
      risk: 'refused',
      why,
      hint: 'Change these values first, or keep the old type and use another column.',
    }),
  ];
  const short = unless(`${words.characters(name)} <= ${to.most}`, `values are longer than ${to.most} characters`);
  const foreign = `values are no ${to.family}`;
  switch (`${from.family} ${to.family}`) {
    case 'text text':
      if (to.most >= from.most) return step('widen column', 'safe');
      // Wider than the schema wants harms nobody.
      return { ...step('narrow column', from.loose ? 'safe' : 'risky', short), optional: !from.loose };
    case 'integer integer':
    case 'boolean integer':
      return step(from.family === 'integer' ? 'widen column' : 'convert column', 'safe');
    case 'integer double':
      return step('convert column', 'risky', unless(`ABS(${name}) <= 9007199254740992`, 'values are too large'));
    case 'integer text':
    case 'boolean text':
      return step('convert column', 'safe', to.most < FREE && to.most < 20 ? short : undefined);
    case 'double text':
      return step('convert column', 'risky', to.most < 24 ? short : undefined);
    case 'text integer':
      return step('convert column', 'risky', unless(words.whole(name), foreign));
    case 'text double':
      return step('convert column', 'risky', unless(words.numeric(name), foreign));
    case 'text boolean':
      return step('convert column', 'risky', unless(`${name} IN ('0', '1')`, foreign));
    case 'integer boolean':
    case 'double boolean':
      return step('convert column', 'risky', unless(`${name} IN (0, 1)`, foreign));
    case 'double integer':
      return step('convert column', 'risky', unless(`ROUND(${name}) = ${name}`, foreign));
    case 'boolean double':
      return step('convert column', 'safe');
    default:
      return {
        ...step('convert column', 'refused'),
        why: `${said}: not known how`,
        hint: 'Use a column of another name.',
      };
  }
}
