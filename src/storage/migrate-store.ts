// Plans and runs migrations on an open store, under its lock. Commands open it with `migrate: 'off'`.
import type { Accepted } from '../model/accepted.js';
import type { AdministeredStore } from './sql/administered-store.js';
import {
  commitSteps,
  completeCounters,
  deleteStaleCounters,
  invalidateTexts,
  staleMarker,
} from './migrations/apply-at-start.js';
import { type StartMigration, migrateAtStart, migrateNow, type RunOptions } from './migrations/run.js';
import type { Step } from './migrations/step.js';
import { lockSite, prepareLocks } from './migrations/prepare-locks.js';
import { COUNTS } from './sql/row-counts.js';
import type { TableModel } from '../model/table.js';
import { type AssessedPlan, assessPlan } from './migrations/assess.js';
import { PriorState } from './migrations/prior-state.js';
import type { DdlConnection } from './sql/connection.js';

/** The difference between the database and these tables; `inspect` reads existing data. Changes nothing. */
export function planStore(
  { admin }: AdministeredStore,
  tables: ReadonlyMap<string, TableModel>,
  accepted?: ReadonlySet<Accepted>,
  inspect?: (before: PriorState) => Promise<void>,
): Promise<AssessedPlan> {
  const all = [COUNTS, ...admin.ownTables, ...tables.values()];
  const { dialect } = admin.statements;
  return admin.inspect(async (db) => {
    const reading: DdlConnection = { rows: (sql, params) => db.rows(sql, params), run: refuseWrite, exec: refuseWrite };
    const plan = await assessPlan(reading, dialect, all, accepted);
    await inspect?.(new PriorState(reading, dialect, all, plan));
    return plan;
  });
}

function refuseWrite(): never {
  throw new Error('A plan changes nothing');
}

/**
 * Runs the plan. Throws StartupError, before anything is changed, when a step is rejected. `file` prefixes the lines of
 * messages.
 */
export async function migrateStore(
  { admin }: AdministeredStore,
  tables: ReadonlyMap<string, TableModel>,
  running: RunOptions,
  file: string,
): Promise<{ plan: AssessedPlan; ran: Step[] }> {
  const { ownTables, statements, texts } = admin;
  const result = await admin.exclusive(async (db) => {
    const all = [...ownTables, ...tables.values()];
    const markStale = staleMarker(db, statements, all, texts);
    const done = await migrateNow(db, statements.dialect, [COUNTS, ...all], { ...running, markStale }, file);
    await deleteStaleCounters(db, statements, all, done.ran);
    if (statements.dialect.locks) await prepareLocks(db, statements);
    await invalidateTexts(db, texts, done.ran);
    await commitSteps(db, statements);
    // From here on no other process can write the rows that are counted.
    await lockSite(db, statements);
    await completeCounters(db, statements, all);
    return done;
  });
  await admin.completeTexts?.();
  return result;
}

/**
 * Runs the safe steps, as a start does, on an open store. The caller must hold back requests of this server until it
 * resolves.
 * @throws StartupError, before anything is changed, when a step is not allowed
 */
export async function migrateOnline(
  { admin }: AdministeredStore,
  tables: ReadonlyMap<string, TableModel>,
  options: StartMigration,
): Promise<Step[]> {
  const { ownTables, statements, texts } = admin;
  const steps = await admin.exclusive(async (db) => {
    const all = [...ownTables, ...tables.values()];
    const markStale = staleMarker(db, statements, all, texts);
    const ran = await migrateAtStart(db, statements.dialect, [COUNTS, ...all], { ...options, markStale });
    await deleteStaleCounters(db, statements, all, ran);
    if (statements.dialect.locks) await prepareLocks(db, statements);
    await invalidateTexts(db, texts, ran);
    await commitSteps(db, statements);
    await lockSite(db, statements);
    await completeCounters(db, statements, all);
    return ran;
  });
  await admin.completeTexts?.();
  return steps;
}
