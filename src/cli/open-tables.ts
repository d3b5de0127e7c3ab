// The database of the site without its boot, and the tables that the schemas want. Called by `diff` and `migrate`.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config } from '../config.js';
import type { ModelSet, TableModel } from '../model/model.js';
import type { Store } from '../model/store.js';
import { compileSite } from '../schema/compile-site.js';
import { allTables } from '../site-tables.js';
import { openStore } from '../storage/open-store.js';

/** Runs `work` on the database as it is; closes it afterwards. `plan` changes nothing at all. */
export async function withTables<T>(
  config: Config,
  evolving: 'plan' | 'run',
  work: (store: Store, tables: ReadonlyMap<string, TableModel>, models: ModelSet) => Promise<T>,
): Promise<T> {
  const models = compileSite(config.schemasDir, config.site);
  const tables = allTables(models);
  const { url, drop } = evolving === 'plan' ? lookedAt(config.database.url) : { url: config.database.url, drop() {} };
  const onWait = (reason: string) => process.stderr.write(`waiting for the database: ${reason}\n`);
  const store = await openStore(url, { pool: 2, migrate: 'off', evolving, onWait }, tables);
  try {
    return await work(store, tables, models);
  } finally {
    await store.close();
    drop();
  }
}

/** Opening a SQLite file that is not there would make it: the plan of an empty one is made elsewhere. */
function lookedAt(url: string): { url: string; drop(): void } {
  const [, path] = /^sqlite:([^?]*)/.exec(url) ?? [];
  if (path === undefined || existsSync(path)) return { url, drop() {} };
  const folder = mkdtempSync(join(tmpdir(), 'typecase-'));
  return {
    url: `sqlite:${join(folder, 'empty.sqlite')}`,
    drop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
