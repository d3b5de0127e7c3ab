// Leases: of all processes on a database, one at a time runs a given task. A lease is a row with its holder and a counter
// that the holder increments while it works. Another process takes the lease over when the counter has not changed for
// `TIMEOUT_MS` by its own clock, so that clocks need not be synchronized.
import { randomUUID } from 'node:crypto';
import { equals, type Row } from '../model/query.js';
import type { Store } from '../model/store.js';
import { leaseRow, leaseRows, lockOf, LEASES, Lease } from './lease.js';

/** Milliseconds without a heartbeat after which a holder has lost its lease. */
const TIMEOUT_MS = 15_000;

/** The leases of one process. */
export class Leases {
  /** The state of each lease when it was last read, and when that state was first seen. */
  private readonly seen = new Map<string, { state: string; since: number }>();

  constructor(
    private readonly store: Store,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** When this work last began, in seconds; 0 for never. */
  async done(name: string): Promise<number> {
    const row = await leaseRow(this.store.reader, name);
    return (row?.['done'] as number | undefined) ?? 0;
  }

  /** How far the work has come; undefined before `begin`. */
  async position(name: string): Promise<number | undefined> {
    return (await leaseRow(this.store.reader, name))?.['position'] as number | undefined;
  }

  /** Records the first position of work that has never begun. */
  async begin(name: string, position: number): Promise<void> {
    await this.store.transaction(
      async (tx) => {
        await tx.lock([lockOf(name)]);
        if (await leaseRow(tx, name)) return;
        await tx.insert(LEASES.name, { name, holder: '', beat: 0, done: 0, position });
      },
      { names: [lockOf(name)] },
    );
  }

  /**
   * Takes a lease that is free, or whose holder sends no heartbeats. `at`: seconds to record as the beginning of the
   * work; `isDue` receives those recorded before, under the lock. Undefined when the lease cannot be taken.
   */
  async take(name: string, at = 0, isDue: (done: number) => boolean = () => true): Promise<Lease | undefined> {
    const rows = await leaseRows(this.store.reader);
    // All leases are observed, not this one alone: otherwise the timeouts of several leases of a dead process, whose tasks
    // depend on each other, would add up.
    const free = rows.filter((each) => this.isFree(each));
    const row = rows.find((each) => each['name'] === name);
    if (row && !free.includes(row)) return undefined;
    const before = stateOf(row);
    // A new id for each lease: the process may have lost an earlier one without noticing.
    const holder = randomUUID();
    const beat = await this.store.transaction(
      async (tx) => {
        await tx.lock([lockOf(name)]);
        const now = await leaseRow(tx, name);
        if (stateOf(now) !== before || !isDue((now?.['done'] as number | undefined) ?? 0)) return undefined;
        const next = ((now?.['beat'] as number | undefined) ?? 0) + 1;
        const values = { holder, beat: next, ...(at > 0 ? { done: at } : {}) };
        if (now) await tx.update(LEASES.name, values, equals('id', now['id']));
        else await tx.insert(LEASES.name, { name, done: 0, ...values });
        return next;
      },
      { names: [lockOf(name)] },
    );
    return beat === undefined ? undefined : new Lease(this.store, name, holder, beat);
  }

  private isFree(row: Row): boolean {
    if (row['holder'] === '') return true;
    const name = row['name'] as string;
    const state = stateOf(row);
    const known = this.seen.get(name);
    if (known?.state !== state) this.seen.set(name, { state, since: performance.now() });
    return known?.state === state && performance.now() - known.since > this.timeoutMs;
  }
}

function stateOf(row: Row | undefined): string {
  return row ? `${row['holder']} ${row['beat']}` : '';
}
