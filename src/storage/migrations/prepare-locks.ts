// Locks around changes of tables: waits for the locks of other sessions, and creates the lock slots that transactions
// of servers need besides the tables of the models. Earlier releases locked the row of a state table instead.
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../../errors/problem.js';
import type { DdlConnection } from '../sql/connection.js';
import { FORMER_STATE } from '../sql/data-version.js';
import { makeSlots } from '../sql/locks.js';
import type { Dialect } from '../sql/dialect.js';
import type { LockProbe } from '../sql/migration-dialect.js';
import type { Statements } from '../sql/statements.js';
import type { LiveSchema } from './live-schema.js';
import type { Step, StepKind } from './step.js';

/** Pause between two attempts to lock the tables, during which other sessions may use them. */
const PAUSE_MS = 2_000;

/** Steps that only read and write rows, or create a table: they block no other session. */
const NON_BLOCKING: ReadonlySet<StepKind> = new Set([
  'create table',
  'move rows',
  'move values',
  'keep site',
  'keep values',
  'derive columns',
]);
const INDEXES: ReadonlySet<StepKind> = new Set(['create index', 'rebuild index']);

/** How to wait for other sessions. */
export interface WaitOptions {
  /** Called once, with the tables, when other sessions use them. */
  onUsed?: ((tables: readonly string[]) => void) | undefined;
  /** Maximum number of attempts; default: unlimited. */
  attempts?: number;
}

/**
 * Resolves once no other session uses the tables that the steps change. A change that waits for a long transaction of
 * another session, such as a backup, would block all later statements on the table.
 * @throws StartupError when the tables are still in use after `attempts` attempts
 */
export async function awaitTables(
  db: DdlConnection,
  dialect: Dialect,
  { tables: liveTables }: LiveSchema,
  steps: readonly Step[],
  { onUsed, attempts = Infinity, file }: WaitOptions & { file: string },
): Promise<void> {
  const { lockProbe } = dialect.migration;
  if (!lockProbe) return;
  const shutting = steps.filter(
    ({ kind }) => !NON_BLOCKING.has(kind) && (lockProbe.indexesBlockReads || !INDEXES.has(kind)),
  );
  // Tables that are renamed still have their former names.
  const names = shutting
    .map(({ table, name = '' }) => (liveTables.has(table) ? table : name))
    .filter((name) => liveTables.has(name));
  const tables = [...new Set(names)].sort();
  if (tables.length === 0) return;
  for (let attempt = 1; await areUsed(db, dialect, lockProbe, tables); attempt++) {
    if (attempt === 1) onUsed?.(tables);
    if (attempt >= attempts) {
      const message = `other sessions use ${tables.join(', ')}`;
      const hint =
        'Changes of tables wait for transactions of other sessions, such as a backup: let them finish, and try again';
      throw new StartupError([{ file, message, hint }]);
    }
    await sleep(PAUSE_MS);
  }
}

async function areUsed(
  db: DdlConnection,
  { isTransient, isLost }: Dialect,
  turn: LockProbe,
  tables: string[],
): Promise<boolean> {
  try {
    for (const sql of turn.lock(tables)) await db.exec(sql);
    return false;
  } catch (error) {
    // Not every account and server can lock tables: then the steps themselves wait.
    if (isLost(error)) throw error;
    return isTransient(error);
  } finally {
    for (const sql of turn.unlock) await db.exec(sql);
  }
}

/**
 * Creates the slots, and drops the state table of earlier releases: a process of such a release does not take these
 * locks, and can no longer write. Runs under the exclusive lock of a start; idempotent.
 */
export async function prepareLocks(db: DdlConnection, statements: Statements): Promise<void> {
  await makeSlots(db, statements);
  const { dialect } = statements;
  const former = await dialect.inspect(FORMER_STATE, async (sql) => db.rows(sql, []));
  if (former) await db.exec(`DROP TABLE ${dialect.quote(FORMER_STATE.name)}`);
}

/** Blocks every other transaction of the site until this one ends; does nothing where transactions are serialized. */
export async function lockSite(db: DdlConnection, { dialect }: Statements): Promise<void> {
  if (!dialect.locks) return;
  const { sql, params } = dialect.locks.alone();
  await db.run(sql, params);
}
