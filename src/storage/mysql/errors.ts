// Classifies errors of MySQL, MariaDB and their clusters: retry, reconnect, duplicate key.
import { faultOf, isForbidden, SOCKET_ERRORS } from '../pool/database.js';
import type { TableModel } from '../../model/table.js';

/**
 * Deadlock (Galera: certification failure), lock wait timeout, row changed since read, query interrupted, certification
 * failure of Group Replication, table altered since the snapshot; TiDB's write conflicts.
 */
const TRANSIENT = new Set([1213, 1205, 1020, 1317, 3101, 1412, 9007, 8002, 8028]);
/** The host has become a replica. */
const READ_ONLY = new Set([1290, 1792, 1836]);
/** Shutting down, killed, gone, idle too long, node not ready, too many connections, of all users or of this one. */
const LOST = new Set([1053, 1927, 2006, 2013, 4031, 1047, 1040, 1203, 1226, ...READ_ONLY]);
/** MAX_EXECUTION_TIME, max_statement_time. */
const TIMED_OUT = new Set([3024, 1969]);
const NO_SUCH_TABLE = 1146;
const NO_SUCH_INDEX = 1176;
/** max_prepared_stmt_count of the server reached; a table left its cache too often (table_definition_cache). */
const UNPREPARED = new Set([1461, 1615]);
/**
 * No such table or column, NULL or no value for a required column, and values that do not fit a column: out of range,
 * truncated, of another type, too long.
 */
const UNSUITED = new Set([NO_SUCH_TABLE, 1054, 1048, 1364, 1264, 1265, 1292, 1366, 1406]);
/** Table, column or index already exists. */
const ALREADY_EXISTS = new Set([1050, 1060, 1061]);
/** Disk full, table full (its tablespace or the temporary one). */
const FULL = new Set([1021, 1114]);
/** Error writing a file, error from the storage engine: the message contains the errno, 28 or 122 for a full disk. */
const SYSTEM = new Set([3, 1026, 1030]);
/** Table is read-only, in a server that accepts writes. */
const READ_ONLY_TABLE = new Set([1036]);
/** Errors of mysql2 itself; `fatal` ones close the connection. */
const CLIENT = /^PROTOCOL_|connection.*(closed|lost)|closed state/i;

/** Whether retrying the whole transaction may succeed. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(faultOf(error).errno);
}

/** Whether somebody has ended a statement (`KILL QUERY`). */
export function isInterrupted(error: unknown): boolean {
  return faultOf(error).errno === 1317;
}

/** Whether a statement names an index that has been dropped. */
export function isWithoutIndex(error: unknown): boolean {
  return faultOf(error).errno === NO_SUCH_INDEX;
}

/** Whether the server has not run a statement because it could not keep it prepared. */
export function isUnprepared(error: unknown): boolean {
  return UNPREPARED.has(faultOf(error).errno);
}

/** Whether another connection may succeed. */
export function isLost(error: unknown): boolean {
  const { code, errno, message } = faultOf(error);
  return LOST.has(errno) || SOCKET_ERRORS.has(code) || CLIENT.test(code) || (errno <= 0 && CLIENT.test(message));
}

/** Whether another process made the same schema change first: the lock does not cover other nodes of a cluster. */
export function isConcurrentChange(error: unknown): boolean {
  return ALREADY_EXISTS.has(faultOf(error).errno) || isTransient(error);
}

/** Whether a table is missing. */
export function isMissingTable(error: unknown): boolean {
  return faultOf(error).errno === NO_SUCH_TABLE;
}

/** Whether a statement failed because it does not fit the table. */
export function isUnsuited(error: unknown): boolean {
  return UNSUITED.has(faultOf(error).errno);
}

/** Whether the host no longer accepts writes. */
export function isReadOnly(error: unknown): boolean {
  return READ_ONLY.has(faultOf(error).errno);
}

/** Whether the server aborted a statement because of its timeout. */
export function isTimedOut(error: unknown): boolean {
  return TIMED_OUT.has(faultOf(error).errno);
}

/** Whether the disk of the server is full, or a table is read-only, for everybody or for this user. */
export function unwritableReason(error: unknown): 'full' | 'closed' | undefined {
  const { errno, message } = faultOf(error);
  if (FULL.has(errno) || (SYSTEM.has(errno) && /\b(28|122)\b/.test(message))) return 'full';
  return READ_ONLY_TABLE.has(errno) || SYSTEM.has(errno) || isForbidden(error) ? 'closed' : undefined;
}

/** Table and columns of a duplicate key: the error names the index, the statement the table. */
export function duplicateOf(
  error: unknown,
  sql: string,
  tables: ReadonlyMap<string, TableModel>,
): { table: string; columns: string[] } | undefined {
  const { errno, message } = faultOf(error);
  if (errno !== 1062 && errno !== 1586) return undefined;
  const name = /^(?:INSERT INTO|UPDATE) `([^`]+)`/.exec(sql)?.[1] ?? '';
  const table = tables.get(name);
  const key = /'(?:[^'.]*\.)?([^'.]+)'\s*$/.exec(message)?.[1] ?? '';
  const primary = [...(table?.columns.values() ?? [])].filter((column) => column.primary).map((column) => column.name);
  return { table: name, columns: table?.indexes.get(key)?.columns ?? (key === 'PRIMARY' ? primary : []) };
}
