// Opens the store on MySQL or MariaDB. Called by open-store.ts.
import type { TableModel } from '../model/model.js';
import { COUNTS } from './counters.js';
import { entitySchema } from './entity-schema.js';
import { MysqlDatabase } from './mysql.database.js';
import { mysqlDialect } from './mysql.dialect.js';
import { OWN_TABLES } from './server-state.js';
import { ServerStore, type ServerStoreOptions } from './server.store.js';
import { parseServerUrl } from './server-url.js';
import { Statements } from './statements.js';

/** Connects and brings the tables up to the models. Throws BootError where they contradict, the driver's error where nobody answers. */
export async function openMysqlStore(
  url: string,
  options: ServerStoreOptions,
  tables: ReadonlyMap<string, TableModel>,
): Promise<ServerStore> {
  const address = parseServerUrl(url, 3306);
  const all = new Map(tables);
  for (const table of [COUNTS, ...OWN_TABLES]) all.set(table.name, table);
  const entities = [...all.values()].map((table) => entitySchema(table, mysqlDialect(all)));
  const database = await MysqlDatabase.open(address, { ...options, size: Math.max(2, options.pool) }, entities);
  database.dialect = mysqlDialect(all, database.collation);
  const store = new ServerStore(database, new Statements(database.dialect, all), options);
  try {
    await store.applySchema(tables, address.shown);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}
