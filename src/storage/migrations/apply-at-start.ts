// Creates the tables, columns and indexes that the models need and the database lacks; drops no data.
import type { Accepted } from '../../model/accepted.js';
import type { Connection, DdlConnection } from '../sql/connection.js';
import { COUNTS, deleteUnusedMarkers, markerOf, rebuildCounters } from '../sql/row-counts.js';
import type { Preflight } from './prior-state.js';
import { type MarkStale, migrateAtStart, type MigrateMode } from './run.js';
import type { Step } from './step.js';
import type { Statements } from '../sql/statements.js';
import type { TextIndex } from '../sql/scans.js';
import type { TableModel } from '../../model/table.js';

/** How a start handles differences between tables and models. */
export interface StartOptions {
  /** Which changes of the tables are allowed; default `auto`. */
  migrate?: MigrateMode | undefined;
  /** Decisions that the operator has made in advance (DATABASE_ACCEPT). */
  accepted?: ReadonlySet<Accepted> | undefined;
  /** Checks that run before anything is changed. */
  preflight?: Preflight | undefined;
}

/**
 * Migrates the database to the models. Runs inside the caller's transaction; idempotent. Throws StartupError with every
 * table and column that contradicts the models, before anything is changed.
 */
export async function applyTables(
  db: DdlConnection,
  statements: Statements,
  tables: readonly TableModel[],
  file: string,
  { migrate = 'auto', ...rest }: StartOptions = {},
): Promise<void> {
  if (migrate === 'off') return;
  await migrateTables(db, statements, tables, file, { migrate, ...rest });
  await completeCounters(db, statements, tables);
}

/** The DDL half of `applyTables`. */
export async function migrateTables(
  db: DdlConnection,
  statements: Statements,
  tables: readonly TableModel[],
  file: string,
  { migrate: mode = 'auto', accepted, preflight }: StartOptions = {},
  texts?: TextIndex,
): Promise<Step[]> {
  if (mode === 'off') return [];
  const markStale = staleMarker(db, statements, tables, texts);
  const options = { mode, file, accepted, preflight, markStale };
  const steps = await migrateAtStart(db, statements.dialect, [COUNTS, ...tables], options);
  await deleteStaleCounters(db, statements, tables, steps);
  return steps;
}

/**
 * Steps that write texts without the engine, or that change which texts a column holds. Also new tables, because the
 * index may have an entry from an earlier table of that name, and because they may be filled with existing rows.
 */
const MOVES_TEXTS: ReadonlySet<Step['kind']> = new Set([
  'create table',
  'rename table',
  'rename column',
  'narrow column',
  'convert column',
  'require column',
  'move rows',
  'move values',
  'keep values',
]);

/** Steps that change which rows a table has. */
const CHANGES_ROWS: ReadonlySet<Step['kind']> = new Set(['create table', 'move rows']);

/**
 * Commits what the steps of a migration have made stale, where the steps themselves are committed already: the plan of a
 * repetition has no steps left, and would make nothing stale.
 */
export async function commitSteps(session: DdlConnection, { dialect }: Statements): Promise<void> {
  if (dialect.migration.commits) await session.exec('COMMIT');
}

/**
 * Marks the tables of these steps as not indexed in the store's own text index, to be completed after the migration.
 */
export async function invalidateTexts(
  db: Connection,
  texts: TextIndex | undefined,
  steps: readonly Step[],
): Promise<void> {
  const moved = steps.filter(({ kind }) => MOVES_TEXTS.has(kind)).map(({ table }) => table);
  if (moved.length > 0) await texts?.invalidate(db, new Set(moved));
}

/** Marks what steps will make stale before they run, as `deleteStaleCounters` and `invalidateTexts` do afterwards. */
export function staleMarker(
  db: DdlConnection,
  statements: Statements,
  tables: readonly TableModel[],
  texts: TextIndex | undefined,
): MarkStale {
  return async (steps, live) => {
    if (live.tables.has(COUNTS.name)) await deleteStaleCounters(db, statements, tables, steps);
    if (texts?.tables.every(({ name }) => live.tables.has(name))) await invalidateTexts(db, texts, steps);
    await commitSteps(db, statements);
  };
}

/**
 * Deletes the row counts that the steps have made stale: `completeCounters` recomputes them. The counts of a dropped
 * table would otherwise be those of a new table with the same name.
 */
export async function deleteStaleCounters(
  db: Connection,
  statements: Statements,
  tables: readonly TableModel[],
  steps: readonly Step[],
): Promise<void> {
  await deleteUnusedMarkers(db, statements, tables);
  for (const table of tables) {
    if (table.counted.length === 0) continue;
    const hit = steps.some(
      (step) => step.table === table.name && (CHANGES_ROWS.has(step.kind) || table.counted.includes(step.column ?? '')),
    );
    if (!hit) continue;
    const deletion = statements.delete(COUNTS.name, { op: 'eq', column: 'scope', value: markerOf(table) });
    await db.run(deletion.sql, deletion.params);
  }
}

/** The second half of `applyTables`: computes missing row counts. The caller excludes concurrent writers. */
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
