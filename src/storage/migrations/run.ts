// Runs the permitted steps of a plan, at start or by a command. The caller holds the lock.
import { commandLine } from '../../errors/command-line.js';
import type { Accepted } from '../../model/accepted.js';
import { StartupError, type Problem } from '../../errors/problem.js';
import type { Dialect } from '../sql/dialect.js';
import type { DdlConnection } from '../sql/connection.js';
import { MigrationRecord } from './history.js';
import { planMigration } from './plan.js';
import { keyOf, type Plan, placeOf, type Step, type StepKind } from './step.js';
import type { LiveSchema } from './live-schema.js';
import type { TableModel } from '../../model/table.js';
import { awaitTables, type WaitOptions } from './prepare-locks.js';
import { rescueData } from './rescue.js';
import { assessPlan, type AssessedPlan } from './assess.js';
import { type Preflight, PriorState } from './prior-state.js';

/** Values of `DATABASE_MIGRATE`. */
export type MigrateMode = 'auto' | 'check' | 'off';

/**
 * Records what steps make stale: called before the first of them where each statement is committed, because the plan of a
 * repetition lacks the steps that were done when a run was killed. `live` is the schema of the database.
 */
export type MarkStale = (steps: readonly Step[], live: LiveSchema) => Promise<void>;

/** Options of a run. */
export interface RunOptions extends WaitOptions {
  /** Folder where dropped data is saved; absent: nothing is dropped. */
  rescue?: string;
  /** Called with each file of saved data. */
  onSaved?: (path: string) => void;
  /** Decisions that the operator has made in advance (DATABASE_ACCEPT). */
  accepted?: ReadonlySet<Accepted> | undefined;
  /** Checks that run before anything is changed. */
  preflight?: Preflight | undefined;
  markStale?: MarkStale;
  /** Called before each step, and after the last one; `done` of `total` steps have run. */
  onStep?: (step: Step, done: number, total: number) => void | Promise<void>;
}

/** Options of a migration at start, or at a change of schemas while the server runs. */
export interface StartMigration {
  mode: MigrateMode;
  /** Prefix of the lines of messages. */
  file: string;
  accepted?: ReadonlySet<Accepted> | undefined;
  /** Checks that run before anything is changed. */
  preflight?: Preflight | undefined;
  markStale?: MarkStale;
  /** Whether requests of an older set of schemas use the tables. */
  live?: boolean;
}

/** Attempts of a change while the server runs to lock its tables: for some ten seconds. */
const ONLINE_ATTEMPTS = 4;

/** Steps after which statements of the older schemas still work. */
const ONLINE_KINDS: ReadonlySet<StepKind> = new Set([
  'create table',
  'add column',
  'widen column',
  'relax column',
  'create index',
  'rebuild index',
  'drop index',
  'derive columns',
]);

/** The steps of a plan that abort a start, or a change of schemas while the server runs. */
export function stepsThatAbort({ steps }: Plan, { mode, live }: Pick<StartMigration, 'mode' | 'live'>): Step[] {
  if (mode === 'off') return [];
  return steps.filter((step) => {
    if (isLeftover(step)) return false;
    if (mode === 'check' || (step.risk !== 'safe' && !step.optional)) return true;
    return live === true && step.risk === 'safe' && !ONLINE_KINDS.has(step.kind);
  });
}

/** At start: safe steps run, others abort the start before anything is changed. */
export async function migrateAtStart(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  options: StartMigration,
): Promise<Step[]> {
  const { file, accepted, preflight, markStale } = options;
  const plan = await assessPlan(db, dialect, models, accepted);
  const bad = stepsThatAbort(plan, options);
  await refuse(bad, plan, { db, dialect, models, file, preflight });
  // Requests wait for a change while the server runs.
  const waiting = options.live === true ? { attempts: ONLINE_ATTEMPTS } : {};
  return runSteps(db, dialect, models, plan, (step) => step.risk === 'safe', file, {
    accepted,
    ...(markStale ? { markStale } : {}),
    ...waiting,
  });
}

/** Whether a step only drops data without a schema: the tables fit the schemas without it. */
export function isLeftover({ risk, optional }: Step): boolean {
  return risk === 'destructive' && optional === true;
}

