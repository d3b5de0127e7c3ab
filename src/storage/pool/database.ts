// Interface of a database server for the pooled store: sessions, and the classification of errors. Implemented once per
// server.
import type { DataSource } from 'typeorm';
import { StartupError } from '../../errors/problem.js';
import type { Bound, DdlConnection, StatementWatch, Statement } from '../sql/connection.js';
import type { Dialect } from '../sql/dialect.js';

/** One pooled connection, used by one transaction or one read at a time. */
export interface Session extends DdlConnection {
  /**
   * Begins a transaction with these statements, sent together. Later reads need not wait for the promise; writes must.
   */
  begin(first?: readonly Statement[]): Promise<void>;
  /** Begins a read transaction on a consistent snapshot. Its settings persist: release the session as broken. */
  beginSnapshot(): Promise<void>;
  /** Runs the last writes and commits, sent together; when one of them fails, nothing is committed. */
  commit(last?: readonly Statement[]): Promise<void>;
  rollback(): Promise<void>;
  /**
   * Runs reads outside a transaction, sent in one message; resolves with undefined where one of them must be sent
   * separately. Absent where statements are sent one by one.
   */
  rowsOfEach?(statements: readonly Statement[]): Promise<Bound[][][] | undefined>;
  /** Returns the session to the pool; a broken one is closed. */
  release(broken: boolean): void;
}

/** The pool of one server, or of the reachable server of a cluster. */
export interface Database {
  readonly source: DataSource;
  /** Largest statement in bytes, as reported by the server at the first connection. */
  readonly statementBytes: number;
  /** Whether several reads can be sent in one message (`Session.rowsOfEach`). */
  readonly readsTogether?: boolean;
  /** The SQL dialect, once the server version is known. */
  readonly dialect: Dialect;
  /** A session ready for statements. Throws an error that `isLost` recognizes when no server is reachable. */
  connect(): Promise<Session>;
  /**
   * Runs schema changes on a separate connection under an exclusive lock, without timeout, committed at the end.
   * Indexing `texts`, which may take long, has a separate lock.
   */
  exclusive<T>(work: (session: Session) => Promise<T>, what?: 'schema' | 'texts'): Promise<T>;
  /** Whether the connection is lost or the server unreachable: another connection may succeed. */
  isLost(error: unknown): boolean;
  /** Whether the host accepts no writes: unlike other `isLost` errors, this one says that nothing was written. */
  isReadOnly(error: unknown): boolean;
  /** Whether the server aborted a statement because of its timeout. */
  isTimedOut(error: unknown): boolean;
  /** Server settings with which acknowledged writes may be lost on a power cut, or texts be refused. */
  unsafeSettings(): Promise<string[]>;
  /** Why the server accepts no writes of this user, and what to change; undefined when it accepts them. */
  readOnlyReason(): Promise<string | undefined>;
  /** Open connections, and how many of them are idle. */
  connections(): { open: number; idle: number };
  close(): Promise<void>;
}

/** Options of a pool. Times are milliseconds. */
export interface PoolOptions extends StatementWatch {
  size: number;
  /** Timeout of one statement, default `STATEMENT_MS`, on MySQL `READING_MS`; 0: none. */
  statementMs?: number;
  /** Called when a change of tables, or its plan, must wait for that of another process. */
  onLocked?: () => void;
}

/** Default timeout of one statement, in milliseconds. */
export const STATEMENT_MS = 5_000;
/** Default timeout where searches scan all texts: a slow response is better than an error. */
export const READING_MS = 15_000;
/**
 * Longest wait of one statement for a lock, in milliseconds: less than for the whole statement, so that a lock which another
 * session holds is reported as such.
 */
export const LOCK_MS = 4_500;
/**
 * Longest wait for a lock in commands, which have no statement timeout: as long as on SQLite. They report that they
 * wait.
 */
export const COMMAND_LOCK_MS = 600_000;
/** Timeout of connecting, in milliseconds. */
export const CONNECT_MS = 5_000;

/** Error codes of broken sockets. */
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

/** Code, number and message of a driver's error. */
export function faultOf(error: unknown): { code: string; errno: number; message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', errno: 0, message: '' };
  const { code, errno, message, errors } = error as { [member: string]: unknown; errors?: unknown[] };
  // Node tries every address of a name and aggregates the errors.
  const inner = code === undefined && errors ? faultOf(errors[0]).code : '';
  return { code: String(code ?? inner), errno: typeof errno === 'number' ? errno : 0, message: String(message ?? '') };
}

/**
 * Errors that retrying cannot fix (wrong name, password or database) as a StartupError about a variable; other errors
 * unchanged.
 */
export function asStartupError(error: unknown, variable: string): unknown {
  const { code, message } = faultOf(error);
  const hint = HINTS[code] ?? (WITHOUT_TLS.test(message) ? NO_TLS : undefined);
  return hint === undefined ? error : new StartupError([{ file: 'environment', path: variable, message, hint }]);
}

/**
 * Whether the server does not let this user in any more: a password, a role or the database was changed while the site
 * runs.
 */
export function isShutOut(error: unknown): boolean {
  const { code } = faultOf(error);
  return Object.hasOwn(HINTS, code) && !MISSING_RIGHTS.has(code);
}

/** Whether the user lacks the right to do this, to a table or in the database. */
export function isForbidden(error: unknown): boolean {
  return MISSING_RIGHTS.has(faultOf(error).code);
}

/**
 * Error codes of missing rights, also for a single table where an operator has restricted them; the server is
 * reachable.
 */
const MISSING_RIGHTS: ReadonlySet<string> = new Set([
  '42501',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
]);
/** The consequence of an unsafe setting. */
export const MAY_LOSE = 'acknowledged writes may be lost when the power fails';
/** The advice for a user without the required rights. */
export const GRANT = 'grant the user all rights on the database';

/** The message of pg, whose own errors have no codes. */
const WITHOUT_TLS = /does not support SSL/;
const NO_TLS = 'turn TLS on at the server, or leave sslmode out';

const UNTRUSTED =
  'name the certificate of the authority with sslrootcert, or encrypt without verifying by sslmode=require';

const HINTS: Record<string, string> = {
  HANDSHAKE_SSL_ERROR: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'name the host as the certificate of the server does',
  CERT_HAS_EXPIRED: 'renew the certificate of the server',
  HANDSHAKE_NO_SSL_SUPPORT: NO_TLS,
  ER_ACCESS_DENIED_ERROR: 'check user and password',
  // MariaDB, for a user that does not exist.
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 'check user and password',
  ER_DBACCESS_DENIED_ERROR: GRANT,
  ER_BAD_DB_ERROR: 'create the database first: CREATE DATABASE name CHARACTER SET utf8mb4',
  '28P01': 'check user and password',
  '28000': 'check user and password, and pg_hba.conf',
  ...Object.fromEntries([...MISSING_RIGHTS].map((code) => [code, GRANT])),
  '3D000': 'create the database first: CREATE DATABASE name',
  IS_MYSQL: 'begin its address with mysql://, or name host and port of a PostgreSQL server',
  IS_POSTGRES: 'begin its address with postgres://, or name host and port of a MySQL or MariaDB server',
};
