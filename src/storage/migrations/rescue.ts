// Saves data that is about to be dropped.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../sql/dialect.js';
import type { DdlConnection } from '../sql/connection.js';
import type { LiveField, LiveShape } from '../sql/migration-dialect.js';
import { formerName } from './moved-names.js';
import { columnTypeOf } from './column-type.js';
import type { Step } from './step.js';
import type { AssessedPlan } from './assess.js';

/** Writes the data about to be dropped, as lines that `load` can read. */
export async function rescueData(
  db: DdlConnection,
  dialect: Dialect,
  { live, checksum }: AssessedPlan,
  steps: readonly Step[],
  folder: string,
  onSaved: ((path: string) => void) | undefined,
): Promise<void> {
  for (const name of new Set(
    steps.filter(({ kind }) => kind.startsWith('drop t') || kind === 'drop column').map(({ table }) => table),
  )) {
    const shape = live.tables.get(name)!;
    for (const sql of dialect.migration.lockTable?.(name) ?? []) await db.exec(sql);
    const dropped = steps
      .filter((step) => step.table === name && step.kind === 'drop column')
      .map(({ column }) => column!);
    const path = freePath(folder, `dropped-${name}-${checksum.slice(0, 12)}`);
    if (await rescueWhole(db, dialect, shape, dropped, path)) onSaved?.(path);
  }
}

/** Ending of a file that is being written. */
const PART = '.part';

// Never overwrite: the data of an interrupted run may no longer be in the database.
function freePath(folder: string, name: string): string {
  let path = join(folder, `${name}.jsonl`);
  for (let n = 2; existsSync(path + PART) || existsSync(path); n += 1) path = join(folder, `${name}-${n}.jsonl`);
  return path;
}

/**
 * Returns whether there was anything to save. The file gets its name only when it is complete, in case the run is
 * killed.
 */
async function rescueWhole(
  db: DdlConnection,
  dialect: Dialect,
  shape: LiveShape,
  dropped: string[],
  path: string,
): Promise<boolean> {
  const part = path + PART;
  try {
    if (!(await rescueTable(db, dialect, shape, dropped, part))) return false;
    renameSync(part, path);
    return true;
  } catch (error) {
    // Nothing is dropped after an error. A file of another process remains.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(part, { force: true });
    throw error;
  }
}

const ROWS = 500;

async function rescueTable(
  db: DdlConnection,
  dialect: Dialect,
  shape: LiveShape,
  dropped: string[],
  path: string,
): Promise<boolean> {
  const keys = keyColumns(shape);
  const isWholeTable = dropped.length === 0;
  const columns = [...new Set(isWholeTable ? shape.columns.keys() : [...keys, ...dropped])];
  const quoted = (names: readonly string[]) => names.map((name) => dialect.quote(name)).join(', ');
  const read = columns.map((name) => readable(dialect, shape.columns.get(name)!));
  const head = `SELECT ${read.join(', ')} FROM ${dialect.quote(shape.name)}`;
  const tail = ` ORDER BY ${quoted(keys.length > 0 ? keys : columns)} LIMIT ${ROWS}`;
  // A table renamed after a move is saved under its original name.
  const table = formerName(shape.name);
  // Private file: the values may contain password hashes.
  let last = 0;
  for (let from = 0; ; from += ROWS) {
    const page = keys[0] === 'id' ? ` WHERE ${dialect.quote('id')} > ${last}${tail}` : `${tail} OFFSET ${from}`;
    const rows = await db.rows(`${head}${page}`, []);
    const lines = rows.map((row) => {
      const saved = Object.fromEntries(columns.map((name, at) => [name, row[at]]));
      return `${JSON.stringify({ $table: table, [isWholeTable ? '$row' : '$update']: saved })}\n`;
    });
    if (lines.length > 0)
      writeFileSync(path, lines.join(''), { flag: from === 0 ? 'wx' : 'a', mode: 0o600, flush: true });
    if (rows.length < ROWS) return from + rows.length > 0;
    last = Number(rows.at(-1)![columns.indexOf('id')]);
  }
}

/**
 * Decimals as texts, which `load` expects: numbers may lose digits, and SQLite stores integers in units of the last
 * digit.
 */
function readable(dialect: Dialect, { name, type }: LiveField): string {
  const { family, scale = 0 } = columnTypeOf(type, dialect.name);
  return family === 'decimal' ? dialect.decimal.read(dialect.quote(name), scale) : dialect.quote(name);
}

function keyColumns({ columns }: LiveShape): string[] {
  if (columns.has('id')) return ['id'];
  return [...columns.values()].filter(({ key }) => key).map(({ name }) => name);
}
