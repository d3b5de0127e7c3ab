// What a plan consists of. Made by plan-evolution.ts, settled by settle-plan.ts, run by run-plan.ts, printed by the commands.

/** `refused`: nothing runs while such a step is in the plan; its `why` and `hint` say what to do. */
export type Risk = 'safe' | 'risky' | 'destructive' | 'refused';

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
  | 'derive columns'
  | 'drop column'
  | 'drop table';

/** A question to the data on which the risk of a step depends. */
export interface Look {
  /** Answers how many rows stand in the way. */
  sql: string;
  /** Answers some of their ids. */
  ids?: string;
  /** Risk of the step when there are such rows. */
  risk: Risk;
  /** What is wrong with them; the number is put in front, ids behind it. */
  why: string;
  hint?: string;
}

/** One change of the database. */
export interface Step {
  kind: StepKind;
  table: string;
  column?: string;
  /** Of an index. */
  name?: string;
  risk: Risk;
  sql: string[];
  why: string;
  hint?: string;
  /** The schemas work without it: a boot leaves it alone. */
  optional?: boolean;
  looks?: Look[];
}

/** The way from the database to the models. */
export interface Plan {
  steps: Step[];
  /** What was found and is left as it is. */
  notes: string[];
}

/** What a step is known by from one planning to the next. */
export function keyOf({ kind, table, column, name }: Step): string {
  return [kind, table, column ?? '', name ?? ''].join('|');
}

/** `table.column`, the index, or the table. */
export function placeOf({ table, column, name }: Step): string {
  return column === undefined ? (name === undefined ? table : `${table} (${name})`) : `${table}.${column}`;
}
