// Opens the store that DATABASE_URL names, and waits for a server that does not answer yet. Called by start-site.ts and the command line.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TableModel } from '../model/model.js';
import type { Store } from '../model/store.js';
import { asRefusal, faultOf } from './database.js';
import { isLost as lostMysql } from './mysql.errors.js';
import { openMysqlStore } from './mysql.store.js';
import { isLost as lostPostgres } from './postgres.errors.js';
import { openPostgresStore } from './postgres.store.js';
import { type ServerStoreOptions } from './server.store.js';
import { openSqliteStore } from './sqlite.store.js';

/** How a store is opened, whatever the database. */
export interface StoreOptions extends ServerStoreOptions {
  /** Told each time the server did not answer, with what it or the network said; opening goes on trying until `signal`. */
  onWait?: (reason: string) => void;
  signal?: AbortSignal;
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

/** Throws BootError where tables contradict the models or the server refuses us. */
export async function openStore(
  url: string,
  options: StoreOptions,
  tables: ReadonlyMap<string, TableModel>,
): Promise<Store> {
  const [, path, query = ''] = /^sqlite:([^?]*)\??(.*)$/.exec(url) ?? [];
  if (path !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    const synchronous = new URLSearchParams(query).get('synchronous') === 'normal' ? 'normal' : 'full';
    return openSqliteStore(path, { ...options, synchronous }, tables);
  }
  const mysql = /^(mysql|mariadb):/.test(url);
  const open = mysql ? openMysqlStore : openPostgresStore;
  return waiting(() => open(url, options, tables), mysql ? lostMysql : lostPostgres, options);
}

async function waiting(
  open: () => Promise<Store>,
  lost: (error: unknown) => boolean,
  options: StoreOptions,
): Promise<Store> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await open();
    } catch (error) {
      if (!lost(error)) throw asRefusal(error, 'DATABASE_URL');
      options.onWait?.(reasonOf(error));
      await sleep(pause, undefined, { signal: options.signal });
    }
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = faultOf(error);
  return message || code || 'no answer';
}
