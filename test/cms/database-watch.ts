// Looks at the database of a running site from outside: whether anything was committed, and what every table holds.
import { createHash } from 'node:crypto';
import type { SqliteMaintenance } from '../../src/storage/sqlite/maintenance.js';
import type { TestSite } from '../support/start-test-site.js';
import { type Engine, engineOf, openConnection, type DirectConnection } from '../support/fresh-database.js';

const TABLES: Record<Engine, string> = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  mysql: 'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1',
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
};

/** Numbers that change with every commit of anybody else. */
const VERSIONS: Record<Engine, string> = {
  sqlite: 'PRAGMA data_version',
  mysql: `SELECT SUM(n) AS n FROM typecase_versions WHERE scope = '*'`,
  postgres: `SELECT SUM(n) AS n FROM typecase_versions WHERE scope = '*'`,
};

export class DatabaseWatch {
  private constructor(
    private readonly engine: Engine,
    private readonly window: DirectConnection,
  ) {}

  /** Opens a window on the database of a site. */
  static async of({ config, site }: TestSite): Promise<DatabaseWatch> {
    const { url } = config.database;
    // Samples of the query planner and merges of segments are commits of SQLite, too: there are none while somebody watches.
    await (site.store as { maintenance?: SqliteMaintenance }).maintenance?.stop();
    return new DatabaseWatch(engineOf(url), await openConnection(url));
  }

  /** Changes with every commit of the site. */
  async version(): Promise<string> {
    return JSON.stringify(await this.window.runSql(VERSIONS[this.engine]));
  }

  /** Every table with the number of its rows and a hash of them. */
  async dump(): Promise<Record<string, string>> {
    const dump: Record<string, string> = {};
    for (const { name } of await this.window.runSql(TABLES[this.engine])) {
      const rows = await this.window.runSql(`SELECT * FROM ${name}`);
      const hash = createHash('sha256');
      for (const row of rows.map((each) => JSON.stringify(each)).sort()) hash.update(row);
      dump[name] = `${rows.length} ${hash.digest('hex').slice(0, 16)}`;
    }
    return dump;
  }

  close(): Promise<void> {
    return this.window.close();
  }
}
