// Makes the tables, columns and indexes the models need and the database lacks; drops no data. Called by the stores at boot.
import { BootError, type Problem } from '../errors/problem.js';
import type { TableModel } from '../model/model.js';
import type { Bound, Connection } from './connection.js';
import { COUNTS, markerOf, rebuildCounters } from './counters.js';
import type { LiveTable } from './dialect.js';
import type { Statements } from './statements.js';

/** A connection that can also run DDL. */
export interface DdlConnection extends Connection {
  exec(sql: string): void | Promise<void>;
}

/**
 * Brings the database up to the models. Runs inside a transaction that the caller has begun; a second run changes nothing.
 * Throws BootError with every table and column that holds something else than the models say, before anything is changed.
 */
export async function applyTables(
  db: DdlConnection,
  statements: Statements,
  tables: readonly TableModel[],
  file: string,
): Promise<void> {
  await makeTables(db, statements, tables, file);
  await completeCounters(db, statements, tables);
}

/** The half of `applyTables` that is DDL. */
export async function makeTables(
  db: DdlConnection,
  statements: Statements,
  tables: readonly TableModel[],
  file: string,
): Promise<void> {
  const steps: string[] = [];
  const problems: Problem[] = [];
  const all = [COUNTS, ...tables];
  for (const table of all) {
    const found = await stepsFor(db, statements, table);
    steps.push(...found.steps);
    problems.push(...found.problems.map(([path, message, hint]) => ({ file, path, message, hint })));
  }
  if (problems.length > 0) throw new BootError(problems);
  for (const step of steps) await db.exec(step);
}

/** The other half: counts what has counters and was never counted. Nobody else may write meanwhile. */
export async function completeCounters(
  db: Connection,
  statements: Statements,
  tables: readonly TableModel[],
): Promise<void> {
  for (const table of tables) {
    if (table.counted.length === 0) continue;
    const marker = statements.count(COUNTS.name, [], { op: 'eq', column: 'scope', value: markerOf(table) });
    const [row] = await db.rows(marker.sql, marker.params);
    if (Number(row![0]) === 0) await rebuildCounters(db, statements, table);
  }
}

type Found = { steps: string[]; problems: [path: string, message: string, hint: string][] };

async function stepsFor(db: Connection, { dialect }: Statements, table: TableModel): Promise<Found> {
  const read = async (sql: string): Promise<Bound[][]> => db.rows(sql, []);
  const live = await dialect.inspect(table, read);
  const found: Found = { steps: [], problems: [] };
  if (!live) {
    if (![...table.columns.values()].some((column) => column.primary || column.name === 'id')) {
      found.problems.push([
        table.name,
        'the table has no primary key',
        'Give it a column id, or mark columns primary.',
      ]);
    }
    found.steps.push(...dialect.createTable(table));
  } else {
    columnSteps(dialect, table, live, found);
    await nullProblems(dialect, table, live, read, found);
  }
  for (const index of table.indexes.values()) {
    const same = live?.indexes.get(index.name);
    if (same && same.unique === (index.unique ?? false) && `${same.columns}` === `${index.columns}`) continue;
    if (same) found.steps.push(...dialect.dropIndex(table, index));
    found.steps.push(...dialect.createIndex(table, index));
  }
  return found;
}

function columnSteps(dialect: Statements['dialect'], table: TableModel, live: LiveTable, found: Found): void {
  const renamed = new Set<string>();
  for (const column of table.columns.values()) {
    const path = `${table.name}.${column.name}`;
    const present = live.columns.get(column.name);
    if (present && !dialect.fits(present, column)) {
      const message = `the database has ${present.type || 'no type'} where the schema says ${column.kind}`;
      found.problems.push([path, message, 'Rename the field, or move the data into a new column.']);
    } else if (present) {
      found.steps.push(...dialect.widenColumn(table, present, column));
    } else if (column.renamedFrom && live.columns.has(column.renamedFrom)) {
      renamed.add(column.renamedFrom);
      found.steps.push(...dialect.renameColumn(table, column));
    } else if (!column.nullable && (column.default === undefined || column.default === null)) {
      const message = 'a required column is missing from the existing table';
      found.problems.push([path, message, 'Give it a default, or let it be null.']);
    } else {
      found.steps.push(...dialect.addColumn(table, column));
    }
  }
  for (const { name, nullable, hasDefault } of live.columns.values()) {
    if (table.columns.has(name) || renamed.has(name) || nullable || hasDefault) continue;
    const message = 'the table requires a column that the schema does not know';
    found.problems.push([
      `${table.name}.${name}`,
      message,
      'Give the column a default in the database, or add the field.',
    ]);
  }
}

// Negations of predicates on a required column rely on there being no nulls.
async function nullProblems(
  dialect: Statements['dialect'],
  table: TableModel,
  live: LiveTable,
  read: (sql: string) => Promise<Bound[][]>,
  found: Found,
): Promise<void> {
  for (const { name, nullable } of table.columns.values()) {
    if (nullable || !live.columns.get(name)?.nullable) continue;
    const rows = await read(`SELECT 1 FROM ${dialect.quote(table.name)} WHERE ${dialect.quote(name)} IS NULL LIMIT 1`);
    if (rows.length === 0) continue;
    found.problems.push([`${table.name}.${name}`, 'a required column holds nulls', 'Fill them, or let it be null.']);
  }
}
