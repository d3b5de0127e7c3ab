// Plans against the live database, runs the data checks, and executes the allowed steps. The caller holds the lock.
import { commandLine } from '../../errors/command-line.js';
import type { Accepted } from '../../model/accepted.js';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootError, type Problem } from '../../errors/problem.js';
import type { Dialect } from '../sql/dialect.js';
import type { Connection, DdlConnection } from '../sql/connection.js';
import { type LiveSchema, readLive } from './live-schema.js';
import type { LiveShape } from '../sql/migration-dialect.js';
import { checksumOf, MigrationRecord, MIGRATIONS } from './history.js';
import { planMigration } from './plan.js';
import { otherSite } from './plan-leftovers.js';
import { keyOf, MAX_IDS, type Plan, placeOf, type Risk, type Step, type StepKind } from './step.js';
import type { TableModel } from '../../model/table.js';

/** Values of `DATABASE_MIGRATE`. */
export type MigrateMode = 'auto' | 'check' | 'off';

/** A plan and the state it was made from. */
export interface AssessedPlan extends Plan {
  live: LiveSchema;
  checksum: string;
}

/** Options of a run. */
export interface RunOptions {
  /** Folder where dropped data is saved; absent: nothing is dropped. */
  rescue?: string;
  /** Called with each file of saved data. */
  onSaved?: (path: string) => void;
  /** What need not be asked. */
  accepted?: ReadonlySet<Accepted>;
  /** Called before each step, and after the last one; `done` of `total` steps have run. */
  onStep?: (step: Step, done: number, total: number) => void | Promise<void>;
}

/** The plan with the actual risk of each step, given the existing data. Changes nothing. */
export async function assessedPlan(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  accepted: ReadonlySet<Accepted> = new Set(),
): Promise<AssessedPlan> {
  const read = async (sql: string) => db.rows(sql, []);
  const past = await new MigrationRecord(db, dialect).read();
  const { last } = past;
  const live = await readLive(dialect, models, past, read);
  live.tables.delete(MIGRATIONS.name);
  const plan = planMigration(live, models, dialect, undefined, accepted);
  for (const step of plan.steps) await assessStep(step, db);
  const foreign = await otherSite(live, models, accepted, async (table) => {
    const rows = await db.rows(`SELECT 1 FROM ${dialect.quote(table)} LIMIT 1`, []);
    return rows.length > 0;
  });
  if (foreign) plan.steps.unshift(foreign);
  const checksum = checksumOf(models);
  if (last?.finished === false)
    plan.notes.unshift(`the migration begun ${last.started} was interrupted; this is what is left of it`);
  else if (last?.checksum === checksum && plan.steps.some((step) => !step.optional))
    plan.notes.unshift(`the schemas are those of ${last.started}: somebody altered the tables by hand since`);
  for (const id of past.altered)
    plan.notes.unshift(`${MIGRATIONS.name}: the line ${id} was altered after it was written; do not rely on it`);
  return { ...plan, live, checksum };
}

const WORST: readonly Risk[] = ['safe', 'risky', 'destructive', 'refused'];

/** Gives a step the risk and the reason that its data checks find. */
export async function assessStep(step: Step, db: Connection): Promise<void> {
  if (step.risk === 'refused') return;
  for (const look of step.checks ?? []) {
    const [[count] = [0]] = await db.rows(look.sql, []);
    if (Number(count) === 0 || WORST.indexOf(look.risk) < WORST.indexOf(step.risk)) continue;
    step.risk = look.risk;
    step.why = `${count} ${look.why}${look.ids === undefined ? '' : idsOf(await db.rows(look.ids, []))}`;
    if (look.hint) step.hint = look.hint;
  }
}

/** `, of the ids 3, 5 and more`. */
function idsOf(rows: readonly (readonly unknown[])[]): string {
  const ids = rows.map(([id]) => String(id));
  if (ids.length === 0) return '';
  const more = ids.length >= MAX_IDS ? ' and more' : '';
  return ids.length === 1 ? `, of id ${ids[0]}` : `, of the ids ${ids.slice(0, MAX_IDS - 1).join(', ')}${more}`;
}

