// Reads rows within a memory budget: large texts are loaded only after their sizes are known and memory is reserved.
// Short texts come with the first statement, so that ordinary pages need no further one.
import type { OutputBudget } from '../../model/operation.js';
import { and, oneOf, type Query } from '../../model/query.js';
import { TimeSlice } from '../../model/runtime/time-slice.js';
import type { Bound, Connection, Statement } from '../sql/connection.js';
import { INLINE_ONE, WholeRow } from './whole-row.js';
import type { Statements } from '../sql/statements.js';

/**
 * Maximum number of rows of a query without a limit, and of rows read at once if they contain texts of unlimited
 * length.
 */
const MAX_ROWS = 50_000;
const TEXTS_AT_ONCE = 2_000;
/** Bytes of a row besides its texts. */
const ROW_BYTES = 256;
/** Bytes of texts per statement: on an embedded database a statement blocks the event loop. */
const GROUP_BYTES = 1024 * 1024;
/** Texts up to this size come with the first statement, depending on the number of rows requested. */
const INLINE: readonly [rows: number, bytes: number][] = [
  [1, INLINE_ONE],
  [20, 64 * 1024],
  [200, 16 * 1024],
];
const INLINE_MANY = 8 * 1024;
const NOTHING_INLINE = -1;
/**
 * Bytes of a row that mark its table as one with large rows, and how many rows of such a table are measured at a time.
 */
const HEAVY = 1024 * 1024;
const STEP = 2;

/** A query with its budget. */
export type MeasuredQuery = Query & { budget: OutputBudget };

/** Executes one query. */
export class MeasuredRows {
  private readonly slice = new TimeSlice();
  private readonly idAt: number;
  /** Whether texts may have been omitted. */
  private readonly hasTexts: boolean;

  constructor(
    private readonly db: Connection,
    private readonly statements: Statements,
    private readonly query: MeasuredQuery,
  ) {
    this.idAt = query.columns.length;
    this.hasTexts = statements.hasTexts(query.table, query.columns);
  }

  /**
   * Rows in the order of the query: first the values of `query.columns`, then internal ones.
   * @throws ResourceError when they exceed the budget
   */
  async read(): Promise<Bound[][]> {
    const { table } = this.query;
    if (!this.query.columns.some((column) => this.statements.isText(table, column))) return this.readWithoutTexts();
    if (this.hasTexts && this.statements.heavy.has(table)) return this.readStepwise();
    return this.readAtOnce();
  }

  // Rows of numbers and short texts need not be measured: their size follows from their number.
  private async readWithoutTexts(): Promise<Bound[][]> {
    const { budget, limit = MAX_ROWS + 1, ...query } = this.query;
    const rows = await this.rowsOf(this.statements.select({ ...query, limit }));
    const room = budget.take(
      this.query.limit === undefined && rows.length > MAX_ROWS ? Infinity : rows.length * ROW_BYTES,
    );
    if (room) await room;
    return rows;
  }

  private async readAtOnce(): Promise<Bound[][]> {
    const { budget, limit } = this.query;
    let max = limit ?? (this.hasTexts ? TEXTS_AT_ONCE : MAX_ROWS) + 1;
    let inline = inlineFor(limit);
    let rows = await this.rows(inline, max);
    if (limit === undefined && this.hasTexts && rows.length === max) {
      [inline, max] = [NOTHING_INLINE, MAX_ROWS + 1];
      rows = await this.rows(inline, max);
    }
    if (!this.statements.dialect.remote && rows.some((row) => sizeOf(row) > HEAVY))
      this.statements.heavy.add(this.query.table);
    const room = budget.take(limit === undefined && rows.length > MAX_ROWS ? Infinity : bytesOf(rows));
    if (room) {
      // Release the texts while waiting for memory.
      rows = [];
      await room;
      rows = await this.rows(inline, max);
    }
    const missing = this.hasTexts ? rows.filter((row) => sizeOf(row) > inline) : [];
    return missing.length === 0 ? rows : this.complete(rows, missing);
  }

  // An embedded database must read through a large text to reach the columns behind it, even if only its size is
  // selected: read a few rows at a time, and stop when the budget is exceeded.
  private async readStepwise(): Promise<Bound[][]> {
    const { budget, limit = MAX_ROWS + 1, where, offset: _offset, ...query } = this.query;
    const ids = await this.rowsOf(this.statements.select({ ...this.query, limit, columns: ['id'] }));
    if (ids.length > MAX_ROWS && this.query.limit === undefined) await budget.take(Infinity);
    const rows = new Map<Bound, Bound[]>(ids.map(([id]) => [id!, []]));
    for (let at = 0; at < ids.length; at += STEP) {
      await this.slice.pause();
      const some = oneOf('id', ids.slice(at, at + STEP).flat());
      const bare = { ...query, where: and(some, where), order: [], limit: STEP };
      const found = await this.rowsOf(this.statements.measured(bare, INLINE_MANY));
      await budget.take(bytesOf(found));
      for (const row of found) rows.set(row[this.idAt]!, row);
    }
    const found = [...rows.values()].filter((row) => row.length > 0);
    const missing = found.filter((row) => sizeOf(row) > INLINE_MANY);
    return missing.length === 0 ? found : this.complete(found, missing);
  }

  private rows(inline: number, limit: number): Promise<Bound[][]> {
    return this.rowsOf(this.statements.measured({ ...this.query, limit }, inline));
  }

  private async rowsOf({ sql, params }: Statement): Promise<Bound[][]> {
    return this.db.rows(sql, params);
  }

  // Skip rows that were deleted since they were measured.
  private async complete(rows: Bound[][], missing: Bound[][]): Promise<Bound[][]> {
    const loaded = new Map<Bound, Bound[] | undefined>(missing.map((row) => [row[this.idAt]!, undefined]));
    for (const group of groupsOf(missing)) {
      await this.slice.pause();
      for (const row of await this.load(group)) loaded.set(row[this.idAt]!, row);
    }
    return rows.map((row) => (loaded.has(row[this.idAt]!) ? loaded.get(row[this.idAt]!) : row)).filter((row) => !!row);
  }

  // Applies the conditions of the list again, because a row may have been hidden since. Each row is consistent in
  // itself.
  private async load(group: Bound[][]): Promise<Bound[][]> {
    const { table, columns, where: listed } = this.query;
    const all = [...columns, 'id'];
    const ids = group.map((row) => row[this.idAt] as number);
    const where = and(oneOf('id', ids), listed);
    if (ids.length > 1) return this.rowsOf(this.statements.select({ table, columns: all, where, order: [] }));
    const row = await new WholeRow(this.db, this.statements, { table, columns: all, where, checks: {} }).read();
    return row ? [row] : [];
  }
}

function inlineFor(limit = Infinity): number {
  return INLINE.find(([rows]) => limit <= rows)?.[1] ?? INLINE_MANY;
}

function bytesOf(rows: Bound[][]): number {
  return rows.reduce((sum, row) => sum + ROW_BYTES + sizeOf(row), 0);
}

function sizeOf(row: Bound[]): number {
  return Number(row.at(-1));
}

/** Groups the rows that are loaded together. */
function groupsOf(rows: Bound[][]): Bound[][][] {
  const groups: Bound[][][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    bytes += ROW_BYTES + sizeOf(row);
    if (bytes > GROUP_BYTES) {
      groups.push([]);
      bytes = ROW_BYTES + sizeOf(row);
    }
    groups.at(-1)!.push(row);
  }
  return groups;
}
