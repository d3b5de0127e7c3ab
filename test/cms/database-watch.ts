// Looks at the database of a running site from outside: whether anything was committed, and what every table holds.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import type { TestSite } from '../support/boot-site.js';

export class DatabaseWatch {
  private readonly database: any;

  constructor({ folder }: TestSite) {
    this.database = new Database(join(folder, 'site.sqlite'), { readonly: true } as never);
  }

  /** Changes with every commit of anybody else. */
  version(): number {
    return Number(this.database.prepare('PRAGMA data_version').get().data_version);
  }

  /** Every table with the number of its rows and a hash of them. */
  dump(): Record<string, string> {
    const names = this.database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all() as { name: string }[];
    const dump: Record<string, string> = {};
    for (const { name } of names) {
      const rows = this.database.prepare(`SELECT * FROM "${name}"`).raw().all() as unknown[][];
      const hash = createHash('sha256');
      for (const row of rows.map((each) => JSON.stringify(each)).sort()) hash.update(row);
      dump[name] = `${rows.length} ${hash.digest('hex').slice(0, 16)}`;
    }
    return dump;
  }

  close(): void {
    this.database.close();
  }
}
