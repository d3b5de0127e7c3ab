// The data version: a row that every writing transaction of any process updates first. It invalidates caches and
// serializes writers.
import type { ColumnModel, TableModel } from '../../model/model.js';
import type { Predicate } from '../../model/query.js';
import type { Connection } from './connection.js';
import type { Statement, Statements } from './statements.js';
import { RATE_COUNTERS } from './rate-counters.js';

/** Table of the row. */
export const STATE: TableModel = {
  name: 'typecase_state',
  columns: new Map<string, ColumnModel>([
    ['name', { name: 'name', kind: 'varchar', length: 20, primary: true, binary: true }],
    ['n', { name: 'n', kind: 'integer', default: 0 }],
  ]),
  indexes: new Map(),
  counted: [],
};

/** Internal tables of a server store. */
export const OWN_TABLES: readonly TableModel[] = [STATE, RATE_COUNTERS];

/** Reads the version. */
export const DATA_VERSION = `SELECT n FROM ${STATE.name} WHERE name = 'version'`;

const VERSION: Predicate = { op: 'eq', column: 'name', value: 'version' };

/**
 * Increments the version. The row stays locked until the commit, so that checks and writes of one transaction (free
 * slug, unused name, no cycle) never interleave with another's, in any process.
 */
export function moveVersion(statements: Statements): Statement {
  return statements.update(STATE.name, { n: { increment: 1 } }, VERSION);
}

/** Inserts the row where it is missing; at boot, under the exclusive lock. */
export async function makeVersion(db: Connection, statements: Statements): Promise<void> {
  const known = statements.count(STATE.name, [], VERSION);
  const [row] = await db.rows(known.sql, known.params);
  if (Number(row![0]) > 0) return;
  const made = statements.insert(STATE.name, [{ name: 'version', n: 1 }]);
  await db.run(made.sql, made.params);
}
