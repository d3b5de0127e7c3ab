// @ts-check
// Runs statements on a SQLite connection: in a worker thread or a child process (runner.mjs), or on the calling thread
// (remote.ts). Plain JavaScript, because Node starts the runner directly: from dist/, and from src/ under tests.
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * @typedef {import('../sql/connection.js').Bound} Bound
 * @typedef {import('./remote.js').Opening} Opening
 * @typedef {import('./remote.js').Request} Request
 * @typedef {import('./remote.js').Reply} Reply
 *
 * What better-sqlite3 and libsql have in common.
 * @typedef {{ raw(): Statement, all(params: readonly Bound[]): Bound[][], get(params: readonly Bound[]): Bound[] | undefined, run(params: readonly Bound[]): { changes: number, lastInsertRowid: number | bigint } }} Statement
 * @typedef {{ readonly inTransaction: boolean, prepare(sql: string): Statement, exec(sql: string): void, close(): void }} Driver
 * @typedef {(params: readonly Bound[]) => Bound[][]} Rows
 */

/** Characters of one message of rows, so that the receiving event loop is not blocked by a large one. */
const PIECE = 512 * 1024;
/** Statements without parameters that come with every transaction. */
const FREQUENT = new Set(['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK', 'SAVEPOINT member', 'RELEASE member']);
/** Characters of parameters above which a statement is not cached, because it would retain them. */
const LARGE = 1024 * 1024;
/** Statements that return one row at most. */
const SINGLE = / LIMIT 1$|^PRAGMA data_version$/;

/** An open connection. Its statements are prepared once and cached. */
export class StatementRunner {
  /** @type {Map<string, Rows>} */
  readers = new Map();
  /** @type {Map<string, Statement>} */
  writers = new Map();
  /** @type {Driver | undefined} */
  driver;

  /**
   * Opens the connection. Throws the errors of the driver.
   * @param {Opening} opening
   * @param {(reply: Reply) => void} send called with each reply
   * @param {() => void} afterLarge called after a statement with large parameters
   */
  constructor(opening, send, afterLarge) {
    this.opening = opening;
    this.send = send;
    this.afterLarge = afterLarge;
    this.driver = open(opening);
  }

  /**
   * Replies to a request; requests after `close` are ignored.
   * @param {Request} request
   */
  serve([kind, sql, params]) {
    const db = this.driver;
    if (!db) return;
    if (kind === 'close') return this.close(db);
    const start = performance.now();
    try {
      const reply =
        kind === 'rows' ? this.rows(db, sql, params) : kind === 'run' ? this.run(db, sql, params) : this.exec(db, sql);
      this.send({ ...reply, ms: performance.now() - start, open: db.inTransaction });
    } catch (error) {
      this.send({ ms: performance.now() - start, open: db.inTransaction, error: plain(error) });
    }
  }

  /** @param {Driver} db */
  close(db) {
    this.readers.clear();
    this.writers.clear();
    // libsql aborts the process when a closed connection is used.
    this.driver = undefined;
    db.close();
    this.send({ ms: 0, open: false });
  }

  /**
   * @param {Driver} db
   * @param {string} sql
   * @param {readonly Bound[]} params
   */
  rows(db, sql, params) {
    let read = this.readers.get(sql);
    if (!read) this.keep(this.readers, sql, (read = prepareRows(db, sql)));
    return { rows: this.lastPiece(read(params)) };
  }

  /**
   * Sends the rows in pieces, except for the last piece, which it returns.
   * @param {Bound[][]} all
   */
  lastPiece(all) {
    let from = 0;
    let size = 0;
    for (let at = 0; at < all.length; at++) {
      size += sizeOf(/** @type {Bound[]} */ (all[at]));
      if (size < PIECE || at === all.length - 1) continue;
      this.send({ ms: 0, open: false, more: true, rows: all.slice(from, at + 1) });
      from = at + 1;
      size = 0;
    }
    return from === 0 ? all : all.slice(from);
  }

