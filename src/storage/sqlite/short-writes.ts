// Short transactions (short-transaction.ts) on the event loop's thread. Those that wait at the same time, for their
// turn or for the disk, share a COMMIT. It writes to the WAL without a sync: a thread of the pool syncs the WAL
// afterwards (wal-sync.ts), and the writing thread checkpoints it from time to time.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CommitGroup, newGroup } from './commit-group.js';
import { outcomeUnknown } from '../sql/retry.js';
import { wasReadOnly } from './errors.js';
import { WalSync } from './wal-sync.js';
import { SqliteWriter, type SqliteWriterOptions } from './writer.js';

/** Milliseconds after which transactions yield to the event loop. */
const MAX_TURN_MS = 4;
/** Maximum number of transactions of one COMMIT. */
const MAX_MEMBERS = 32;
/** A group takes no more transactions after this many milliseconds: its first one is waiting for the COMMIT. */
const MAX_GROUP_MS = 30;
/** Pages in the WAL from which a checkpoint is due. */
const CHECKPOINT_PAGES = 1_000;
/** Pages that a transaction is assumed to add to the WAL, until a checkpoint has counted them. */
const PAGES_EACH = 20;

/** Thrown when a transaction was rolled back because another one of its group had failed. */
export class Undone extends Error {}

/**
 * The connection of short transactions, opened on first use. One transaction runs at a time, and none on another
 * connection while a group is open.
 */
export class ShortWrites {
  private writer: SqliteWriter | undefined;
  private sync: WalSync | undefined;
  private group: CommitGroup | undefined;
  /** Transactions since the last checkpoint. */
  private unmoved = 0;
  private pagesEach = PAGES_EACH;
  /** When the first transaction of this turn of the event loop began. */
  private turnBegan: number | undefined;

  /** `onCommit` is called after each COMMIT. */
  constructor(
    private readonly opening: SqliteWriterOptions,
    private readonly onCommit: () => void,
  ) {}

  /** Rows written so far, including rolled back ones. */
  get written(): number {
    return this.writer?.written ?? 0;
  }

  /** Whether a group is open. */
  get isOpen(): boolean {
    return this.group !== undefined;
  }

  /** Whether a sync of the WAL is running. */
  get isSyncing(): boolean {
    return this.sync?.isRunning ?? false;
  }

  /** Whether a checkpoint is due. */
  get isDue(): boolean {
    return this.unmoved * this.pagesEach >= CHECKPOINT_PAGES;
  }

  /** Whether the open group may take another transaction. */
  get mayGrow(): boolean {
    const { group } = this;
    return !group || (group.members < MAX_MEMBERS && performance.now() - group.begun < MAX_GROUP_MS);
  }

  /** Resolves when the sync that is running has ended. */
  async waitForSync(): Promise<void> {
    await this.sync?.idle();
  }

  /**
   * Runs `work` in the open group, or in one that it opens; `commit` ends it. Throws the driver's error when another
   * process has locked the file. `committed` rejects with Undone when nothing is left of the transaction.
   */
  async run<T>(work: (writer: SqliteWriter) => Promise<T>): Promise<{ result: T; committed: Promise<void> }> {
    await this.yieldTurn();
    const writer = await this.open();
    const group = this.group ?? (await this.begin(writer));
    const { written } = writer;
    try {
      const result = await work(writer);
      group.members += 1;
      return { result, committed: group.committed };
    } catch (error) {
      // The group is rolled back only if the failed transaction has written, which is rare.
      if (writer.written > written || !writer.inTransaction) await this.rollback(writer);
      if (wasReadOnly(error, this.opening.file)) await this.replace(writer);
      throw error;
    }
  }

  /** Commits the open group, if there is one. Errors are those of its members. */
  async commit(): Promise<void> {
    const { group, writer } = this;
    if (!group || !writer) return;
    this.group = undefined;
    try {
      await writer.exec(group.members > 0 ? 'COMMIT' : 'ROLLBACK');
    } catch (error) {
      group.settle(error);
      return this.rollback(writer);
    }
    this.unmoved += group.members;
    if (group.members > 0) this.onCommit();
    if (!this.sync) return group.settle();
    this.sync.sync().then(
      () => group.settle(),
      () => group.settle(outcomeUnknown()),
    );
  }

  /** To be called after a checkpoint, between transactions: `pages` is the number of pages in the WAL. */
  noteCheckpoint(pages: number): void {
    if (this.unmoved > 0 && pages > 0) this.pagesEach = pages / this.unmoved;
    this.unmoved = 0;
  }

  async close(): Promise<void> {
    await this.commit();
    await this.sync?.close();
    await this.writer?.close();
  }

  private async open(): Promise<SqliteWriter> {
    if (this.writer) return this.writer;
    const { file, synchronous } = this.opening;
    const writer = await SqliteWriter.openOnThisThread(this.opening);
    try {
      if (synchronous === 'full') this.sync ??= await WalSync.open(file).catch(cannotOpen);
    } catch (error) {
      await writer.close();
      throw error;
    }
    return (this.writer = writer);
  }

  private async begin(writer: SqliteWriter): Promise<CommitGroup> {
    await writer.exec('BEGIN IMMEDIATE');
    return (this.group = newGroup());
  }

  private async rollback(writer: SqliteWriter): Promise<void> {
    this.undoGroup();
    try {
      // SQLite has rolled back by itself after a full disk and some other errors.
      if (writer.inTransaction) await writer.exec('ROLLBACK');
    } catch {
      // Replace a connection in an unknown state.
      await this.replace(writer);
    }
  }

  private undoGroup(): void {
    this.group?.settle(new Undone('The transaction was undone with another one'));
    this.group = undefined;
  }

  /** The next transaction opens another connection. */
  private async replace(writer: SqliteWriter): Promise<void> {
    this.undoGroup();
    this.writer = undefined;
    await writer.close();
  }

  /** Yields to the event loop when transactions have held it for a while. */
  private async yieldTurn(): Promise<void> {
    if (this.turnBegan === undefined) {
      this.turnBegan = performance.now();
      setImmediate(() => (this.turnBegan = undefined));
    } else if (performance.now() - this.turnBegan > MAX_TURN_MS) await nextTurn();
  }
}

/** Wraps an error of the file system, which lacks a code of the database. */
function cannotOpen(error: Error): never {
  throw Object.assign(new Error(error.message), { code: 'SQLITE_CANTOPEN' });
}
