// The transactions of this process on a SQLite file. One runs at a time. Those on the writing thread that wait for
// their turn at the same time share a COMMIT, because it waits for the disk; short ones (short-writes.ts) wait for the
// disk afterwards.
import { E_TIMEOUT, Mutex, withTimeout } from 'async-mutex';
import { type CommitGroup, newGroup } from './commit-group.js';
import { FileIdentities } from '../../disk/file-identities.js';
import { COMMAND_LIMITS, outcomeUnknown, retry, rejectsWrites, unavailable, writeError } from '../sql/retry.js';
import { TransactionNesting } from '../transactions/nesting.js';
import { sqliteDialect } from './dialect.js';
import { hasEnded } from './remote.js';
import { wasReadOnly } from './errors.js';
import { ShortWrites } from './short-writes.js';
import { SqliteWriter, type SqliteWriterOptions } from './writer.js';

/** Work of a transaction, on the writing connection. */
type Work<T> = (writer: SqliteWriter) => Promise<T>;

/** Maximum number of transactions of one COMMIT. */
const MAX_MEMBERS = 64;
/** A group takes no more transactions after this many milliseconds: its first one is waiting for the COMMIT. */
const MAX_GROUP_MS = 50;

/** Transactions that may share a COMMIT on the writing thread; those, and scripts, that may not; short ones. */
type Kind = 'joins' | 'alone' | 'short';

/** Milliseconds for which the file need not be checked before a transaction; it is checked again before the response is sent. */
const RECENT_MS = 100;
const LOST_HINT = 'put it back, or start the server again; what was written since may be lost';

/** The error of a transaction that was rolled back together with another one, and is repeated. */
const UNDONE = new Error('The transaction was undone with another one');

/** Serializes transactions. The writing connection is opened on first use, and replaced when its thread dies. */
export class SqliteWrites {
  private writer: SqliteWriter | undefined;
  private group: CommitGroup | undefined;
  /** Transactions and scripts waiting for their turn. */
  private readonly waiting: Record<Kind, number> = { joins: 0, alone: 0, short: 0 };
  private serving = false;
  private closed = false;
  private readonly mutex = new Mutex();
  private readonly queue;
  private readonly shortWrites: ShortWrites;
  private readonly files: FileIdentities;
  private committing = false;
  private moving = false;
  private readonly nesting = new TransactionNesting();

  /** `queueMs`: longest wait for a turn before 503. `onCommit` is called with the rows written so far. */
  constructor(
    private readonly opening: SqliteWriterOptions,
    queueMs: number,
    private readonly onCommit: (written: number) => void,
  ) {
    this.queue = withTimeout(this.mutex, queueMs, E_TIMEOUT);
    this.files = new FileIdentities(['', '-wal', '-shm'].map((ending) => opening.file + ending));
    this.shortWrites = new ShortWrites(opening, () => this.noteCommit());
  }

  /** Transactions and scripts waiting for their turn. */
  get queued(): number {
    const { joins, alone, short } = this.waiting;
    return joins + alone + short;
  }

  /** To be called after the start: uses short busy timeouts from here on. */
  async serve(): Promise<void> {
    this.serving = true;
    this.files.changed();
    await this.writer?.serve();
  }

  /**
   * Runs `work` as a transaction that may share its COMMIT; an error of `work` undoes this transaction only. Resolves
   * after the COMMIT. `watched`: a nested transaction is refused at once, instead of waiting forever.
   */
  together<T>(work: Work<T>, watched = true): Promise<T> {
    const join = (): Promise<{ result: T; committed: Promise<void> }> => this.retry(() => this.join(work));
    const once = async (): Promise<T> => {
      const { result, committed } = await this.inTurn('joins', join, watched);
      await committed;
      return result;
    };
    return this.runChecked(() => this.retry(once, (error) => error === UNDONE || sqliteDialect.isTransient(error)));
  }

  /**
   * Runs `work` as a transaction on this thread, which must be short (short-transaction.ts). Resolves when its COMMIT
   * is on the disk. Throws errors that tell the caller to use `together`: those of the driver when another process has
   * locked the file, and Undone.
   */
  short<T>(work: Work<T>): Promise<T> {
    return this.runChecked(async () => {
      const { result, committed } = await this.inTurn('short', () => this.shortMember(work));
      await committed;
      return result;
    });
  }

