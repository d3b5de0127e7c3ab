// Shows the database's query plan for a query.
import type { Query } from '../model/query.js';
import type { AdministeredStore } from './sql/administered-store.js';

/** One line per step: `SEARCH a0 USING INDEX …`; a full table scan is flagged, `! SCAN a0`. */
export async function explainQuery({ admin }: AdministeredStore, query: Query): Promise<string[]> {
  const { dialect } = admin.statements;
  const rows = await admin.read(async (db) => {
    const where = query.dense ? query.where : await admin.texts?.narrow(db, query.table, query.where);
    const { sql, params } = admin.statements.select(where ? { ...query, where } : query);
    return db.rows(`${dialect.explain} ${sql}`, params);
  });
  return dialect.planLines(rows);
}
