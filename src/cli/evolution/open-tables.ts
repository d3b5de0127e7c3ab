// Opens the database without starting the site, together with the tables that the schemas require.
import type { ModelSet } from '../../model/model.js';
import { allTables } from '../../server/engine-tables.js';
import { loadModels } from '../../server/extensions/load-extensions.js';
import type { AdministeredStore } from '../../storage/sql/administered-store.js';
import { tellingIfLong } from '../../server/open-parts.js';
import { openStore } from '../../storage/open-store.js';
import { emptyInstead } from './missing-database.js';
import type { TableModel } from '../../model/table.js';
import type { Config } from '../../config/settings.js';

/**
 * Runs `work` on the database, whose tables are left as they are, and closes it afterwards. With `plan`, nothing is
 * changed at all. Waits for a server that does not respond, unless `onWait` throws. After some seconds without progress
 * of the work, reports that it waits.
 */
export async function withTables<T>(
  config: Config,
  evolving: 'plan' | 'run',
  work: (
    store: AdministeredStore,
    tables: ReadonlyMap<string, TableModel>,
    models: ModelSet,
    onProgress: () => void,
  ) => Promise<T>,
  onWait: (reason: string) => void = (reason) => process.stderr.write(`waiting for the database: ${reason}\n`),
): Promise<T> {
  const models = await loadModels(config);
  const tables = allTables(models);
  const { url, drop } = { url: config.database.url, drop() {}, ...(evolving === 'plan' ? emptyInstead(config) : {}) };
  let isReported = false;
  const onLocked = (): void => {
    // A command may wait for the lock several times.
    if (!isReported) process.stderr.write('another process has locked this database: waiting until it is done\n');
    isReported = true;
  };
  const store = await openStore(url, { pool: 2, migrate: 'off', evolving, onWait, onLocked }, tables);
  try {
    return await tellingIfLong(
      (onProgress) => work(store, tables, models, onProgress),
      (message) => void process.stderr.write(`${message}\n`),
    );
  } finally {
    await store.close();
    drop();
  }
}
