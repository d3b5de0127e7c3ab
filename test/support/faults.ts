// Makes chosen statements of transactions fail, on every engine, by intercepting the connections of a real store. Used
// by the fault suites.
import type { Store } from '../../src/model/store.js';

/** Where a fault occurs: the nth statement of a transaction, counted from 1, or its beginning or end. */
export type Place = number | 'begin' | 'commit';

interface Connection {
  rows(...args: any[]): any;
  run(...args: any[]): any;
  exec(sql: string): any;
}

/** Faults of one store. */
export class Faults {
  /** Transactions begun since `plan`, and statements of the last of them. */
  begun = 0;
  statements = 0;
  /** Number of these statements that were sent together with the commit. */
  withCommit = 0;
  /** Number of times that the fault occurred. */
  struck = 0;
  private place: Place | undefined;
  private times = 0;
  private fault: () => Error = () => new Error('no fault was planned');

  private constructor() {}

  /** Intercepts the connections of a store. */
  static of(store: Store): Faults {
    const faults = new Faults();
    const { writes, maintenance, database } = store as any;
    if (database) faults.interceptServer(database);
    else faults.interceptWriters(writes);
    // Its transactions would be counted, and fail, too.
    void maintenance?.stop();
    return faults;
  }

  /** The next `times` transactions fail at `place`. */
  plan(place: Place, fault: () => Error, times = 1): void {
    Object.assign(this, { place, fault, times, begun: 0, statements: 0, struck: 0 });
  }

  /** Ends the faults. */
  end(): void {
    this.place = undefined;
  }

  private strike(place: Place): void {
    if (this.place !== place || this.struck >= this.times) return;
    this.struck++;
    throw this.fault();
  }

  private begin(): void {
    this.begun++;
    this.statements = 0;
    this.strike('begin');
  }

  /** A writer is opened on first use, and again after a crash of its thread; that of short transactions likewise. */
  private interceptWriters(writes: any): void {
    const intercepted = new WeakSet();
    for (const holder of [writes, writes.shortWrites]) {
      const { open } = holder;
      holder.open = async () => {
        const writer = await open.call(holder);
        if (!intercepted.has(writer)) this.interceptFile(writer);
        intercepted.add(writer);
        return writer;
      };
    }
  }

  private interceptFile(writer: Connection & { inTransaction: boolean }): void {
    const { exec } = writer;
    writer.exec = (sql) => {
      if (sql.startsWith('BEGIN')) this.begin();
      if (sql === 'COMMIT') this.strike('commit');
      return exec.call(writer, sql);
    };
    this.interceptStatements(writer, () => writer.inTransaction);
  }

  private interceptServer(database: { connect(): Promise<any> }): void {
    const { connect } = database;
    database.connect = async () => {
      const session = await connect.call(database);
      const { begin, commit } = session;
      let open = false;
      session.begin = async (first: readonly object[] = []) => {
        open = true;
        this.begin();
        await begin.call(session, first);
      };
      session.commit = async (last: readonly object[] = []) => {
        this.withCommit = last.length;
        for (const _ of last) this.strike(++this.statements);
        this.strike('commit');
        await commit.call(session, last);
      };
      this.interceptStatements(session, () => open);
      return session;
    };
  }

  private interceptStatements(connection: Connection, open: () => boolean): void {
    for (const kind of ['rows', 'run'] as const) {
      const real = connection[kind];
      connection[kind] = (...args) => {
        if (open()) this.strike(++this.statements);
        return real.apply(connection, args);
      };
    }
  }
}

/** An error of a driver. */
export function driverError(members: { code?: string; errno?: number; message?: string }): Error {
  return Object.assign(new Error(members.message ?? 'said by a test'), members);
}
