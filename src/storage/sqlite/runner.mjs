// @ts-check
// Runs statements on a SQLite connection in a worker thread or a child process. Plain JavaScript, because Node starts
// it directly: from dist/, and from src/ under tests. The types below are those of remote.ts, which starts it.
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * @typedef {import('../sql/connection.js').Bound} Bound
 * @typedef {import('./remote.js').Opening} Opening
 * @typedef {import('./remote.js').Request} Request
 * @typedef {import('./remote.js').Reply} Reply
 *
 * What better-sqlite3 and libsql have in common.
 * @typedef {{ all(params: readonly Bound[]): Bound[][], run(params: readonly Bound[]): { changes: number, lastInsertRowid: number | bigint } }} Statement
 * @typedef {{ readonly inTransaction: boolean, prepare(sql: string): Statement & { raw(): Statement }, exec(sql: string): void, close(): void }} Driver
 */

/** Characters of one message of rows, so that the receiving event loop is not blocked by a large one. */
const PIECE = 512 * 1024;
/** Characters of parameters whose statement is not kept, because it would keep them too; their garbage is collected at once. */
const LARGE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = /** @type {() => void} */ (runInNewContext('gc'));

/** @type {Map<string, Statement>} */
const readers = new Map();
/** @type {Map<string, Statement>} */
const writers = new Map();

/** @type {Opening} */
const opening = parentPort ? workerData : JSON.parse(process.argv[2] ?? '');

/** @type {(reply: Reply) => void} */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
const send = parentPort ? (reply) => parentPort?.postMessage(reply) : (reply) => void process.send?.(reply);

if (!parentPort) {
  // It ends with its parent process, not with the signals of a terminal, which reach both.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
}

/** @type {Driver | undefined} */
let driver;
try {
  driver = open();
  send({ ms: 0, open: false });
  (parentPort ?? process).on('message', (request) => driver && serve(driver, request));
} catch (error) {
  send({ ms: 0, open: false, error: plain(error) });
}

/** @returns {Driver} */
function open() {
  const Database = loadDriver();
  const db = new Database(opening.file, { timeout: opening.busyMs });
  // The same as TypeORM does on its connection.
  db.exec('PRAGMA foreign_keys = ON');
  if (!opening.readOnly) db.exec('PRAGMA journal_mode = WAL');
  db.exec(`PRAGMA synchronous = ${opening.synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
  db.exec(`PRAGMA cache_size = -${opening.cacheKiB}`);
  db.exec(`PRAGMA analysis_limit = 400`);
  if (opening.readOnly) db.exec('PRAGMA query_only = ON');
  return db;
}

/** @returns {new (file: string, options: object) => Driver} better-sqlite3 where it is installed (it is faster), else libsql */
function loadDriver() {
  const require = createRequire(import.meta.url);
  try {
    return require('better-sqlite3');
  } catch {
    return require('libsql');
  }
}

/**
 * @param {Driver} db
 * @param {Request} request
 */
function serve(db, [kind, sql, params]) {
  const start = performance.now();
  try {
    if (kind === 'close') return close(db);
    const answer = kind === 'rows' ? rows(db, sql, params) : kind === 'run' ? run(db, sql, params) : db.exec(sql);
    send({ ...answer, ms: performance.now() - start, open: db.inTransaction });
  } catch (error) {
    send({ ms: performance.now() - start, open: db.inTransaction, error: plain(error) });
  }
}

/** @param {Driver} db */
function close(db) {
  readers.clear();
  writers.clear();
  // libsql aborts the process when a closed connection is used.
  driver = undefined;
  db.close();
  send({ ms: 0, open: false });
  // Without a port the thread ends by itself. Terminating it while the driver works would end the whole process.
  if (parentPort) parentPort.close();
  else process.disconnect?.();
}

/**
 * @param {Driver} db
 * @param {string} sql
 * @param {readonly Bound[]} params
 */
function rows(db, sql, params) {
  let statement = readers.get(sql);
  if (!statement) keep(readers, sql, (statement = db.prepare(sql).raw()));
  // `all` and never `get`: libsql leaves a statement open after its first row, and with it an old snapshot.
  return { rows: lastPiece(statement.all(params)) };
}

/**
 * Sends all rows but those that one message can take.
 * @param {Bound[][]} all
 */
function lastPiece(all) {
  let from = 0;
  let size = 0;
  for (let at = 0; at < all.length; at++) {
    size += sizeOf(/** @type {Bound[]} */ (all[at]));
    if (size < PIECE || at === all.length - 1) continue;
    send({ ms: 0, open: false, more: true, rows: all.slice(from, at + 1) });
    from = at + 1;
    size = 0;
  }
  return from === 0 ? all : all.slice(from);
}

/** @param {readonly Bound[]} row */
function sizeOf(row) {
  let size = 0;
  for (const value of row) size += typeof value === 'string' ? value.length : 8;
  return size;
}

/**
 * @param {Driver} db
 * @param {string} sql
 * @param {readonly Bound[]} params
 */
function run(db, sql, params) {
  const isLarge = sizeOf(params) > LARGE;
  let statement = isLarge ? undefined : writers.get(sql);
  if (!statement) statement = db.prepare(sql);
  if (!isLarge && !writers.has(sql)) keep(writers, sql, statement);
  const { changes, lastInsertRowid } = statement.run(params);
  if (isLarge) setImmediate(collectGarbage);
  return { ran: { changes, id: Number(lastInsertRowid) } };
}

/**
 * Evicts the oldest statement: preparing it again now and then costs less than tracking the least recently used.
 * @param {Map<string, Statement>} statements
 * @param {string} sql
 * @param {Statement} statement
 */
function keep(statements, sql, statement) {
  if (statements.size >= opening.statements) statements.delete(/** @type {string} */ (statements.keys().next().value));
  statements.set(sql, statement);
}

/** @param {unknown} error */
function plain(error) {
  const { message, code, name } = /** @type {Error & { code?: string }} */ (error);
  return { message, name, ...(code === undefined ? {} : { code }) };
}
