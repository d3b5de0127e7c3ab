// An invented library's tables and fresh databases for the storage specs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from '../../../src/storage/sqlite/store.js';
import { openStore, type StoreOptions } from '../../../src/storage/open-store.js';
import type { AdministeredStore } from '../../../src/storage/sql/administered-store.js';
import { type Engine, type FreshDatabase, freshDatabase } from '../../support/fresh-database.js';
import type { ColumnModel, IndexModel, TableModel } from '../../../src/model/table.js';

export function table(
  name: string,
  columns: ColumnModel[],
  indexes: IndexModel[] = [],
  counted: string[] = [],
): TableModel {
  return {
    name,
    columns: new Map(columns.map((column) => [column.name, column])),
    indexes: new Map(indexes.map((index) => [index.name, index])),
    counted,
  };
}

export function tablesOf(...tables: TableModel[]): Map<string, TableModel> {
  return new Map(tables.map((each) => [each.name, each]));
}

export const books = table(
  'books',
  [
    { name: 'id', kind: 'integer', primary: true },
    { name: 'kind', kind: 'varchar', length: 20, default: 'novel' },
    { name: 'shelf', kind: 'varchar', length: 20, nullable: true },
    { name: 'title', kind: 'varchar', length: 200, default: '' },
    { name: 'folded', kind: 'text', default: '' },
    { name: 'isbn', kind: 'varchar', length: 20, nullable: true, binary: true },
    { name: 'parent', kind: 'integer', default: 0 },
    { name: 'loans', kind: 'integer', default: 0 },
    { name: 'lent', kind: 'boolean', default: false },
    { name: 'weight', kind: 'double', nullable: true },
    { name: 'bought', kind: 'datetime', nullable: true },
    { name: 'extra', kind: 'json', nullable: true },
  ],
  [
    { name: 'books_isbn', columns: ['isbn'], unique: true },
    { name: 'books_kind', columns: ['kind', 'shelf', 'bought', 'id'] },
    { name: 'books_folded', columns: ['folded'], fulltext: true },
  ],
  ['kind', 'shelf'],
);

export const tags = table(
  'book_tags',
  [
    { name: 'owner_id', kind: 'integer', primary: true },
    { name: 'target_id', kind: 'integer', primary: true },
  ],
  [{ name: 'book_tags_target', columns: ['target_id', 'owner_id'] }],
);

export const library = tablesOf(books, tags);

/** A database that is dropped afterwards, and stores on it. */
export interface OpenDatabase extends FreshDatabase {
  /** Another store, as another process would open it. Whoever opens closes. */
  open(
    tables?: ReadonlyMap<string, TableModel>,
    options?: Partial<StoreOptions>,
    url?: string,
  ): Promise<AdministeredStore>;
}

/** The storage specs' ways to a database of an engine. */
export function on(engine: Engine) {
  /** Runs `work` on a fresh database without tables. */
  async function withDatabase(work: (database: OpenDatabase) => Promise<void>): Promise<void> {
    const fresh = await freshDatabase(engine);
    const open: OpenDatabase['open'] = (tables = library, options = {}, url = fresh.url) =>
      openStore(url, { pool: 4, ...options }, tables);
    try {
      await work({ ...fresh, open });
    } finally {
      await fresh.drop();
    }
  }

  /** Runs `work` on a store of its own. */
  async function withStore(
    work: (store: AdministeredStore, database: OpenDatabase) => Promise<void>,
    options: Partial<StoreOptions> = {},
    tables = library,
  ): Promise<void> {
    await withDatabase(async (database) => {
      const store = await database.open(tables, options);
      try {
        await work(store, database);
      } finally {
        await store.close();
      }
    });
  }

  return { withDatabase, withStore };
}

/** Runs `work` on a store of its own and removes the file afterwards. */
export async function withStore(
  work: (store: SqliteStore, file: string) => Promise<void>,
  options: Partial<SqliteStoreOptions> = {},
  tables = library,
): Promise<void> {
  await withFile(async (file) => {
    const store = await openSqliteStore(file, { synchronous: 'normal', ...options }, tables);
    try {
      await work(store, file);
    } finally {
      await store.close();
    }
  });
}

/** A path in a directory that is removed afterwards. */
export async function withFile(work: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-storage-'));
  try {
    await work(join(folder, 'deep', 'library.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
