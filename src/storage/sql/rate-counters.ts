// Rate limit counters shared by all processes of one database. They are not content: counting changes no data version
// and waits for no writer.
import { OncePerTurn } from '../../concurrency/once-per-turn.js';
import { and, equals, type Predicate } from '../../model/query.js';
import type { RateCounterStore, RateCounter } from '../../model/store.js';
import { type Bound, type Connection, SmallConnection } from './connection.js';
import type { Dialect } from './dialect.js';
import { Statements } from './statements.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/**
 * Table of the counters. `ends` is in seconds since 1970, by the clock of the database, because client clocks may
 * differ.
 */
export const RATE_COUNTERS: TableModel = {
  name: 'typecase_tallies',
  columns: new Map<string, ColumnModel>([
    ['name', { name: 'name', kind: 'varchar', length: 64, primary: true, binary: true }],
    ['n', { name: 'n', kind: 'integer', default: 0 }],
    ['ends', { name: 'ends', kind: 'integer', default: 0 }],
  ]),
  indexes: new Map([['ix_typecase_tallies_ends', { name: 'ix_typecase_tallies_ends', columns: ['ends'] }]]),
  counted: [],
};

/** Runs statements on a connection outside any transaction. */
export type WithConnection = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** See `RateCounterStore`. */
export class SqlRateCounters implements RateCounterStore {
  private readonly statements: Statements;
  private readonly reads: Connection | undefined;
  private readonly shared = new OncePerTurn<Bound[] | undefined>();

  /** `reads`: the connection for counters that are only read; absent: one from `withConnection`. */
  constructor(
    private readonly dialect: Dialect,
    private readonly withConnection: WithConnection,
    reads?: Connection,
  ) {
    this.reads = reads && new SmallConnection(reads);
    this.statements = new Statements(dialect, new Map([[RATE_COUNTERS.name, RATE_COUNTERS]]));
  }

  async add(name: string, by: number, seconds: number): Promise<RateCounter> {
    if (by === 0) return counterOf(await this.read(name), seconds);
    return this.withConnection(async (db) => {
      if (by > 0)
        return counterOf(await this.dialect.addToRateCounter(db, RATE_COUNTERS.name, { name, by, seconds }), seconds);
      await this.subtract(db, name, -by);
      return counterOf(await this.readCounter(db, name), seconds);
    });
  }

  forget(name: string): Promise<void> {
    return this.withConnection((db) => this.delete(db, equals('name', name)));
  }

  sweep(): Promise<void> {
    return this.withConnection(async (db) => {
      const [row] = await db.rows(`SELECT ${this.dialect.epoch}`, []);
      await this.delete(db, { op: 'le', column: 'ends', value: Number(row![0]) });
    });
  }

  private read(name: string): Promise<Bound[] | undefined> {
    if (this.reads) return this.readCounter(this.reads, name);
    return this.shared.run(name, undefined, () => this.withConnection((db) => this.readCounter(db, name)));
  }

  private async subtract(db: Connection, name: string, by: number): Promise<void> {
    const enough: Predicate = { op: 'ge', column: 'n', value: by };
    const update = this.statements.update(
      RATE_COUNTERS.name,
      { n: { increment: -by } },
      and(equals('name', name), enough),
    );
    await db.run(update.sql, update.params);
  }

  private async readCounter(db: Connection, name: string): Promise<Bound[] | undefined> {
    return (await db.rows(selectCounter(this.dialect, RATE_COUNTERS.name), [name]))[0];
  }

  private async delete(db: Connection, where: Predicate): Promise<void> {
    const deletion = this.statements.delete(RATE_COUNTERS.name, where);
    await db.run(deletion.sql, deletion.params);
  }
}

/** Reads a rate counter: its count and the seconds left. Parameter: its name. */
export function selectCounter(
  { quote, epoch, placeholder }: Pick<Dialect, 'quote' | 'epoch' | 'placeholder'>,
  table: string,
): string {
  return `SELECT n, ends - ${epoch} FROM ${quote(table)} WHERE ${quote('name')} = ${placeholder(1)}`;
}

/**
 * SQL condition: the window of a counter is over, because it has ended, or because it ends later than one that starts
 * now: it was started before the clock of the database was set back. `ends` and `next`: the stored end, and the end of
 * a window that starts now; `epoch`: the current time.
 */
export function rateWindowOver(ends: string, next: string, epoch: string): string {
  return `(${ends} <= ${epoch} OR ${ends} > ${next})`;
}

/** Counters whose window is over read as 0 (`rateWindowOver`). */
function counterOf(row: Bound[] | undefined, seconds: number): RateCounter {
  const [count, secondsLeft] = row ?? [0, 0];
  return Number(secondsLeft) > 0 && Number(secondsLeft) <= seconds
    ? { count: Number(count), reset: Number(secondsLeft) }
    : { count: 0, reset: seconds };
}
