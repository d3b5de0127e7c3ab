// Classifies errors of PostgreSQL: retry, reconnect, duplicate key.
import { faultOf, isForbidden, SOCKET_ERRORS } from '../pool/database.js';
import type { TableModel } from '../../model/table.js';

/** Serialisation failure, deadlock, lock not available in time. */
const TRANSIENT = new Set(['40001', '40P01', '55P03']);
/** An invalidated plan or statement. */
const OUTDATED = new Set(['0A000', '26000']);
/** Shutting down, starting, read-only after a failover, too many connections, idle for too long. */
const LOST = new Set(['57P01', '57P02', '57P03', '57P05', '25006', '53300', '25P03', ...OUTDATED]);
/**
 * No such column or table, NULL or no value for a required column, and values that do not fit a column: too long, out
 * of range, of another type.
 */
const UNSUITED = new Set(['42703', '42P01', '23502', '22001', '22003', '22P02', '42804', '42883']);
/** Errors of pg itself, which have no codes. */
const CLIENT =
  /^Connection terminated|^Client (has encountered|was closed)|timeout exceeded when trying to connect|timeout expired/;

/** Whether retrying the whole transaction may succeed. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(faultOf(error).code);
}

/** Whether another connection may succeed. */
export function isLost(error: unknown): boolean {
  const { code, message } = faultOf(error);
  return LOST.has(code) || code.startsWith('08') || SOCKET_ERRORS.has(code) || (code === '' && CLIENT.test(message));
}

/** Whether a statement failed because it does not fit the table. */
export function isUnsuited(error: unknown): boolean {
  return UNSUITED.has(faultOf(error).code);
}

/** Whether the encoding of the database lacks a character of a value. */
export function isUnencodable(error: unknown): boolean {
  return faultOf(error).code === '22P05';
}

/** Whether a statement failed only because an earlier one of its transaction did. */
export function isConsequence(error: unknown): boolean {
  return faultOf(error).code === '25P02';
}

/** Whether a statement was prepared for tables that have changed, or is not prepared any more. */
export function isOutdated(error: unknown): boolean {
  return OUTDATED.has(faultOf(error).code);
}

/** Whether a unique key existed already. */
export function isDuplicate(error: unknown): boolean {
  return faultOf(error).code === '23505';
}

/** Whether the host no longer accepts writes. */
export function isReadOnly(error: unknown): boolean {
  return faultOf(error).code === '25006';
}

/** Whether the server aborted a statement because of its timeout. */
export function isTimedOut(error: unknown): boolean {
  return faultOf(error).code === '57014';
}

/** Whether the disk of the server is full, or it cannot write its files, or this user may not write. */
export function unwritableReason(error: unknown): 'full' | 'closed' | undefined {
  const { code } = faultOf(error);
  return code === '53100' ? 'full' : code === '58030' || isForbidden(error) ? 'closed' : undefined;
}

/** Table and columns of a duplicate key: the error names table and index. */
export function duplicateOf(
  error: unknown,
  tables: ReadonlyMap<string, TableModel>,
): { table: string; columns: string[] } | undefined {
  if (!isDuplicate(error)) return undefined;
  const { table: name = '', constraint = '' } = error as { table?: string; constraint?: string };
  const table = tables.get(name);
  const primary = [...(table?.columns.values() ?? [])].filter((column) => column.primary).map((column) => column.name);
  return { table: name, columns: table?.indexes.get(constraint)?.columns ?? primary };
}
