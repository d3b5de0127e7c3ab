// Types of a migration plan: steps and data checks.
import type { Accepted } from '../../model/accepted.js';
import type { Dialect } from '../sql/dialect.js';
import type { LiveShape, MigrationDialect, ColumnChange } from '../sql/migration-dialect.js';
import type { TableModel } from '../../model/table.js';

/** `refused`: nothing runs while the plan contains such a step; its `why` and `hint` explain what to do. */
export type Risk = 'safe' | 'risky' | 'destructive' | 'refused';

/** Kinds of steps, as plans show them. */
export type StepKind =
  | 'create table'
  | 'rename table'
  | 'add column'
  | 'rename column'
  | 'widen column'
  | 'narrow column'
  | 'convert column'
  | 'require column'
  | 'relax column'
  | 'create index'
  | 'rebuild index'
  | 'drop index'
  | 'move rows'
  | 'move values'
  | 'keep site'
  | 'keep values'
  | 'adopt items'
  | 'derive columns'
  | 'drop column'
  | 'drop table';

/** The wording for one row or value, and for several. */
export type Wording = readonly [one: string, several: string];

/** `['value is too large', 'values are too large']`. */
export function wording(one: string, several: string, rest: string): Wording {
  return [`${one} ${rest}`, `${several} ${rest}`];
}

/** The effect of conflicting rows on a step. */
export interface Conflict {
  /** Risk of the step when there are conflicting rows. */
  risk: Risk;
  /** What is wrong with them; messages put the count before it and the ids after it. */
  why: Wording;
  hint?: string;
}

/** Conflicting rows that a query finds. */
export interface QueryCheck extends Conflict {
  /** Returns the number of conflicting rows. */
  sql: string;
  /** Returns some of their ids. */
  ids?: string;
}

/** Rows with equal keys, where keys are computed by this program instead of the database. */
export interface KeyCheck extends Conflict {
  /** The statement that reads the next rows after this id, the id first. */
  after(id: number): string;
  /** The key of a row without its id; null: it has none. */
  keyOf(values: readonly unknown[]): string | null;
}

/** A check of the data that determines the risk of a step. */
export type DataCheck = QueryCheck | KeyCheck;

/** One change of the database. */
export interface Step {
  kind: StepKind;
  table: string;
  column?: string;
  /** Name of an index, of a former table, of a resource, or of a trait. */
  name?: string;
  risk: Risk;
  sql: string[];
  why: string;
  hint?: string;
  /** Whether the schemas work without the step, so that a start skips it. */
  optional?: boolean;
  checks?: DataCheck[];
}

/** The steps from the database to the models. */
export interface Plan {
  steps: Step[];
  /** Findings that need no step. */
  notes: string[];
}

/** Identifies a step across repeated planning. */
export function keyOf({ kind, table, column, name }: Step): string {
  return [kind, table, column ?? '', name ?? ''].join('|');
}

/** `table.column`, the index, or the table. */
export function placeOf({ table, column, name }: Pick<Step, 'table' | 'column' | 'name'>): string {
  return column === undefined ? (name === undefined ? table : `${table} (${name})`) : `${table}.${column}`;
}

/** Context of planning one table. `shape` is the table as it will be; planning updates it. */
export interface TablePlan {
  dialect: Dialect;
  migration: MigrationDialect;
  table: TableModel;
  shape: LiveShape;
  /** The table with the columns of the database that no field has any more: they take their part of a row. */
  withLeftovers?: TableModel;
  /** Quoted table name for data checks. */
  quoted: string;
  steps: Step[];
  notes: string[];
  skip: ReadonlySet<string>;
  /** Tables in the database that no schema uses. */
  orphanTables: ReadonlySet<string>;
  /** Columns whose values a list of the same items has taken over, as `table.column`. */
  listed: ReadonlySet<string>;
  /** Decisions that the operator has made. */
  accepted: ReadonlySet<Accepted>;
  /** Statements that delete the progress of derivations whose source values a step moves. */
  forget: readonly string[];
  /** Content types of columns after the last migration, by `table.column`; undefined: unknown. */
  previousTypes: ReadonlyMap<string, string> | undefined;
}

/** Maximum number of ids that a message names, plus one to detect that there are more. */
export const MAX_IDS = 11;

/** The context of planning that all tables share. */
export type PlanContext = Pick<
  TablePlan,
  'dialect' | 'migration' | 'skip' | 'orphanTables' | 'previousTypes' | 'listed' | 'accepted' | 'forget'
>;

/** Data checks about the rows that satisfy `condition`. */
export function dataCheck(
  { table, quoted, dialect }: TablePlan,
  condition: string,
  rest: Omit<QueryCheck, 'sql'>,
): QueryCheck {
  const from = `FROM ${quoted} WHERE ${condition}`;
  const id = dialect.quote('id');
  const ids = table.columns.has('id') ? { ids: `SELECT ${id} ${from} ORDER BY ${id} LIMIT ${MAX_IDS}` } : {};
  return { ...rest, ...ids, sql: `SELECT COUNT(*) ${from}` };
}

/** A step about a column, without its SQL. */
export function stepOf({ table }: TablePlan, kind: StepKind, column: string, risk: Risk, why: string): Step {
  return { kind, table: table.name, column, risk, sql: [], why };
}

/** A step, and the change of a column that its SQL is made for. */
export type PlannedChange = { step: Step; change: ColumnChange };
