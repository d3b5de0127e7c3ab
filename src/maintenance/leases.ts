// Leases: of all processes on a database one at a time does some work. A lease is a row with its holder and a number that the
// holder increments while it works. Another process takes it over when the number has stayed the same for a while by its own
// clock, so that clocks need not agree.
import { randomUUID } from 'node:crypto';
import { equals, type Row } from '../model/query.js';
import type { Reader, Store, Transaction } from '../model/store.js';
import type { TableModel } from '../model/table.js';

/** Table of the leases. `done`: when the work began last, in seconds; `position`: how far it has come. */
export const LEASES: TableModel = {
  name: 'typecase_leases',
  columns: new Map([
    ['id', { name: 'id', kind: 'integer', primary: true }],
    ['name', { name: 'name', kind: 'varchar', length: 100, default: '', nullable: false, binary: true }],
    ['holder', { name: 'holder', kind: 'varchar', length: 40, default: '', nullable: false, binary: true }],
    ['beat', { name: 'beat', kind: 'integer', default: 0, nullable: false }],
    ['done', { name: 'done', kind: 'integer', default: 0, nullable: false }],
    ['position', { name: 'position', kind: 'integer', default: 0, nullable: false }],
  ]),
  indexes: new Map([['ux_typecase_leases_name', { name: 'ux_typecase_leases_name', columns: ['name'], unique: true }]]),
  counted: [],
};

const COLUMNS = ['id', 'name', 'holder', 'beat', 'done', 'position'];

/** Milliseconds after which a holder that shows no life has lost its lease. */
const TIMEOUT_MS = 15_000;
/** Milliseconds between two signs of life. */
const RENEW_MS = 4_000;

/** The leases of one process. */
export class Leases {
  private readonly holder = randomUUID();
  /** What was seen of the holders, and when it was seen first. */
  private readonly seen = new Map<string, { state: string; since: number }>();

  constructor(
    private readonly store: Store,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Seconds at which this work began last, 0 for never. */
  async done(name: string): Promise<number> {
    const row = await rowOf(this.store.reader, name);
    return (row?.['done'] as number | undefined) ?? 0;
  }

  /** How far the work has come; undefined before `begin`. */
  async position(name: string): Promise<number | undefined> {
    return (await rowOf(this.store.reader, name))?.['position'] as number | undefined;
  }

  /** Notes where work begins that has never been begun. */
  async begin(name: string, position: number): Promise<void> {
    await this.store.transaction(
      async (tx) => {
        await tx.lock([lockOf(name)]);
        if (await rowOf(tx, name)) return;
        await tx.insert(LEASES.name, { name, holder: '', beat: 0, done: 0, position });
      },
      { names: [lockOf(name)] },
    );
  }

  /**
   * Takes a lease that nobody holds, or whose holder has shown no life. `at`: seconds to note as the beginning of the work;
   * `isDue` is asked about the noted ones before, under the lock.
   */
  async take(name: string, at = 0, isDue: (done: number) => boolean = () => true): Promise<Lease | undefined> {
    const row = await rowOf(this.store.reader, name);
    if (!this.isFree(name, row)) return undefined;
    const before = stateOf(row);
    const beat = await this.store.transaction(
      async (tx) => {
        await tx.lock([lockOf(name)]);
        const now = await rowOf(tx, name);
        if (stateOf(now) !== before || !isDue((now?.['done'] as number | undefined) ?? 0)) return undefined;
        const next = ((now?.['beat'] as number | undefined) ?? 0) + 1;
        const values = { holder: this.holder, beat: next, ...(at > 0 ? { done: at } : {}) };
        if (now) await tx.update(LEASES.name, values, equals('id', now['id']));
        else await tx.insert(LEASES.name, { name, done: 0, ...values });
        return next;
      },
      { names: [lockOf(name)] },
    );
    return beat === undefined ? undefined : new Lease(this.store, name, this.holder, beat);
  }

  private isFree(name: string, row: Row | undefined): boolean {
    if (!row || row['holder'] === '') return true;
    const state = stateOf(row);
    const known = this.seen.get(name);
    if (known?.state !== state) this.seen.set(name, { state, since: performance.now() });
    return known?.state === state && performance.now() - known.since > this.timeoutMs;
  }
}

/** A lease that this process holds, until it is lost or released. Signs of life are given by a timer. */
export class Lease {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly store: Store,
    private readonly name: string,
    private readonly holder: string,
    private beat: number,
  ) {
    this.timer = setInterval(() => void this.renew(), RENEW_MS);
    this.timer.unref();
  }

