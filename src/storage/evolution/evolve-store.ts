// Plans and migrates the database of an open store, alone. Called by the commands `diff` and `migrate`, which open it with `migrate: 'off'`.
import type { TableModel } from '../../model/model.js';
import type { Store } from '../../model/store.js';
import type { Connection } from '../connection.js';
import { completeCounters, type DdlConnection, forgetCounters } from '../schema-apply.js';
import { COUNTS } from '../counters.js';
import { makeVersion, OWN_TABLES } from '../server-state.js';
import { ServerStore } from '../server.store.js';
import { SqliteStore } from '../sqlite.store.js';
import type { Statements } from '../statements.js';
import { migrateNow, type Running, type Settled, settledPlan } from './run-plan.js';
import type { Step } from './step.js';

/** What the database lacks or has too much for these tables. Changes nothing. */
export function planStore(store: Store, tables: ReadonlyMap<string, TableModel>): Promise<Settled> {
  const plan = ({ db, statements, extra }: Alone) =>
    settledPlan(db, statements.dialect, [COUNTS, ...extra, ...tables.values()]);
  // Looking takes no lock of a file that a server may be writing to.
  if (store instanceof SqliteStore)
    return store.look((db) => plan({ db: { ...reading(db), exec: refused }, statements: store.statements, extra: [] }));
  return alone(store, plan);
}

function reading(db: Connection): Pick<Connection, 'rows' | 'run'> {
  return { rows: (sql, params) => db.rows(sql, params), run: refused };
}

function refused(): never {
  throw new Error('A plan changes nothing');
}

/** Runs the plan. Throws BootError, before anything is changed, when a step is refused. `file` is what its lines begin with. */
export function migrateStore(
  store: Store,
  tables: ReadonlyMap<string, TableModel>,
  running: Running,
  file: string,
): Promise<{ plan: Settled; ran: Step[] }> {
  return alone(store, async ({ db, statements, extra }) => {
    const all = [...extra, ...tables.values()];
    const done = await migrateNow(db, statements.dialect, [COUNTS, ...all], running, file);
    await forgetCounters(db, statements, all, done.ran);
    if (extra.length > 0) await makeVersion(db, statements);
    await completeCounters(db, statements, all);
    return done;
  });
}

interface Alone {
  db: DdlConnection;
  statements: Statements;
  /** Tables that this kind of store keeps for itself. */
  extra: readonly TableModel[];
}

/** One process at a time: SQLite's write lock, or the lock that a server's boot takes. */
function alone<T>(store: Store, work: (alone: Alone) => Promise<T>): Promise<T> {
  if (store instanceof SqliteStore) {
    return store.alone((db) => work({ db, statements: store.statements, extra: [] }));
  }
  if (!(store instanceof ServerStore)) throw new Error('This store has no tables to migrate');
  return store.database.alone((db) => work({ db, statements: store.statements, extra: OWN_TABLES }));
}
