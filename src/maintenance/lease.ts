// A lease that this process holds: heartbeats, confirmation inside transactions, release.
import { equals, type Row } from '../model/query.js';
import type { Reader, Store, Transaction } from '../model/store.js';
import type { TableModel } from '../model/table.js';

/** Table of the leases. `done`: when the work last began, in seconds; `position`: how far it has come. */
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

/** Milliseconds between two heartbeats. */
const RENEW_MS = 4_000;

/** A lease that this process holds, until it is lost or released. A timer sends the heartbeats. */
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
   * Whether the lease is still held; to be called in each transaction of the work, because a process that was suspended
   * may have lost it without noticing. Other processes cannot take the lease before the transaction has ended.
   */
  async confirm(tx: Transaction): Promise<boolean> {
    await tx.lock([lockOf(this.name)]);
    const held = (await leaseRow(tx, this.name))?.['holder'] === this.holder && !this.lost.signal.aborted;
    if (!held) this.end();
    return held;
  }

  /** Records the position of the work in one of its transactions. False when the lease is lost: nothing may be committed. */
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

  /** Sends a heartbeat now. Throws where the database does not accept it. */
  async renewNow(): Promise<void> {
    const held = { op: 'and' as const, of: [equals('name', this.name), equals('holder', this.holder)] };
    const beat = this.beat + 1;
    const count = await this.store.transaction((tx) => tx.update(LEASES.name, { beat }, held), { names: this.locks });
    if (count === 0) this.end();
    else this.beat = beat;
  }

  private async renew(): Promise<void> {
    // Where this process cannot reach the database, one that can takes over.
    await this.renewNow().catch(() => undefined);
  }

  private end(): void {
    clearInterval(this.timer);
    this.lost.abort();
  }
}

/** The row of a lease. */
export function leaseRow(reader: Reader, name: string): Promise<Row | undefined> {
  return reader.first(LEASES.name, COLUMNS, equals('name', name));
}

/** The rows of all leases. */
export function leaseRows(reader: Reader): Promise<Row[]> {
  return reader.select({ table: LEASES.name, columns: COLUMNS, where: { op: 'true' }, order: [] });
}

/** Name of the lock of a lease. */
export function lockOf(name: string): string {
  return `lease ${name}`;
}