  /** Aborted once the lease is lost or released. */
  get signal(): AbortSignal {
    return this.lost.signal;
  }

  /**
   * Makes sure, in a transaction of the work, that the lease is still held: a process that was stopped for a while may
   * have lost it without noticing. Others cannot take it before the transaction has ended.
   */
  async confirm(tx: Transaction): Promise<boolean> {
    await tx.lock([lockOf(this.name)]);
    const held = (await rowOf(tx, this.name))?.['holder'] === this.holder && !this.lost.signal.aborted;
    if (!held) this.end();
    return held;
  }

  /** Notes how far the work has come, in a transaction of it. False when the lease is lost: nothing may be committed. */
  async advance(tx: Transaction, position: number): Promise<boolean> {
    if (!(await this.confirm(tx))) return false;
    await tx.update(LEASES.name, { position }, equals('name', this.name));
    return true;
  }

  /** Names for the locks of a transaction that calls `confirm`. */
  get locks(): string[] {
    return [lockOf(this.name)];
  }

  /** Gives the lease back. */
  async release(): Promise<void> {
    if (this.lost.signal.aborted) return;
    this.end();
    const held = { op: 'and' as const, of: [equals('name', this.name), equals('holder', this.holder)] };
    await this.store.transaction((tx) => tx.update(LEASES.name, { holder: '' }, held), { names: this.locks });
  }

  private async renew(): Promise<void> {
    const held = { op: 'and' as const, of: [equals('name', this.name), equals('holder', this.holder)] };
    try {
      const beat = this.beat + 1;
      const count = await this.store.transaction((tx) => tx.update(LEASES.name, { beat }, held), { names: this.locks });
      if (count === 0) this.end();
      else this.beat = beat;
    } catch {
      // The database does not answer: whoever reaches it takes over.
    }
  }

  private end(): void {
    clearInterval(this.timer);
    this.lost.abort();
  }
}

/** Milliseconds for which a lease is kept after the work, so that the next work needs no other one. */
const LINGER_MS = 3_000;

/** A lease for work that comes in pieces: taken for the first, given back some time after the last. */
export class Tenancy {
  private lease: Lease | undefined;
  private lingering: NodeJS.Timeout | undefined;

  constructor(
    private readonly leases: Leases,
    private readonly name: string,
  ) {}

  /** Runs a piece of work; undefined when another process holds the lease. */
  async run<T>(work: (lease: Lease) => Promise<T>): Promise<T | undefined> {
    clearTimeout(this.lingering);
    if (!this.lease || this.lease.signal.aborted) this.lease = await this.leases.take(this.name);
    if (!this.lease) return undefined;
    try {
      return await work(this.lease);
    } finally {
      // What fails shows itself in the next piece of work.
      this.lingering = setTimeout(() => void this.end().catch(() => undefined), LINGER_MS);
      this.lingering.unref();
    }
  }

  /** Gives the lease back. No work may be running. */
  async end(): Promise<void> {
    clearTimeout(this.lingering);
    const { lease } = this;
    this.lease = undefined;
    await lease?.release();
  }
}

function rowOf(reader: Reader, name: string): Promise<Row | undefined> {
  return reader.first(LEASES.name, COLUMNS, equals('name', name));
}

function stateOf(row: Row | undefined): string {
  return row ? `${row['holder']} ${row['beat']}` : '';
}

function lockOf(name: string): string {
  return `lease ${name}`;
}
