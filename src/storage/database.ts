// A database server as server.store.ts uses it: sessions from a pool, and what its errors mean. Implemented once per server.
import type { DataSource } from 'typeorm';
import { BootError } from '../errors/problem.js';
import type { OnSlow } from './connection.js';
import type { Dialect } from './dialect.js';
import type { DdlConnection } from './schema-apply.js';

/** One connection of a pool, used by one transaction or one read at a time. */
export interface Session extends DdlConnection {
  begin(): Promise<void>;
  /** Begins a transaction that reads one state of the data, however long it takes. Its settings stay: release it as broken. */
  beginSnapshot(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Back into the pool; a broken one is thrown away. */
  release(broken: boolean): void;
}

/** The pool of one server, or of the server of a cluster that answers. */
export interface Database {
  readonly source: DataSource;
  /** How the server speaks, once it is known. */
  readonly dialect: Dialect;
  /** A connection ready for statements. Throws what `lost` knows when no server can be reached. */
  connect(): Promise<Session>;
  /** Runs schema changes on a connection of their own: one process at a time, without a limit of time, committed at the end. */
  alone<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** The connection is gone, or the server cannot be reached: another connection may serve. */
  lost(error: unknown): boolean;
  /** The server gave up on a statement that took too long. */
  timedOut(error: unknown): boolean;
  /** Settings of the server with which acknowledged writes may be lost on a power cut. */
  weaknesses(): Promise<string[]>;
  close(): Promise<void>;
}

/** How a server's pool behaves. Times are milliseconds. */
export interface PoolOptions {
  size: number;
  onSlow?: OnSlow;
  slowMs?: number;
  /** Longest time of one statement, default `STATEMENT_MS`, on MySQL `READING_MS`; 0: any. */
  statementMs?: number;
}

/** Longest time of one statement, in milliseconds. */
export const STATEMENT_MS = 5_000;
/** The same where searches read every text: an answer that takes long is better than none. */
export const READING_MS = 15_000;
/** Longest wait for a connection to be made, in milliseconds. */
export const CONNECT_MS = 5_000;

/** Codes of sockets that will not carry anything any more. */
export const SOCKET_ERRORS: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Code, number and text of a driver's error. */
export function faultOf(error: unknown): { code: string; errno: number; message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', errno: 0, message: '' };
  const { code, errno, message, errors } = error as { [member: string]: unknown; errors?: unknown[] };
  // Node tries every address of a name and reports them together.
  const inner = code === undefined && errors ? faultOf(errors[0]).code : '';
  return { code: String(code ?? inner), errno: typeof errno === 'number' ? errno : 0, message: String(message ?? '') };
}

/** What no waiting mends (wrong name, password or database) as a BootError about a variable; other errors as they are. */
export function asRefusal(error: unknown, variable: string): unknown {
  const { code, message } = faultOf(error);
  const hint = HINTS[code];
  return hint === undefined ? error : new BootError([{ file: 'environment', path: variable, message, hint }]);
}

const HINTS: Record<string, string> = {
  ER_ACCESS_DENIED_ERROR: 'check user and password',
  ER_DBACCESS_DENIED_ERROR: 'grant the user all rights on the database',
  ER_BAD_DB_ERROR: 'create the database first: CREATE DATABASE name CHARACTER SET utf8mb4',
  '28P01': 'check user and password',
  '28000': 'check user and password, and pg_hba.conf',
  '42501': 'grant the user all rights on the database',
  '3D000': 'create the database first: CREATE DATABASE name',
};
