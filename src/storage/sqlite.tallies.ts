// Tallies of several processes on one SQLite file: in a small file beside it, because any commit in the file itself would move its data
// version. Opened by sqlite.store.ts when somebody counts; may be deleted while nothing runs.
import { entitySchema } from './entity-schema.js';
import { retrying } from './retry.js';
import { SqliteConnection, type SqliteConnectionOptions } from './sqlite.connection.js';
import { sqliteDialect } from './sqlite.dialect.js';
import { SqlTallies, TALLIES } from './tallies.js';

/** What a side file is called: `<database>.tallies`. */
const ENDING = '.tallies';

/** See `Tallies`. */
export class SqliteTallies extends SqlTallies {
  private opened: Promise<SqliteConnection> | undefined;

  constructor(private readonly opening: SqliteConnectionOptions) {
    super(sqliteDialect, (work) =>
      retrying(async () => work(await (this.opened ??= this.open())), sqliteDialect.transient),
    );
  }

  /** Closes the file, if it was ever opened. */
  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.close();
  }

  private async open(): Promise<SqliteConnection> {
    let connection: SqliteConnection | undefined;
    try {
      connection = await SqliteConnection.open({
        ...this.opening,
        file: this.opening.file + ENDING,
        // Nothing in it is worth waiting for the disk.
        synchronous: 'normal',
        entities: [entitySchema(TALLIES, sqliteDialect)],
        readOnly: false,
      });
      await makeTable(connection);
      connection.serve();
      return connection;
    } catch (error) {
      this.opened = undefined;
      await connection?.close();
      throw error;
    }
  }
}

/** Processes that come at once take turns. */
async function makeTable(db: SqliteConnection): Promise<void> {
  db.exec('BEGIN IMMEDIATE');
  if (!(await sqliteDialect.inspect(TALLIES, async (sql) => db.rows(sql, [])))) {
    for (const sql of sqliteDialect.createTable(TALLIES)) db.exec(sql);
    for (const index of TALLIES.indexes.values())
      for (const sql of sqliteDialect.createIndex(TALLIES, index)) db.exec(sql);
  }
  db.exec('COMMIT');
}
