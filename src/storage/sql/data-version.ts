// Data versions: one number per table that grows with every commit that changes it, so that caches notice when their
// sources have changed.
import type { Bound, Connection, Statement } from './connection.js';
import type { Dialect } from './dialect.js';
import { LOCKS } from './locks.js';
import { RATE_COUNTERS } from './rate-counters.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/**
 * Table of the versions. A version is the sum of its stripes: a transaction increments one of them at its end, so that
 * concurrent transactions seldom wait for the same row, and then only until the commit.
 */
const VERSIONS: TableModel = {
  name: 'typecase_versions',
  columns: new Map<string, ColumnModel>([
    ['name', { name: 'name', kind: 'varchar', length: 80, primary: true, binary: true }],
    ['scope', { name: 'scope', kind: 'varchar', length: 70, default: '', nullable: false, binary: true }],
    ['n', { name: 'n', kind: 'integer', default: 0 }],
  ]),
  indexes: new Map([['ix_typecase_versions_scope', { name: 'ix_typecase_versions_scope', columns: ['scope'] }]]),
  counted: [],
};

/** Table of the one version of earlier releases, whose row every transaction locked first. */
export const FORMER_STATE: TableModel = {
  name: 'typecase_state',
  columns: new Map(),
  indexes: new Map(),
  counted: [],
};

/** Internal tables of a server store. */
export const OWN_TABLES: readonly TableModel[] = [VERSIONS, LOCKS, RATE_COUNTERS];

/** Name of the table that every commit of a site writes to. */
export const WRITTEN_BY_ALL = VERSIONS.name;

/** Scope of the version that changes with every commit. */
const EVERYTHING = '*';

/** Stripes of a version, and of a row count. */
export const STRIPES = 16;

/** Reads the version of everything, on a server. */
export const DATA_VERSION = `SELECT SUM(n) FROM ${VERSIONS.name} WHERE scope = '${EVERYTHING}'`;

/** Picks a stripe for one transaction at random. */
export function anyStripe(): number {
  return Math.floor(Math.random() * STRIPES);
}

/**
 * Increments the version of everything and those of these tables in one stripe. The row of everything comes first, so
 * that transactions in the same stripe wait for each other there and do not deadlock; their commits are ordered by it,
 * which shows the progress of a replica.
 */
export function moveVersions(dialect: Dialect, tables: Iterable<string>, stripe: number): Statement {
  const scopes = [EVERYTHING, ...[...tables].sort()];
  const params = scopes.flatMap((scope) => [`${scope}/${stripe}`, scope, 1]);
  return { sql: dialect.addTo(VERSIONS.name, ['name', 'scope', 'n'], scopes.length), params };
}

/** The version of some tables together, or of everything. */
export async function versionOf(db: Connection, dialect: Dialect, tables?: readonly string[]): Promise<unknown> {
  return versionAtOnce(db, dialect, tables);
}

/** The same, synchronously where the connection returns synchronously. */
export function versionAtOnce(db: Connection, dialect: Dialect, tables?: readonly string[]): unknown {
  if (dialect.locks === undefined || tables === undefined) {
    return dialect.dataVersion === undefined ? undefined : firstOf(db.rows(dialect.dataVersion, []));
  }
  if (tables.length === 0) return 0;
  const places = tables.map((_, at) => dialect.placeholder(at + 1)).join(', ');
  const sum = firstOf(db.rows(`SELECT SUM(n) FROM ${VERSIONS.name} WHERE scope IN (${places})`, tables));
  return sum instanceof Promise ? sum.then((n) => Number(n ?? 0)) : Number(sum ?? 0);
}

function firstOf(rows: Bound[][] | Promise<Bound[][]>): Bound | undefined | Promise<Bound | undefined> {
  return rows instanceof Promise ? rows.then((found) => found[0]?.[0]) : rows[0]?.[0];
}

/** The versions of all tables at one time: a function from tables to what `versionOf` would return for them. */
export async function versionsNow(
  db: Connection,
  dialect: Dialect,
): Promise<((tables: Iterable<string>) => unknown) | undefined> {
  if (dialect.locks === undefined) {
    const version = await versionOf(db, dialect);
    return version === undefined ? undefined : () => version;
  }
  const rows = await db.rows(`SELECT scope, SUM(n) FROM ${VERSIONS.name} GROUP BY scope`, []);
  const numbers = new Map(rows.map(([scope, n]) => [String(scope), Number(n)]));
  return (tables) => [...tables].reduce((sum, table) => sum + (numbers.get(table) ?? 0), 0);
}

/** The progress of a server: the number of commits per stripe. */
export type Progress = ReadonlyMap<string, number>;

/** The progress of a server. */
export async function progressOf(db: Connection): Promise<Progress> {
  const rows = await db.rows(`SELECT name, n FROM ${VERSIONS.name} WHERE scope = '${EVERYTHING}'`, []);
  return new Map(rows.map(([name, n]: Bound[]) => [String(name), Number(n)]));
}

/** Whether a server with this progress has every commit of the other. */
export function hasReached(progress: Progress, other: Progress): boolean {
  return [...other].every(([name, n]) => (progress.get(name) ?? 0) >= n);
}
