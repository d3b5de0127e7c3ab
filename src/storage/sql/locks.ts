// Locks on names, held until the end of a transaction, for conditions that a check relies on and no unique index
// enforces. Each name is hashed to a slot; transactions with different names in one slot wait needlessly, which is
// harmless.
import { createHash } from 'node:crypto';
import type { LockNeeds } from '../../model/store.js';
import type { Connection, DdlConnection, Statement } from './connection.js';
import type { Statements } from './statements.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/** Table of the slots, where the server has only row locks. */
export const LOCKS: TableModel = {
  name: 'typecase_locks',
  columns: new Map<string, ColumnModel>([
    ['slot', { name: 'slot', kind: 'integer', primary: true }],
    ['n', { name: 'n', kind: 'integer', default: 0 }],
  ]),
  indexes: new Map(),
  counted: [],
};

/** Slots in the table. */
const SLOTS = 1024;
/** Slot of the whole site: shared by transactions that run side by side, exclusive for one that runs alone. */
export const SITE = 0;

/** How a database locks slots. */
export interface LockDialect {
  /** Number of slots, that of the site included. */
  readonly slots: number;
  /**
   * Whether transactions can run side by side. A cluster in which several nodes write has no locks that hold on all of
   * them: there every transaction writes the slot of the site, and the cluster detects the conflict.
   */
  readonly sideBySide: boolean;
  /** Statements that lock slots, both lists ascending. */
  take(shared: readonly number[], exclusive: readonly number[]): Statement[];
  /** Locks the site for one transaction. */
  alone(): Statement;
}

/** Statements that lock rows of the table; the site's by a write where only writes conflict across nodes. */
export function rowLocks(quote: (name: string) => string, sideBySide: boolean, hint = ''): LockDialect {
  const [table, slot, n] = [LOCKS.name, 'slot', 'n'].map(quote) as [string, string, string];
  const locking = (slots: readonly number[], how: string): Statement => {
    const places = slots.map(() => '?').join(', ');
    const sql = `SELECT ${slot} FROM ${table}${hint} WHERE ${slot} IN (${places}) ORDER BY ${slot} ${how}`;
    return { sql, params: [...slots] };
  };
  return {
    slots: SLOTS,
    sideBySide,
    take: (shared, exclusive) => [
      ...(shared.length > 0 ? [locking(shared, 'LOCK IN SHARE MODE')] : []),
      ...(exclusive.length > 0 ? [locking(exclusive, 'FOR UPDATE')] : []),
    ],
    alone: () =>
      sideBySide
        ? locking([SITE], 'FOR UPDATE')
        : { sql: `UPDATE ${table} SET ${n} = ${n} + 1 WHERE ${slot} = ${SITE}`, params: [] },
  };
}

/** Inserts the slots that are missing; at start, under the exclusive lock. */
export async function makeSlots(db: DdlConnection, statements: Statements): Promise<void> {
  const all = statements.select({ table: LOCKS.name, columns: ['slot'], where: { op: 'true' }, order: [] });
  const known = new Set((await db.rows(all.sql, all.params)).map(([slot]) => Number(slot)));
  const missing = Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => !known.has(slot));
  if (missing.length === 0) return;
  const made = statements.insert(
    LOCKS.name,
    missing.map((slot) => ({ slot, n: 0 })),
  );
  await db.run(made.sql, made.params);
}

/** Thrown when a transaction must run alone: the store rolls it back and runs it again, alone. */
export class MustRunAlone extends Error {}

/** The locks of one transaction. */
export class TransactionLocks {
  private readonly held = new Map<number, 'shared' | 'exclusive'>();

  /** Without `needs` the transaction runs alone. */
  constructor(
    private readonly db: Connection,
    private readonly dialect: LockDialect,
    private readonly needs: LockNeeds | undefined,
  ) {}

  /** Statements that take the locks at the beginning of the transaction. */
  first(): Statement[] {
    if (!this.needs) return [this.dialect.alone()];
    const { names = [], shared = [] } = this.needs;
    return this.take([SITE, ...this.slotsOf(shared)], this.slotsOf(names));
  }

  /** See `Transaction.lock`. */
  async lock(names: readonly string[]): Promise<void> {
    if (!this.needs) return;
    const taken = this.take([], this.slotsOf(names));
    // The statements are sent together.
    await Promise.all(taken.map(({ sql, params }) => this.db.rows(sql, params)));
  }

  /** See `Transaction.alone`. */
  alone(): void {
    if (this.needs) throw new MustRunAlone('This transaction has to run alone');
  }

  private take(shared: readonly number[], exclusive: readonly number[]): Statement[] {
    const writes = ascending(exclusive.filter((slot) => this.held.get(slot) !== 'exclusive'));
    const reads = ascending(shared.filter((slot) => !this.held.has(slot) && !writes.includes(slot)));
    for (const slot of reads) this.held.set(slot, 'shared');
    for (const slot of writes) this.held.set(slot, 'exclusive');
    return reads.length + writes.length > 0 ? this.dialect.take(reads, writes) : [];
  }

  private slotsOf(names: readonly string[]): number[] {
    return names.map((name) => slotOf(name, this.dialect.slots));
  }
}

function slotOf(name: string, slots: number): number {
  return 1 + (createHash('sha1').update(name).digest().readUInt32BE(0) % (slots - 1));
}

function ascending(slots: readonly number[]): number[] {
  return [...new Set(slots)].sort((a, b) => a - b);
}
