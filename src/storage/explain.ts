// How the database would answer a query. Called by `typecase explain`.
import type { Query } from '../model/query.js';
import type { SqliteStore } from './sqlite.store.js';

/** The lines of EXPLAIN QUERY PLAN: `SEARCH a0 USING INDEX …`. */
export function explainQuery(store: SqliteStore, query: Query): string[] {
  const { sql, params } = store.statements.select(query);
  const rows = store.readConnection.rows(`EXPLAIN QUERY PLAN ${sql}`, params);
  return rows.map((row) => String(row.at(-1)));
}