/** What a migration without a command may do. */
export interface BootMigration {
  mode: MigrateMode;
  /** Prefix of the lines of messages. */
  file: string;
  accepted?: ReadonlySet<Accepted> | undefined;
  /** The tables are in use by requests of an older set of schemas. */
  live?: boolean;
}

/** Steps after which statements of the older schemas still work. */
const LIVE_KINDS: ReadonlySet<StepKind> = new Set([
  'create table',
  'add column',
  'widen column',
  'relax column',
  'create index',
  'rebuild index',
  'drop index',
  'derive columns',
]);

/** The steps of a plan that abort a boot, or a change of schemas while the server runs. */
export function stepsThatAbort({ steps }: Plan, { mode, live }: Pick<BootMigration, 'mode' | 'live'>): Step[] {
  if (mode === 'off') return [];
  return steps.filter((step) => {
    if (isLeftover(step)) return false;
    if (mode === 'check' || (step.risk !== 'safe' && !step.optional)) return true;
    return live === true && step.risk === 'safe' && !LIVE_KINDS.has(step.kind);
  });
}

/** At boot: safe steps run, others abort the boot before anything is changed. */
export async function migrateAtBoot(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  options: BootMigration,
): Promise<Step[]> {
  const { file, accepted } = options;
  const plan = await assessedPlan(db, dialect, models, accepted);
  const bad = stepsThatAbort(plan, options);
  if (bad.length > 0) throw new BootError(bad.map((step) => problemOf(step, file)));
  return runSteps(db, dialect, models, plan, (step) => step.risk === 'safe', file, { accepted });
}

/** Whether a step would only drop what no schema has: the schemas and the tables agree without it. */
export function isLeftover({ risk, optional }: Step): boolean {
  return risk === 'destructive' && optional === true;
}

/** `migrate`: throws BootError if any step is `refused`; runs destructive steps only if their data can be saved. */
export async function migrateNow(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  running: RunOptions,
  file: string,
): Promise<{ plan: AssessedPlan; ran: Step[] }> {
  const plan = await assessedPlan(db, dialect, models, running.accepted);
  const bad = plan.steps.filter((step) => step.risk === 'refused');
  if (bad.length > 0) throw new BootError(bad.map((step) => problemOf(step, file)));
  const drops = running.rescue !== undefined;
  const may = (step: Step) => step.risk === 'safe' || step.risk === 'risky' || (drops && step.risk === 'destructive');
  return { plan, ran: await runSteps(db, dialect, models, plan, may, file, running) };
}

async function runSteps(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  plan: AssessedPlan,
  may: (step: Step) => boolean,
  file: string,
  { rescue, onStep, onSaved, accepted }: RunOptions = {},
): Promise<Step[]> {
  const skip = new Set(plan.steps.filter((step) => !may(step)).map(keyOf));
  // Skipped steps change the SQL of others: a rebuilt SQLite table keeps their columns.
  const { steps } = planMigration(plan.live, models, dialect, skip, accepted);
  if (steps.length === 0) return [];
  if (rescue !== undefined) await rescueData(db, dialect, plan, steps, rescue, onSaved);
  const record = new MigrationRecord(db, dialect);
  const id = await record.start(plan.checksum, steps, models, plan.live.previousTypes);
  for (const [done, step] of steps.entries()) {
    await onStep?.(step, done, steps.length);
    await runStep(db, dialect, step, file);
  }
  await onStep?.(steps.at(-1)!, steps.length, steps.length);
  await record.finish(id);
  return steps;
}