/** `migrate`: throws StartupError if any step is `refused`; runs destructive steps only if their data can be saved. */
export async function migrateNow(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  { preflight, ...running }: RunOptions,
  file: string,
): Promise<{ plan: AssessedPlan; ran: Step[] }> {
  const plan = await assessPlan(db, dialect, models, running.accepted);
  const bad = plan.steps.filter((step) => step.risk === 'refused');
  await refuse(bad, plan, { db, dialect, models, file, preflight });
  const drops = running.rescue !== undefined;
  const may = (step: Step) => step.risk === 'safe' || step.risk === 'risky' || (drops && step.risk === 'destructive');
  return { plan, ran: await runSteps(db, dialect, models, plan, may, file, running) };
}

/** Throws StartupError with the steps that must not run, and the decisions that are required, if there are any. */
async function refuse(
  bad: readonly Step[],
  plan: AssessedPlan,
  { db, dialect, models, file, preflight }: Refusing,
): Promise<void> {
  const undecided = (await preflight?.(new PriorState(db, dialect, models, plan))) ?? [];
  const problems = [...bad.map((step) => problemOf(step, file)), ...undecided];
  if (problems.length > 0) throw new StartupError(problems);
}

interface Refusing extends Pick<StartMigration, 'preflight' | 'file'> {
  db: DdlConnection;
  dialect: Dialect;
  models: readonly TableModel[];
}

async function runSteps(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  plan: AssessedPlan,
  may: (step: Step) => boolean,
  file: string,
  { rescue, onStep, onSaved, accepted, markStale, ...waiting }: Omit<RunOptions, 'ask'> = {},
): Promise<Step[]> {
  const skip = new Set(plan.steps.filter((step) => !may(step)).map(keyOf));
  // Skipped steps change the SQL of others: a rebuilt SQLite table keeps their columns.
  const { steps } = planMigration(plan.live, models, dialect, skip, accepted);
  if (steps.length === 0) {
    // It was interrupted after its last step: later plans must not take it for one that is still to be completed.
    if (plan.unfinished !== undefined) await new MigrationRecord(db, dialect).finish(plan.unfinished);
    return [];
  }
  await awaitTables(db, dialect, plan.live, steps, { ...waiting, file });
  if (rescue !== undefined) await rescueData(db, dialect, plan, steps, rescue, onSaved);
  const record = new MigrationRecord(db, dialect);
  const id = await record.start(plan.checksum, steps, models, plan.live.previousTypes);
  if (dialect.migration.commits) await markStale?.(steps, plan.live);
  for (const [done, step] of steps.entries()) {
    await onStep?.(step, done, steps.length);
    await runStep(db, dialect, step, file);
  }
  await onStep?.(steps.at(-1)!, steps.length, steps.length);
  await record.finish(id);
  return steps;
}

/** Throws StartupError where the database rejects a step: unforeseen by the plan, or caused by concurrent writes. */
async function runStep(db: DdlConnection, dialect: Dialect, step: Step, file: string): Promise<void> {
  try {
    for (const sql of step.sql) await db.exec(sql);
  } catch (error) {
    // Transient errors are retried by the caller, which looks at the cause of others too.
    if (dialect.isTransient(error) || dialect.isLost(error) || !(error instanceof Error)) throw error;
    const left = dialect.migration.commits ? 'The steps before it are done' : 'Nothing was changed';
    const message = `${step.kind}: the database refused it (${error.message})`;
    const hint = `${left}. Run: ${commandLine('diff')}, fix what it reports, and run ${commandLine('migrate')} again`;
    throw new StartupError([{ file, path: placeOf(step), message, hint }], { cause: error });
  }
}

/** A step as a problem that aborts a start. */
export function problemOf(step: Step, file: string): Problem {
  const command = commandLine(step.risk === 'destructive' ? 'migrate --allow-destructive' : 'migrate');
  const hint = step.hint ?? `Run: ${commandLine('diff')}, then ${command}`;
  return { file, path: placeOf(step), message: `${step.kind}: ${step.why}`, hint };
}
