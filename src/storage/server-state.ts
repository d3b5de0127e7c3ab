// The row every writing transaction of any process moves first: it tells readers that data changed, and makes writers take turns.
import type { ColumnModel, TableModel } from '../model/model.js';
import type { Predicate } from '../model/query.js';
import type { Connection } from './connection.js';
import type { Statement, Statements } from './statements.js';
import { TALLIES } from './tallies.js';

/** Where the row lives. */
export const STATE: TableModel = {
  name: 'typecase_state',
  columns: new Map<string, ColumnModel>([
    ['name', { name: 'name', kind: 'varchar', length: 20, primary: true, binary: true }],
    ['n', { name: 'n', kind: 'integer', default: 0 }],
  ]),
  indexes: new Map(),
  counted: [],
};

/** Tables that a store on a server keeps for itself. */
export const OWN_TABLES: readonly TableModel[] = [STATE, TALLIES];

/** Reads the version. */
export const DATA_VERSION = `SELECT n FROM ${STATE.name} WHERE name = 'version'`;

const VERSION: Predicate = { op: 'eq', column: 'name', value: 'version' };

/**
 * Moves the version. Whoever has moved it holds its row until the commit, so that checks and writes of one transaction
 * (free slug, unused name, no loop) never interleave with another's, in whatever process.
 */
export function moveVersion(statements: Statements): Statement {
  return statements.update(STATE.name, { n: { increment: 1 } }, VERSION);
}

/** Makes the row where it is missing. Called once at boot, by one process at a time. */
export async function makeVersion(db: Connection, statements: Statements): Promise<void> {
  const known = statements.count(STATE.name, [], VERSION);
  const [row] = await db.rows(known.sql, known.params);
  if (Number(row![0]) > 0) return;
  const made = statements.insert(STATE.name, [{ name: 'version', n: 1 }]);
  await db.run(made.sql, made.params);
}
