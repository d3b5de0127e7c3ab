// Plans against the database at hand, asks the data, and runs what may run. The caller holds the lock. Called by the stores at boot and by the commands.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootError, type Problem } from '../../errors/problem.js';
import type { TableModel } from '../../model/model.js';
import type { Dialect } from '../dialect.js';
import { isLost as lostMysql } from '../mysql.errors.js';
import { isLost as lostPostgres } from '../postgres.errors.js';
import type { DdlConnection } from '../schema-apply.js';
import { type LiveSchema, type LiveShape, readLive } from './live-schema.js';
import { checksumOf, MigrationRecord, MIGRATIONS } from './migrations.js';
import { NAMED } from './plan-columns.js';
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
  /** Told of each file that what is dropped was saved to. */
  onSaved?: (path: string) => void;
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
  const past = await new MigrationRecord(db, dialect).read();
  const { last } = past;
  const live = await readLive(dialect, wordsOf(dialect), models, past, read);
  live.tables.delete(MIGRATIONS.name);
  const plan = planEvolution(live, models, dialect);
  for (const step of plan.steps) await settle(step, db);
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

async function settle(step: Step, db: DdlConnection): Promise<void> {
  if (step.risk === 'refused') return;
  for (const look of step.looks ?? []) {
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
  const more = ids.length >= NAMED ? ' and more' : '';
  return ids.length === 1 ? `, of id ${ids[0]}` : `, of the ids ${ids.slice(0, NAMED - 1).join(', ')}${more}`;
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
  return runSteps(db, dialect, models, plan, (step) => step.risk === 'safe', file);
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
  plan: Settled,
  may: (step: Step) => boolean,
  file: string,
  { rescue, onStep, onSaved }: Running = {},
): Promise<Step[]> {
  const skip = new Set(plan.steps.filter((step) => !may(step)).map(keyOf));
  // Left out steps change the SQL of others: a table is made again with what it keeps.
  const { steps } = planEvolution(plan.live, models, dialect, skip);
  if (steps.length === 0) return [];
  if (rescue !== undefined) await rescueData(db, dialect, plan, steps, rescue, onSaved);
  const record = new MigrationRecord(db, dialect);
  const id = await record.start(plan.checksum, steps, models);
  for (const step of steps) {
    await onStep?.(step);
    await runStep(db, dialect, step, file);
  }
  await onStep?.(steps.at(-1)!);
  await record.finish(id);
  return steps;
}

/** Throws BootError where the database refuses: what the plan did not foresee, or what was written meanwhile. */
async function runStep(db: DdlConnection, dialect: Dialect, step: Step, file: string): Promise<void> {
  try {
    for (const sql of step.sql) await db.exec(sql);
  } catch (error) {
    // Somebody else tries these again.
    if (dialect.transient(error) || lostMysql(error) || lostPostgres(error) || !(error instanceof Error)) throw error;
    const left = wordsOf(dialect).commits ? 'The steps before it are done' : 'Nothing was changed';
    const message = `${step.kind}: the database refused it (${error.message})`;
    const hint = `${left}. Run: typecase diff, mend what it says, and run typecase migrate again`;
    throw new BootError([{ file, path: placeOf(step), message, hint }]);
  }
}

/** Writes what is about to be dropped, as lines that `load` reads. */
async function rescueData(
  db: DdlConnection,
  dialect: Dialect,
  { live, checksum }: Settled,
  steps: readonly Step[],
  folder: string,
  onSaved: Running['onSaved'],
): Promise<void> {
  for (const name of new Set(
    steps.filter(({ kind }) => kind.startsWith('drop t') || kind === 'drop column').map(({ table }) => table),
  )) {
    const shape = live.tables.get(name)!;
    for (const sql of wordsOf(dialect).hold?.(name) ?? []) await db.exec(sql);
    const dropped = steps
      .filter((step) => step.table === name && step.kind === 'drop column')
      .map(({ column }) => column!);
    const path = freePath(folder, `dropped-${name}-${checksum.slice(0, 12)}`);
    if (await rescueTable(db, dialect, shape, dropped, path)) onSaved?.(path);
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
): Promise<boolean> {
  const keys = keyColumns(shape);
  const whole = dropped.length === 0;
  const columns = [...new Set(whole ? shape.columns.keys() : [...keys, ...dropped])];
  const quoted = (names: readonly string[]) => names.map((name) => dialect.quote(name)).join(', ');
  const head = `SELECT ${quoted(columns)} FROM ${dialect.quote(shape.name)}`;
  const tail = ` ORDER BY ${quoted(keys.length > 0 ? keys : columns)} LIMIT ${ROWS}`;
  // What was put away under another name goes back to where it came from.
  const table = shape.name.replace(/__moved$/, '');
  // Hashes may be among the values.
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

/** A step as a line that stops a boot. */
export function problemOf(step: Step, file: string): Problem {
  const command = step.risk === 'destructive' ? 'typecase migrate --allow-destructive' : 'typecase migrate';
  const hint = step.hint ?? `Run: typecase diff, then ${command}`;
  return { file, path: placeOf(step), message: `${step.kind}: ${step.why}`, hint };
}
