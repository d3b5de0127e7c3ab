// Makes the tables, columns and indexes the models need and the database lacks; drops no data. Called by the stores at boot.
import type { TableModel } from '../model/model.js';
import type { Connection } from './connection.js';
import { COUNTS, markerOf, rebuildCounters } from './counters.js';
import { evolveAtBoot, type MigrateMode } from './evolution/run-plan.js';
import type { Step } from './evolution/step.js';
import type { Statements } from './statements.js';

/** A connection that can also run DDL. */
export interface DdlConnection extends Connection {
  exec(sql: string): void | Promise<void>;
}

/**
 * Brings the database up to the models. Runs inside a transaction that the caller has begun; a second run changes nothing.
 * Throws BootError with every table and column that holds something else than the models say, before anything is changed.
 */
export async function applyTables(
  db: DdlConnection,
  statements: Statements,
  tables: readonly TableModel[],
  file: string,
  mode: MigrateMode = 'auto',
): Promise<void> {
  if (mode === 'off') return;
  await makeTables(db, statements, tables, file, mode);
  await completeCounters(db, statements, tables);
}

/** The half of `applyTables` that is DDL. */
export async function makeTables(
  db: DdlConnection,
  statements: Statements,
  tables: readonly TableModel[],
  file: string,
  mode: MigrateMode = 'auto',
): Promise<void> {
  if (mode === 'off') return;
  const steps = await evolveAtBoot(db, statements.dialect, [COUNTS, ...tables], { mode, file });
  await forgetCounters(db, statements, tables, steps);
}

/** What steps did to a counted column makes its counters worthless: `completeCounters` counts again. */
export async function forgetCounters(
  db: Connection,
  statements: Statements,
  tables: readonly TableModel[],
  steps: readonly Step[],
): Promise<void> {
  for (const table of tables) {
    const hit = steps.some(
      (step) => step.table === table.name && (step.kind === 'move rows' || table.counted.includes(step.column ?? '')),
    );
    if (!hit) continue;
    const gone = statements.delete(COUNTS.name, { op: 'eq', column: 'scope', value: markerOf(table) });
    await db.run(gone.sql, gone.params);
  }
}

/** The other half: counts what has counters and was never counted. Nobody else may write meanwhile. */
export async function completeCounters(
  db: Connection,
  statements: Statements,
  tables: readonly TableModel[],
): Promise<void> {
  for (const table of tables) {
    if (table.counted.length === 0) continue;
    const marker = statements.count(COUNTS.name, [], { op: 'eq', column: 'scope', value: markerOf(table) });
    const [row] = await db.rows(marker.sql, marker.params);
    if (Number(row![0]) === 0) await rebuildCounters(db, statements, table);
  }
}
