// Syncs the WAL of a SQLite file to the disk on a thread of the pool, so that no commit blocks the event loop. Commits
// during a sync share the next one. (docs/architecture.md, Storage)
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The WAL of an open file. SQLite holds no locks on it, so that opening and closing it here releases none. */
export class WalSync {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  private constructor(private readonly wal: FileHandle) {}

  /** The WAL must be there: a connection has written, or read, in WAL mode. */
  static async open(file: string): Promise<WalSync> {
    // SQLite syncs the directory entry of a new WAL with its first commit, which may not have happened yet.
    await syncFolder(dirname(file));
    return new WalSync(await open(`${file}-wal`, 'r+'));
  }

  /** Resolves when no sync is running. */
  async idle(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Resolves when everything that has been committed so far is on the disk. Throws errors of the file system. */
  sync(): Promise<void> {
    if (!this.running) return this.start();
    // The running sync may have begun before the last commit.
    const begin = (): Promise<void> => this.start();
    return (this.next ??= this.running.then(begin, begin));
  }

  /** Syncs earlier commits first. */
  async close(): Promise<void> {
    await this.sync().catch(() => undefined);
    await this.wal.close();
  }

  private start(): Promise<void> {
    this.next = undefined;
    const running = this.wal.datasync().finally(() => {
      if (this.running === running) this.running = undefined;
    });
    return (this.running = running);
  }
}

async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows cannot open folders, and needs no sync of them.
  }
}
