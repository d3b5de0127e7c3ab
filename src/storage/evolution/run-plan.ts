// Plans against the database at hand, asks the data, and runs what may run. The caller holds the lock. Called by the stores at boot and by the commands.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootError, type Problem } from '../../errors/problem.js';
import type { TableModel } from '../../model/model.js';
import type { Dialect } from '../dialect.js';
import type { DdlConnection } from '../schema-apply.js';
import { type LiveSchema, type LiveShape, readLive } from './live-schema.js';
import { checksumOf, MigrationRecord, MIGRATIONS } from './migrations.js';
import { planEvolution } from './plan-evolution.js';
import { keyOf, type Plan, placeOf, type Risk, type Step } from './step.js';
import { wordsOf } from './words.js';

/** `DATABASE_MIGRATE`. */
export type MigrateMode = 'auto' | 'check' | 'off';

/** A plan and what it was made from. */
export interface Settled extends Plan {
  live: LiveSchema;
  checksum: string;
}

/** How steps are run. */
export interface Running {
  /** Folder for what is dropped; absent: nothing is dropped. */
  rescue?: string;
  /** Told before each step. */
  onStep?: (step: Step) => void | Promise<void>;
}

/** The plan with the class that each step has for the data that is there. Changes nothing. */
export async function settledPlan(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
): Promise<Settled> {
  const read = async (sql: string) => db.rows(sql, []);
  const { last, made } = await new MigrationRecord(db, dialect).read();
  const live = await readLive(dialect, wordsOf(dialect), models, made, read);
  live.tables.delete(MIGRATIONS.name);
  const plan = planEvolution(live, models, dialect);
  for (const step of plan.steps) await settle(step, db);
  const checksum = checksumOf(models);
  if (last?.finished === false)
    plan.notes.unshift(`the migration begun ${last.started} was interrupted; this is what is left of it`);
  else if (last?.checksum === checksum && plan.steps.some((step) => !step.optional))
    plan.notes.unshift(`the schemas are those of ${last.started}: somebody altered the tables by hand since`);
  return { ...plan, live, checksum };
}

const WORST: readonly Risk[] = ['safe', 'risky', 'destructive', 'refused'];

async function settle(step: Step, db: DdlConnection): Promise<void> {
  if (step.risk === 'refused') return;
  for (const look of step.looks ?? []) {
    const [[count, example] = [0]] = await db.rows(look.sql, []);
    if (Number(count) === 0 || WORST.indexOf(look.risk) < WORST.indexOf(step.risk)) continue;
    step.risk = look.risk;
    step.why = `${count} ${look.why}${example === null || example === undefined ? '' : `, of id ${example} for one`}`;
    if (look.hint) step.hint = look.hint;
  }
}

/** Boot: safe steps run, others stop it before anything is changed. */
export async function evolveAtBoot(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  { mode, file }: { mode: MigrateMode; file: string },
): Promise<Step[]> {
  const plan = await settledPlan(db, dialect, models);
  const bad = plan.steps.filter((step) => mode === 'check' || (step.risk !== 'safe' && !step.optional));
  if (bad.length > 0) throw new BootError(bad.map((step) => problemOf(step, file)));
  return runSteps(db, dialect, models, plan, (step) => step.risk === 'safe');
}

/** `migrate`: everything but refused steps, and destructive ones only where their data can go. */
export async function migrateNow(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  running: Running,
  file: string,
): Promise<{ plan: Settled; ran: Step[] }> {
  const plan = await settledPlan(db, dialect, models);
  const bad = plan.steps.filter((step) => step.risk === 'refused' && !step.optional);
  if (bad.length > 0) throw new BootError(bad.map((step) => problemOf(step, file)));
  const drops = running.rescue !== undefined;
  const may = (step: Step) => step.risk === 'safe' || step.risk === 'risky' || (drops && step.risk === 'destructive');
  return { plan, ran: await runSteps(db, dialect, models, plan, may, running) };
}

async function runSteps(
  db: DdlConnection,
  dialect: Dialect,
  models: readonly TableModel[],
  plan: Settled,
  may: (step: Step) => boolean,
  { rescue, onStep }: Running = {},
): Promise<Step[]> {
  const skip = new Set(plan.steps.filter((step) => !may(step)).map(keyOf));
  // Left out steps change the SQL of others: a table is made again with what it keeps.
  const { steps } = planEvolution(plan.live, models, dialect, skip);
  if (steps.length === 0) return [];
  if (rescue !== undefined) await rescueData(db, dialect, plan, steps, rescue);
  const record = new MigrationRecord(db, dialect);
  const id = await record.start(plan.checksum, steps);
  for (const step of steps) {
    await onStep?.(step);
    for (const sql of step.sql) await db.exec(sql);
  }
  await onStep?.(steps.at(-1)!);
  await record.finish(id);
  return steps;
}

/** Writes what is about to be dropped, as lines that `load` reads. */
async function rescueData(
  db: DdlConnection,
  dialect: Dialect,
  { live, checksum }: Settled,
  steps: readonly Step[],
  folder: string,
): Promise<void> {
  for (const name of new Set(
    steps.filter(({ kind }) => kind.startsWith('drop t') || kind === 'drop column').map(({ table }) => table),
  )) {
    const shape = live.tables.get(name)!;
    for (const sql of wordsOf(dialect).hold?.(name) ?? []) await db.exec(sql);
    const dropped = steps
      .filter((step) => step.table === name && step.kind === 'drop column')
      .map(({ column }) => column!);
    await rescueTable(db, dialect, shape, dropped, freePath(folder, `dropped-${name}-${checksum.slice(0, 12)}`));
  }
}

// What an interrupted run has saved may be gone from the database by now.
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
): Promise<void> {
  const kept = dropped.length === 0 ? [...shape.columns.keys()] : [...keyColumns(shape), ...dropped];
  const columns = [...new Set(kept)];
  const order = (keyColumns(shape).length > 0 ? keyColumns(shape) : columns)
    .map((name) => dialect.quote(name))
    .join(', ');
  const head = `SELECT ${columns.map((name) => dialect.quote(name)).join(', ')} FROM ${dialect.quote(shape.name)} ORDER BY ${order}`;
  writeFileSync(path, '');
  for (let from = 0; ; from += ROWS) {
    const rows = await db.rows(`${head} LIMIT ${ROWS} OFFSET ${from}`, []);
    const lines = rows.map(
      (row) => `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, row[at]])))}\n`,
    );
    writeFileSync(path, lines.join(''), { flag: 'a', flush: true });
    if (rows.length < ROWS) return;
  }
}

function keyColumns({ columns }: LiveShape): string[] {
  if (columns.has('id')) return ['id'];
  return [...columns.values()].filter(({ key }) => key).map(({ name }) => name);
}

/** A step as a line that stops a boot. */
export function problemOf(step: Step, file: string): Problem {
  const command = step.risk === 'destructive' ? 'typecase migrate --allow-destructive' : 'typecase migrate';
  const hint = step.hint ?? `Run: typecase diff, then ${command}`;
  return { file, path: placeOf(step), message: `${step.kind}: ${step.why}`, hint };
}
