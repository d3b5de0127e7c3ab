// One row with texts of any length: they are read in pieces, because reading a large result blocks the event loop.
import { StringDecoder } from 'node:string_decoder';
import type { OutputBudget } from '../../model/operation.js';
import { TimeSlice } from '../../model/runtime/time-slice.js';
import type { Bound, Connection, Statement } from '../sql/connection.js';
import type { OneRow } from '../sql/select-statements.js';
import type { Statements } from '../sql/statements.js';

/** Texts up to this many bytes come with the row itself. */
export const INLINE_ONE = 256 * 1024;
/** Bytes or characters of a longer text that one statement reads, and bytes that are decoded at a time. */
const PIECE_BYTES = 1024 * 1024;
const DECODE_BYTES = 128 * 1024;

/** Reads the first row that satisfies a condition. */
export class WholeRow {
  private readonly slice = new TimeSlice();

  constructor(
    private readonly db: Connection,
    private readonly statements: Statements,
    private readonly wanted: OneRow,
  ) {}

  /**
   * Values of the columns, then of the checks, then internal ones; all of one state of the data.
   * @throws ResourceError when the row exceeds the budget
   */
  async within(budget: OutputBudget): Promise<Bound[] | undefined> {
    const row = await this.measured();
    if (!row || sizeOf(row) <= INLINE_ONE) return row;
    if (!this.statements.dialect.remote) this.statements.heavy.add(this.wanted.table);
    const room = budget.take(sizeOf(row));
    if (room) await room;
    return this.read();
  }

  /** As `within`, without a budget. */
  async read(): Promise<Bound[] | undefined> {
    const { dataVersion, dataVersionNow: now = dataVersion } = this.statements.dialect;
    const version = now === undefined ? undefined : await this.version(now);
    if (now !== undefined && version !== undefined) {
      const row = await this.measured();
      if (!row || sizeOf(row) <= INLINE_ONE) return row;
      await this.fill(row);
      if ((await this.version(now)) === version) return row;
    }
    // Without a version, or if it has changed, the pieces might belong to two states of the row.
    return this.query(this.statements.first(this.wanted));
  }

  private measured(): Promise<Bound[] | undefined> {
    return this.query(this.statements.measuredFirst(this.wanted, INLINE_ONE));
  }

  private async fill(row: Bound[]): Promise<void> {
    const { table, columns } = this.wanted;
    const id = row.at(-2)!;
    for (const [at, column] of columns.entries()) {
      if (row[at] === null && this.statements.isText(table, column)) row[at] = await this.text(column, id);
    }
  }

  private async text(column: string, id: Bound): Promise<string | null> {
    const decoder = new StringDecoder('utf8');
    const sql = this.statements.piece(this.wanted.table, column);
    let text = '';
    for (let at = 1; ; at += PIECE_BYTES) {
      await this.slice.pause();
      const bytes = (await this.query({ sql, params: [at, PIECE_BYTES, id] }))?.[0] as
        Uint8Array | string | null | undefined;
      if (bytes === undefined || bytes === null) return null;
      if (bytes === '') return text;
      if (typeof bytes === 'string') {
        text += bytes;
        continue;
      }
      for (let from = 0; from < bytes.length; from += DECODE_BYTES) {
        text += decoder.write(
          Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(DECODE_BYTES, bytes.length - from)),
        );
        await this.slice.pause();
      }
      if (bytes.length < PIECE_BYTES) return text + decoder.end();
    }
  }

  private async version(sql: string): Promise<Bound | undefined> {
    return (await this.query({ sql, params: [] }))?.[0];
  }

  private async query({ sql, params }: Statement): Promise<Bound[] | undefined> {
    return (await this.db.rows(sql, params))[0];
  }
}

function sizeOf(row: Bound[]): number {
  return Number(row.at(-1));
}