  /**
   * @param {Driver} db
   * @param {string} sql
   * @param {readonly Bound[]} params
   */
  run(db, sql, params) {
    const isLarge = sizeOf(params) > LARGE;
    let statement = isLarge ? undefined : this.writers.get(sql);
    if (!statement) statement = db.prepare(sql);
    if (!isLarge && !this.writers.has(sql)) this.keep(this.writers, sql, statement);
    const { changes, lastInsertRowid } = statement.run(params);
    if (isLarge) this.afterLarge();
    return { ran: { changes, id: Number(lastInsertRowid) } };
  }

  /**
   * @param {Driver} db
   * @param {string} sql
   */
  exec(db, sql) {
    if (FREQUENT.has(sql)) this.run(db, sql, []);
    else db.exec(sql);
  }

  /**
   * Evicts the oldest statement: preparing it again now and then costs less than tracking the least recently used.
   * @template T
   * @param {Map<string, T>} statements
   * @param {string} sql
   * @param {T} statement
   */
  keep(statements, sql, statement) {
    if (statements.size >= this.opening.statements)
      statements.delete(/** @type {string} */ (statements.keys().next().value));
    statements.set(sql, statement);
  }
}

/**
 * Prepares a statement that reads. The driver reads a single row in one call, and several in two, which take twice as long.
 * @param {Pick<Driver, 'prepare'>} db
 * @param {string} sql
 * @returns {Rows}
 */
export function prepareRows(db, sql) {
  const prepared = db.prepare(sql).raw();
  if (!SINGLE.test(sql)) return (params) => prepared.all(params);
  /** @type {Statement | undefined} */
  let statement = prepared;
  return (params) => {
    statement ??= db.prepare(sql).raw();
    try {
      const row = statement.get(params);
      return row === undefined ? [] : [row];
    } catch (error) {
      // libsql would repeat the error in every later call.
      statement = undefined;
      throw error;
    }
  };
}

/**
 * An error as a message can carry it.
 * @param {unknown} error
 */
export function plain(error) {
  const { message, code, name } = /** @type {Error & { code?: string }} */ (error);
  return { message, name, ...(code === undefined ? {} : { code }) };
}

/** @param {readonly Bound[]} row */
function sizeOf(row) {
  let size = 0;
  for (const value of row) size += typeof value === 'string' ? value.length : 8;
  return size;
}

/**
 * @param {Opening} opening
 * @returns {Driver}
 */
function open(opening) {
  const Database = loadDriver();
  // SQLite would create the file, and delete a WAL beside an empty one: the file was moved after this was started.
  if (opening.readOnly && !(statSync(opening.file, { throwIfNoEntry: false })?.size ?? 0))
    throw Object.assign(new Error(`${opening.file} is missing or empty`), { code: 'SQLITE_CANTOPEN' });
  const db = new Database(opening.file, { timeout: opening.busyMs });
  // The same as TypeORM does on its connection.
  db.exec('PRAGMA foreign_keys = ON');
  if (!opening.readOnly) db.exec('PRAGMA journal_mode = WAL');
  db.exec(`PRAGMA synchronous = ${opening.synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
  db.exec(`PRAGMA cache_size = -${opening.cacheKiB}`);
  if (opening.checkpointPages !== undefined) db.exec(`PRAGMA wal_autocheckpoint = ${opening.checkpointPages}`);
  db.exec(`PRAGMA analysis_limit = 400`);
  if (opening.readOnly) db.exec('PRAGMA query_only = ON');
  return db;
}

/**
 * better-sqlite3 where it is installed (it is faster), else libsql.
 * @returns {new (file: string, options: object) => Driver}
 */
function loadDriver() {
  const require = createRequire(import.meta.url);
  try {
    return require('better-sqlite3');
  } catch {
    return require('libsql');
  }
}
