// The database of the site without its boot, and the tables that the schemas want. Called by `diff` and `migrate`.
import { type Config } from '../config.js';
import type { TableModel } from '../model/model.js';
import type { Store } from '../model/store.js';
import { compileSite } from '../schema/compile-site.js';
import { allTables } from '../start-site.js';
import { openStore } from '../storage/open-store.js';

/** Runs `work` on the database as it is; closes it afterwards. */
export async function withTables<T>(
  config: Config,
  work: (store: Store, tables: ReadonlyMap<string, TableModel>) => Promise<T>,
): Promise<T> {
  const tables = allTables(compileSite(config.schemasDir, config.site));
  const onWait = (reason: string) => process.stderr.write(`waiting for the database: ${reason}\n`);
  const store = await openStore(config.database.url, { pool: 2, migrate: 'off', onWait }, tables);
  try {
    return await work(store, tables);
  } finally {
    await store.close();
  }
}
