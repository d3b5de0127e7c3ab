// Rate limit counters of several processes on one SQLite file: in a small file beside it, because any commit in the
// main file would change its data version.
import { existsSync } from 'node:fs';
import { retry } from '../sql/retry.js';
import { sqliteDialect } from './dialect.js';
import { SqliteWriter, type SqliteWriterOptions } from './writer.js';
import { SqlRateCounters, RATE_COUNTERS } from '../sql/rate-counters.js';
import { makePrivateFile } from '../../disk/private-file.js';

/** Suffix of the side file: `<database>.tallies` (the name that existing sites have). */
const SUFFIX = '.tallies';

/** See `RateCounterStore`. */
export class SqliteRateCounters extends SqlRateCounters {
  private opened: Promise<SqliteWriter> | undefined;

  constructor(private readonly opening: SqliteWriterOptions) {
    super(sqliteDialect, (work) => retry(async () => work(await this.openWriter()), sqliteDialect.isTransient));
  }

  /** Does nothing before the first counter: a site without them needs neither the file nor a thread for it. */
  override async sweep(): Promise<void> {
    if (this.opened || existsSync(this.file)) await super.sweep();
  }

  /** Closes the file, if it was ever opened. */
  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.close();
  }

  /** Opens the file on first use, and again after its worker thread has died. */
  private async openWriter(): Promise<SqliteWriter> {
    const opened = (this.opened ??= this.open());
    const connection = await opened;
    if (!connection.ended) return connection;
    // A concurrent call may have replaced the ended thread already.
    if (this.opened === opened) this.opened = this.open();
    return this.openWriter();
  }

  private get file(): string {
    return this.opening.file + SUFFIX;
  }

  private async open(): Promise<SqliteWriter> {
    const { file } = this;
    makePrivateFile(file);
    let connection: SqliteWriter | undefined;
    try {
      connection = await SqliteWriter.open({
        ...this.opening,
        file,
        // The counters need no durability.
        synchronous: 'normal',
      });
      await makeTable(connection);
      await connection.serve();
      return connection;
    } catch (error) {
      this.opened = undefined;
      await connection?.close();
      throw error;
    }
  }
}

/** A process that finds the file locked for too long retries (see the constructor). */
async function makeTable(db: SqliteWriter): Promise<void> {
  await db.exec('BEGIN IMMEDIATE');
  if (!(await sqliteDialect.inspect(RATE_COUNTERS, (sql) => db.rows(sql, [])))) {
    for (const sql of sqliteDialect.createTable(RATE_COUNTERS)) await db.exec(sql);
    for (const index of RATE_COUNTERS.indexes.values())
      for (const sql of sqliteDialect.createIndex(RATE_COUNTERS, index)) await db.exec(sql);
  }
  await db.exec('COMMIT');
}