/** Throws BootError where the database rejects a step: unforeseen by the plan, or caused by concurrent writes. */
async function runStep(db: DdlConnection, dialect: Dialect, step: Step, file: string): Promise<void> {
  try {
    for (const sql of step.sql) await db.exec(sql);
  } catch (error) {
    // Transient errors are retried by the caller.
    if (dialect.transient(error) || dialect.lost(error) || !(error instanceof Error)) throw error;
    const left = dialect.migration.commits ? 'The steps before it are done' : 'Nothing was changed';
    const message = `${step.kind}: the database refused it (${error.message})`;
    const hint = `${left}. Run: ${commandLine('diff')}, mend what it says, and run ${commandLine('migrate')} again`;
    throw new BootError([{ file, path: placeOf(step), message, hint }]);
  }
}

/** Writes the data about to be dropped, as lines that `load` can read. */
async function rescueData(
  db: DdlConnection,
  dialect: Dialect,
  { live, checksum }: AssessedPlan,
  steps: readonly Step[],
  folder: string,
  onSaved: RunOptions['onSaved'],
): Promise<void> {
  for (const name of new Set(
    steps.filter(({ kind }) => kind.startsWith('drop t') || kind === 'drop column').map(({ table }) => table),
  )) {
    const shape = live.tables.get(name)!;
    for (const sql of dialect.migration.hold?.(name) ?? []) await db.exec(sql);
    const dropped = steps
      .filter((step) => step.table === name && step.kind === 'drop column')
      .map(({ column }) => column!);
    const path = freePath(folder, `dropped-${name}-${checksum.slice(0, 12)}`);
    if (await rescueTable(db, dialect, shape, dropped, path)) onSaved?.(path);
  }
}

// Never overwrite: the data of an interrupted run may no longer be in the database.
function freePath(folder: string, name: string): string {
  let path = join(folder, `${name}.jsonl`);
  for (let n = 2; existsSync(path); n += 1) path = join(folder, `${name}-${n}.jsonl`);
  return path;
}

const ROWS = 500;

async function rescueTable(
  db: DdlConnection,
  dialect: Dialect,
  shape: LiveShape,
  dropped: string[],
  path: string,
): Promise<boolean> {
  const keys = keyColumns(shape);
  const whole = dropped.length === 0;
  const columns = [...new Set(whole ? shape.columns.keys() : [...keys, ...dropped])];
  const quoted = (names: readonly string[]) => names.map((name) => dialect.quote(name)).join(', ');
  const head = `SELECT ${quoted(columns)} FROM ${dialect.quote(shape.name)}`;
  const tail = ` ORDER BY ${quoted(keys.length > 0 ? keys : columns)} LIMIT ${ROWS}`;
  // A table renamed after a move is saved under its original name.
  const table = shape.name.replace(/__moved$/, '');
  // Private file: the values may contain password hashes.
  let last = 0;
  for (let from = 0; ; from += ROWS) {
    const page = keys[0] === 'id' ? ` WHERE ${dialect.quote('id')} > ${last}${tail}` : `${tail} OFFSET ${from}`;
    const rows = await db.rows(`${head}${page}`, []);
    const lines = rows.map((row) => {
      const saved = Object.fromEntries(columns.map((name, at) => [name, row[at]]));
      return `${JSON.stringify({ $table: table, [whole ? '$row' : '$update']: saved })}\n`;
    });
    if (lines.length > 0)
      writeFileSync(path, lines.join(''), { flag: from === 0 ? 'wx' : 'a', mode: 0o600, flush: true });
    if (rows.length < ROWS) return from + rows.length > 0;
    last = Number(rows.at(-1)![columns.indexOf('id')]);
  }
}

function keyColumns({ columns }: LiveShape): string[] {
  if (columns.has('id')) return ['id'];
  return [...columns.values()].filter(({ key }) => key).map(({ name }) => name);
}

/** A step as a problem that aborts a boot. */
export function problemOf(step: Step, file: string): Problem {
  const command = commandLine(step.risk === 'destructive' ? 'migrate --allow-destructive' : 'migrate');
  const hint = step.hint ?? `Run: ${commandLine('diff')}, then ${command}`;
  return { file, path: placeOf(step), message: `${step.kind}: ${step.why}`, hint };
}
