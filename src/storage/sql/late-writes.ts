// Writes of a transaction that nothing depends on yet: they are sent with those at its end, or before the first
// statement that names their table.
import type { TableModel } from '../../model/model.js';
import type { Row } from '../../model/query.js';
import type { Statement } from './statements.js';

/** Most rows of one late write. */
const MAX_ROWS = 100;

/** Sends statements one after the other. */
type Send = (statements: readonly Statement[]) => Promise<void>;

/** See above. Instances hold the writes of one transaction. */
export class LateWrites {
  private waiting: Statement[] = [];
  private sending: Promise<void> | undefined;
  /** Tables of all late writes so far, quoted. */
  private readonly tables = new Set<string>();

  constructor(
    private readonly quote: (name: string) => string,
    private readonly send: Send,
  ) {}

  /** Whether the order in which rows are inserted matters to nobody: no other row of the table can be in their way. */
  static suitsEnd({ indexes, counted }: TableModel): boolean {
    return counted.length === 0 && ![...indexes.values()].some(({ unique }) => unique);
  }

  /** Whether rows may be inserted late: pairs of numbers, which no rule of the database can reject. */
  static suit({ pairsOf, indexes, counted }: TableModel, rows: readonly Row[]): boolean {
    if (!pairsOf || counted.length > 0 || rows.length > MAX_ROWS) return false;
    if ([...indexes.values()].some(({ unique }) => unique)) return false;
    return rows.every((row) => Object.values(row).every((value) => typeof value === 'number'));
  }

  add(table: string, statement: Statement): void {
    this.tables.add(this.quote(table));
    this.waiting.push(statement);
  }

  /** What a statement has to wait for: late writes to a table that it names, those that are being sent included. */
  before(sql: string): Promise<void> | undefined {
    if (!this.isNamed(sql)) return undefined;
    const taken = this.take();
    if (taken.length > 0) {
      const { sending } = this;
      this.sending = sending ? sending.then(() => this.send(taken)) : this.send(taken);
    }
    return this.sending;
  }

  /** What is waiting, in order; the caller sends it. */
  take(): Statement[] {
    const taken = this.waiting;
    this.waiting = [];
    return taken;
  }

  private isNamed(sql: string): boolean {
    for (const table of this.tables) if (sql.includes(table)) return true;
    return false;
  }
}
