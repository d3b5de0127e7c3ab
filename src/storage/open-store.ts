// Opens the store that DATABASE_URL names, and waits for a server that is not reachable yet.
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdministeredStore } from './sql/administered-store.js';
import { asStartupError, faultOf } from './pool/database.js';
import { type ServerStoreOptions } from './pool/store.js';
import type { SqliteStoreOptions } from './sqlite/store.js';
import { asFileError } from './sqlite/errors.js';
import { makePrivateFolder } from '../disk/private-file.js';
import type { TableModel } from '../model/table.js';

/** Options of opening a store, for all databases. */
export interface StoreOptions extends ServerStoreOptions, Pick<SqliteStoreOptions, 'bulk'> {
  /** Called with the reason each time the server was not reachable; retries until `signal` aborts. */
  onWait?: (reason: string) => void;
  signal?: AbortSignal;
}

interface ServerStore {
  open(url: string, options: StoreOptions, tables: ReadonlyMap<string, TableModel>): Promise<AdministeredStore>;
  /** Whether an error says that the server is not reachable. */
  isLost(error: unknown): boolean;
}

const FIRST_PAUSE = 500;
const MAX_BACKOFF_MS = 5_000;

/** Throws StartupError where tables contradict the models, the server rejects the credentials or the file cannot be used. */
export async function openStore(
  url: string,
  options: StoreOptions,
  tables: ReadonlyMap<string, TableModel>,
): Promise<AdministeredStore> {
  const [, path, query = ''] = /^sqlite:([^?]*)\??(.*)$/.exec(url) ?? [];
  if (path !== undefined) {
    const { openSqliteStore } = await import('./sqlite/store.js');
    const synchronous = new URLSearchParams(query).get('synchronous') === 'normal' ? 'normal' : 'full';
    try {
      makePrivateFolder(dirname(path));
      return await openSqliteStore(path, { ...options, synchronous }, tables);
    } catch (error) {
      throw asFileError(error, path);
    }
  }
  const { open, isLost } = await serverStore(url);
  return waiting(() => open(url, options, tables), isLost, options);
}

// Only the driver in use is loaded.
async function serverStore(url: string): Promise<ServerStore> {
  if (/^(mysql|mariadb):/.test(url)) {
    const [{ openMysqlStore }, { isLost }] = await Promise.all([
      import('./mysql/store.js'),
      import('./mysql/errors.js'),
    ]);
    return { open: openMysqlStore, isLost };
  }
  const [{ openPostgresStore }, { isLost }] = await Promise.all([
    import('./postgres/store.js'),
    import('./postgres/errors.js'),
  ]);
  return { open: openPostgresStore, isLost };
}

async function waiting(
  open: () => Promise<AdministeredStore>,
  lost: (error: unknown) => boolean,
  options: StoreOptions,
): Promise<AdministeredStore> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, MAX_BACKOFF_MS)) {
    try {
      return await open();
    } catch (error) {
      if (!lost(error)) throw asStartupError(error, 'DATABASE_URL');
      options.onWait?.(reasonOf(error));
      await sleep(pause, undefined, { signal: options.signal });
    }
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = faultOf(error);
  return message || code || 'no response';
}