  private async shortMember<T>(work: Work<T>): Promise<{ result: T; committed: Promise<void> }> {
    const { shortWrites } = this;
    if (this.closed) throw unavailable();
    try {
      return await shortWrites.run(work);
    } finally {
      const isLast = this.waiting.short === 0;
      if (!shortWrites.mayGrow || (isLast && !shortWrites.isSyncing)) await shortWrites.commit();
      // Transactions that arrive during the sync join the open group.
      else if (isLast) this.commitWhenSynced();
      if (shortWrites.isDue) this.moveToFile();
    }
  }

  private commitWhenSynced(): void {
    if (this.committing) return;
    this.committing = true;
    const commit = async (): Promise<void> => {
      await this.shortWrites.waitForSync();
      this.committing = false;
      await this.inTurn('alone', async () => undefined);
    };
    // If this turn times out, the next one commits the group.
    commit().catch(() => undefined);
  }

  /** Runs `work` in a transaction of its own, with retries when another process holds the lock. */
  alone<T>(work: Work<T>): Promise<T> {
    return this.runChecked(() => this.inTurn('alone', () => this.retry(() => this.attempt(work))));
  }

  /**
   * `alone`, for changes of tables. Foreign keys are off, because DROP TABLE deletes the rows first, and with them
   * referring rows of tables that were created by hand. Within a transaction the setting would have no effect.
   * `onOpened` is called before each attempt, once the file is open.
   */
  changing<T>(work: Work<T>, onOpened: () => void): Promise<T> {
    const once = async (): Promise<T> => {
      const writer = await this.open();
      onOpened();
      await writer.exec('PRAGMA foreign_keys = OFF');
      try {
        return await this.attempt(work);
      } finally {
        await this.writer?.exec('PRAGMA foreign_keys = ON').catch(() => undefined);
      }
    };
    return this.runChecked(() => this.inTurn('alone', () => this.retry(once)));
  }

  /** Runs `work` on the writing connection between transactions. It begins and commits what it writes. */
  between<T>(work: Work<T>): Promise<T> {
    return this.inTurn('alone', async () => {
      const writer = await this.open();
      try {
        return await work(writer);
      } catch (error) {
        await this.rollback(writer);
        throw error;
      }
    });
  }

  /** Waits for the running transactions without a timeout, runs `last`, and closes the connection. */
  async close(last: () => Promise<void>): Promise<void> {
    await this.mutex.runExclusive(async () => {
      await this.commitGroup();
      this.closed = true;
      await this.shortWrites.close();
      await last();
      await this.writer?.checkpoint();
      await this.writer?.close();
    });
  }

  /** The error where the opened file was removed, moved or replaced; checked at most `withinMs` milliseconds ago. */
  lossError(withinMs = 0): Error | undefined {
    const changed = this.serving ? this.files.changedLately(withinMs) : undefined;
    return changed === undefined ? undefined : new Error(`${changed} was moved, replaced or removed: ${LOST_HINT}`);
  }

  private retry<T>(work: () => Promise<T>, transient = sqliteDialect.isTransient): Promise<T> {
    const { sameThread, bulk } = this.opening;
    return retry(work, transient, unavailable, sameThread || bulk ? COMMAND_LIMITS : undefined);
  }

  private async runChecked<T>(run: () => Promise<T>): Promise<T> {
    this.nesting.assertNotNested();
    // Opening a connection now might create another file, and delete the WAL of the moved one.
    const before = this.lossError(RECENT_MS);
    if (before) throw rejectsWrites(before);
    try {
      const result = await run();
      const after = this.lossError();
      if (after) throw outcomeUnknown(after);
      return result;
    } catch (error) {
      throw error === E_TIMEOUT || hasEnded(error) ? unavailable() : writeError(error, sqliteDialect);
    }
  }

  private async inTurn<T>(kind: Kind, run: () => Promise<T>, watched = true): Promise<T> {
    let waits = true;
    const begun = (): void => {
      if (waits) this.waiting[kind] -= 1;
      waits = false;
    };
    this.waiting[kind] += 1;
    try {
      return await this.queue.runExclusive(async () => {
        begun();
        if (kind !== 'joins' && this.group) await this.commitGroup();
        if (kind !== 'short' && this.shortWrites.isOpen) await this.shortWrites.commit();
        if (!watched) return run();
        return kind === 'short' ? this.nesting.run(run) : this.nesting.watch(run);
      });
    } finally {
      const gaveUp = waits;
      begun();
      if (gaveUp) this.commitLeft();
    }
  }

  /** Commits a group that stayed open for waiting transactions, when the last of them has given up. */
  private commitLeft(): void {
    if (!this.group || this.queued > 0) return;
    this.inTurn('alone', async () => undefined).catch(() => undefined);
  }

