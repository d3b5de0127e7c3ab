// Opens the store on PostgreSQL. Called by open-store.ts.
import type { TableModel } from '../model/model.js';
import { COUNTS } from './counters.js';
import { entitySchema } from './entity-schema.js';
import { PostgresDatabase } from './postgres.database.js';
import { postgresDialect } from './postgres.dialect.js';
import { STATE } from './server-state.js';
import { ServerStore, type ServerStoreOptions } from './server.store.js';
import { parseServerUrl } from './server-url.js';
import { Statements } from './statements.js';

/** Connects and brings the tables up to the models. Throws BootError where they contradict, the driver's error where nobody answers. */
export async function openPostgresStore(
  url: string,
  options: ServerStoreOptions,
  tables: ReadonlyMap<string, TableModel>,
): Promise<ServerStore> {
  const address = parseServerUrl(url, 5432);
  const all = new Map(tables).set(COUNTS.name, COUNTS).set(STATE.name, STATE);
  const entities = [...all.values()].map((table) => entitySchema(table, postgresDialect(all)));
  const database = await PostgresDatabase.open(address, { ...options, size: Math.max(2, options.pool) }, entities);
  try {
    database.dialect = postgresDialect(all, await database.trigrams(useOf(options)));
    const store = new ServerStore(database, new Statements(database.dialect, all), options);
    await store.applySchema(tables, address.shown);
    return store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Only who may change tables makes an extension. */
function useOf({ migrate = 'auto', evolving }: ServerStoreOptions): 'make' | 'expect' | 'use' {
  if (migrate === 'auto' || evolving === 'run') return 'make';
  return evolving === 'plan' || migrate === 'check' ? 'expect' : 'use';
}
