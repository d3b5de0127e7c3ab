// One state of the database for all reads of a command, while a server goes on writing. Called by `dump`.
import type { Reader, Store } from '../model/store.js';
import { SqliteStore } from '../storage/sqlite.store.js';

/** Runs `work` with a reader that sees the last commit before it began, and nothing after. */
export async function inSnapshot<T>(store: Store, work: (reader: Reader) => Promise<T>): Promise<T> {
  if (store.snapshot) return store.snapshot(work);
  if (!(store instanceof SqliteStore)) return store.transaction(work);
  // In WAL mode a read transaction keeps its state and holds up no writer. Nobody else reads in this process.
  const { readConnection, reader } = store;
  readConnection.exec('BEGIN');
  try {
    return await work(reader);
  } finally {
    readConnection.exec('COMMIT');
  }
}