  private async attempt<T>(work: Work<T>): Promise<T> {
    const writer = await this.open();
    await writer.exec('BEGIN IMMEDIATE');
    try {
      const result = await work(writer);
      await commit(writer);
      this.noteCommit();
      return result;
    } catch (error) {
      if (wasReadOnly(error, this.opening.file)) await this.dropWriter();
      else await this.rollback(writer);
      throw error;
    }
  }

  private async join<T>(work: Work<T>): Promise<{ result: T; committed: Promise<void> }> {
    const writer = await this.open();
    const group = this.group ?? (await this.begin(writer));
    // The first one needs no savepoint: ROLLBACK undoes nothing else.
    const isFirst = group.members === 0;
    try {
      // Not awaited: the connection runs later statements after it, and fails them too if it has ended.
      const saved = isFirst ? undefined : writer.exec('SAVEPOINT member');
      saved?.catch(() => undefined);
      const result = await work(writer);
      await saved;
      const released = isFirst ? undefined : writer.exec('RELEASE member');
      released?.catch(() => undefined);
      group.members += 1;
      if (!this.mayGrow(group)) await this.commitGroup();
      await released;
      return { result, committed: group.committed };
    } catch (error) {
      if (wasReadOnly(error, this.opening.file)) await this.dropWriter();
      else if (isFirst || !writer.inTransaction) await this.rollback(writer);
      else await this.undoLast(writer);
      throw error;
    }
  }

  private async begin(writer: SqliteWriter): Promise<CommitGroup> {
    await writer.exec('BEGIN IMMEDIATE');
    return (this.group = newGroup());
  }

  /** Whether another transaction is about to join. */
  private mayGrow({ begun, members }: CommitGroup): boolean {
    return this.waiting.joins > 0 && members < MAX_MEMBERS && performance.now() - begun < MAX_GROUP_MS;
  }

  /** Undoes the last transaction of a group. The others are committed now, because a retry may have to wait. */
  private async undoLast(writer: SqliteWriter): Promise<void> {
    try {
      await writer.exec('ROLLBACK TO member; RELEASE member');
    } catch {
      return this.replaceWriter();
    }
    await this.commitGroup();
  }

  /** Commits the open group, if there is one. Errors are those of its members. */
  private async commitGroup(): Promise<void> {
    const group = this.group;
    if (!group || !this.writer) return;
    const writer = this.writer;
    try {
      await commit(writer);
      this.group = undefined;
      group.settle();
      this.noteCommit();
    } catch (error) {
      this.group = undefined;
      group.settle(error);
      await this.rollback(writer);
    }
  }

  private noteCommit(): void {
    this.onCommit((this.writer?.written ?? 0) + this.shortWrites.written);
  }

  /** Checkpoints the WAL between transactions, so that the next COMMIT restarts it. */
  private moveToFile(): void {
    if (this.moving) return;
    this.moving = true;
    const move = async (writer: SqliteWriter): Promise<void> => {
      const [[, pages] = []] = await writer.rows('PRAGMA wal_checkpoint(PASSIVE)', []);
      this.shortWrites.noteCheckpoint(Number(pages));
    };
    this.between(move)
      // The next one tries again.
      .catch(() => undefined)
      .finally(() => (this.moving = false));
  }

  private async rollback(writer: SqliteWriter): Promise<void> {
    this.undoGroup();
    try {
      // SQLite has rolled back by itself after a full disk and some other errors.
      if (writer.inTransaction) await writer.exec('ROLLBACK');
    } catch {
      // Replace a connection in an unknown state.
      await this.replaceWriter();
    }
  }

  private undoGroup(): void {
    this.group?.settle(UNDONE);
    this.group = undefined;
  }

  private async replaceWriter(): Promise<void> {
    await this.dropWriter();
    await this.open();
  }

  /** The next transaction opens another one. */
  private async dropWriter(): Promise<void> {
    this.undoGroup();
    await this.writer?.close();
    this.writer = undefined;
  }

  private async open(): Promise<SqliteWriter> {
    if (this.closed) throw unavailable();
    if (this.writer && !this.writer.ended) return this.writer;
    this.undoGroup();
    const lost = this.lossError();
    if (lost) throw rejectsWrites(lost);
    await this.writer?.close();
    const writer = await SqliteWriter.open(this.opening);
    if (this.serving) await writer.serve();
    return (this.writer = writer);
  }
}

async function commit(writer: SqliteWriter): Promise<void> {
  try {
    await writer.exec('COMMIT');
  } catch (error) {
    throw hasEnded(error) ? outcomeUnknown() : error;
  }
}
