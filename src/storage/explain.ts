// How the database would answer a query. Called by `typecase explain`.
import type { Query } from '../model/query.js';
import type { Store } from '../model/store.js';
import type { Bound } from './connection.js';
import { ServerStore } from './server.store.js';
import { SqliteStore } from './sqlite.store.js';

/** One line per step: `SEARCH a0 USING INDEX …`; a table that is read from end to end is flagged, `! SCAN a0`. */
export async function explainQuery(store: Store, query: Query): Promise<string[]> {
  if (!(store instanceof SqliteStore) && !(store instanceof ServerStore)) throw new TypeError('No plans of this store');
  const { statements } = store;
  const { sql, params } = statements.select(query);
  const rows = await ask(store, `${statements.dialect.explain} ${sql}`, params);
  return statements.dialect.planLines(rows);
}

async function ask(store: SqliteStore | ServerStore, sql: string, params: readonly Bound[]): Promise<Bound[][]> {
  if (store instanceof SqliteStore) return store.readConnection.rows(sql, params);
  const session = await store.database.connect();
  try {
    return await session.rows(sql, params);
  } finally {
    session.release(false);
  }
}
