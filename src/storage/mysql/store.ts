// Opens the store on MySQL or MariaDB.
import { COUNTS } from '../sql/row-counts.js';
import { entitySchema } from '../sql/entity-schema.js';
import { MysqlDatabase } from './database.js';
import { mysqlDialect } from './dialect.js';
import { isLost } from './errors.js';
import { OWN_TABLES } from '../sql/data-version.js';
import { ServerStore, type ServerStoreOptions } from '../pool/store.js';
import { parseServerUrl, type ServerAddress } from '../pool/database-url.js';
import type { StatementRole } from '../sql/connection.js';
import { Statements } from '../sql/statements.js';
import { WORD_ITEMS, WORDS } from './word-tables.js';
import { WordIndex } from './word-index.js';
import type { TableModel } from '../../model/table.js';

/**
 * Connects and migrates the tables to the models. Throws StartupError where they contradict, the driver's error when no
 * server is reachable.
 */
export async function openMysqlStore(
  url: string,
  options: ServerStoreOptions,
  tables: ReadonlyMap<string, TableModel>,
): Promise<ServerStore> {
  const address = parseServerUrl(url, 3306);
  const all = new Map(tables);
  for (const table of [COUNTS, ...OWN_TABLES, WORDS, WORD_ITEMS]) all.set(table.name, table);
  const entities = [...all.values()].map((table) => entitySchema(table, mysqlDialect(all)));
  const size = Math.max(2, options.pool);
  const connect = async (to: ServerAddress, role: StatementRole): Promise<MysqlDatabase> => {
    const opened = await MysqlDatabase.open(to, { ...options, size, role }, entities);
    opened.dialect = mysqlDialect(all, opened.collation, opened.sideBySide);
    return opened;
  };
  const database = await connect(address, 'primary');
  const statements = new Statements(database.dialect, all);
  const store = new ServerStore(database, statements, options, new WordIndex(statements));
  try {
    await store.applySchema(tables, address.shown);
    const replicas = (options.replicas ?? []).map((replica) => parseServerUrl(replica, 3306));
    await store.useReplicas(replicas.map((to) => ({ shown: to.shown, open: () => connect(to, 'replica'), isLost })));
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}
