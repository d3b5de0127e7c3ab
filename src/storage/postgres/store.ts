// Opens the store on PostgreSQL.
import { COUNTS } from '../sql/row-counts.js';
import { entitySchema } from '../sql/entity-schema.js';
import { PostgresDatabase } from './database.js';
import { postgresDialect } from './dialect.js';
import { isLost } from './errors.js';
import { OWN_TABLES } from '../sql/data-version.js';
import { ServerStore, type ServerStoreOptions } from '../pool/store.js';
import { parseServerUrl, type ServerAddress } from '../pool/database-url.js';
import type { StatementRole } from '../sql/connection.js';
import { Statements } from '../sql/statements.js';
import type { TableModel } from '../../model/table.js';

/**
 * Connects and migrates the tables to the models. Throws StartupError where they contradict, the driver's error when no
 * server is reachable.
 */
export async function openPostgresStore(
  url: string,
  options: ServerStoreOptions,
  tables: ReadonlyMap<string, TableModel>,
): Promise<ServerStore> {
  const address = parseServerUrl(url, 5432);
  const all = new Map(tables);
  for (const table of [COUNTS, ...OWN_TABLES]) all.set(table.name, table);
  const entities = [...all.values()].map((table) => entitySchema(table, postgresDialect(all)));
  const size = Math.max(2, options.pool);
  const connect = (to: ServerAddress, role: StatementRole) =>
    PostgresDatabase.open(to, { ...options, size, role }, entities);
  const database = await connect(address, 'primary');
  try {
    database.dialect = postgresDialect(all, await database.trigrams(useOf(options)));
  } catch (error) {
    await database.close();
    throw error;
  }
  const store = new ServerStore(database, new Statements(database.dialect, all), options);
  try {
    await store.applySchema(tables, address.shown);
    const replicas = (options.replicas ?? []).map((replica) => parseServerUrl(replica, 5432));
    const open = async (to: ServerAddress) =>
      Object.assign(await connect(to, 'replica'), { dialect: database.dialect });
    await store.useReplicas(replicas.map((to) => ({ shown: to.shown, open: () => open(to), isLost })));
    // May take seconds, so the start does not wait for it; without the privilege the statistics stay as they are.
    store.maintainOutgrown().catch(() => undefined);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Only processes that may change tables create an extension. */
function useOf({ migrate = 'auto', evolving }: ServerStoreOptions): 'make' | 'expect' | 'use' {
  if (migrate === 'auto' || evolving === 'run') return 'make';
  return evolving === 'plan' || migrate === 'check' ? 'expect' : 'use';
}
