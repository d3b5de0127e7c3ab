// Opens the store that DATABASE_URL names, and waits for a server that does not answer yet. Called by start-site.ts and the command line.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../errors/problem.js';
import type { TableModel } from '../model/model.js';
import type { Store } from '../model/store.js';
import { faultOf } from './database.js';
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
      if (!lost(error)) throw refusal(error) ?? error;
      options.onWait?.(reasonOf(error));
      await sleep(pause, undefined, { signal: options.signal });
    }
  }
}

/** Wrong name, password or database: no waiting mends that. */
function refusal(error: unknown): BootError | undefined {
  const { code, message } = faultOf(error);
  const hints: Record<string, string> = {
    ER_ACCESS_DENIED_ERROR: 'check user and password',
    ER_DBACCESS_DENIED_ERROR: 'grant the user all rights on the database',
    ER_BAD_DB_ERROR: 'create the database first: CREATE DATABASE name CHARACTER SET utf8mb4',
    '28P01': 'check user and password',
    '28000': 'check user and password, and pg_hba.conf',
    '42501': 'grant the user all rights on the database',
    '3D000': 'create the database first: CREATE DATABASE name',
  };
  const hint = hints[code];
  return hint === undefined ? undefined : new BootError([{ file: 'environment', path: 'DATABASE_URL', message, hint }]);
}

function reasonOf(error: unknown): string {
  const { code, message } = faultOf(error);
  return message || code || 'no answer';
}
