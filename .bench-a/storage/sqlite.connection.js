// One connection to a SQLite file: TypeORM's DataSource owns it, statements go past TypeORM to the driver. Made by sqlite.store.ts.
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { UniqueViolation } from './connection.js';
import { sqliteDialect } from './sqlite.dialect.js';
/** How long a statement waits for another process; it blocks the event loop while it does. */
const BUSY_MS = 150;
/** At boot nobody is served yet. */
const BUSY_BOOT_MS = 5_000;
const STATEMENTS = 500;
/** Statements are prepared once and kept. Errors of the driver pass through, duplicates as UniqueViolation. */
export class SqliteConnection {
    source;
    driver;
    slowMs;
    onSlow;
    readers = new LRUCache({ max: STATEMENTS });
    writers = new LRUCache({ max: STATEMENTS });
    /** Rows written through this connection so far, rolled back ones included. */
    written = 0;
    constructor(source, driver, slowMs, onSlow) {
        this.source = source;
        this.driver = driver;
        this.slowMs = slowMs;
        this.onSlow = onSlow;
    }
    /** Opens the file, made with its directory when missing. */
    static async open(options) {
        const source = new DataSource({
            type: 'better-sqlite3',
            driver: loadDriver(),
            database: options.file,
            entities: options.entities,
            enableWAL: !options.readOnly,
            timeout: BUSY_BOOT_MS,
            synchronize: false,
            logging: false,
            invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
        });
        await source.initialize();
        const driver = source.driver.databaseConnection;
        driver.exec(`PRAGMA synchronous = ${options.synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
        driver.exec('PRAGMA cache_size = -32000');
        if (options.readOnly)
            driver.exec('PRAGMA query_only = ON');
        return new SqliteConnection(source, driver, options.slowMs ?? 200, options.onSlow);
    }
    /** Boot is over: from here on waiting for another process is short, and retried outside the event loop. */
    serve() {
        this.rows(`PRAGMA busy_timeout = ${BUSY_MS}`, []);
    }
    get inTransaction() {
        return this.driver.inTransaction;
    }
    rows(sql, params) {
        const start = performance.now();
        let statement = this.readers.get(sql);
        if (!statement)
            this.readers.set(sql, (statement = this.driver.prepare(sql).raw()));
        // `all` and never `get`: libsql leaves a statement open after its first row, and with it an old snapshot.
        return this.timed(sql, statement.all(params), start);
    }
    run(sql, params) {
        const start = performance.now();
        try {
            let statement = this.writers.get(sql);
            if (!statement)
                this.writers.set(sql, (statement = this.driver.prepare(sql)));
            const { changes, lastInsertRowid } = statement.run(params);
            this.written += changes;
            return this.timed(sql, { changes, id: Number(lastInsertRowid) }, start);
        }
        catch (error) {
            const duplicate = sqliteDialect.duplicate(error);
            throw duplicate ? new UniqueViolation(duplicate.table, duplicate.columns) : error;
        }
    }
    /** BEGIN, COMMIT, DDL: whatever has neither rows nor parameters. */
    exec(sql) {
        const start = performance.now();
        this.driver.exec(sql);
        this.timed(sql, undefined, start);
    }
    /** Moves the log into the file, so that a copy of the file alone is whole. Left for later when somebody reads or writes. */
    checkpoint() {
        try {
            this.driver.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        }
        catch {
            // The next process to open the file does it.
        }
    }
    async close() {
        this.readers.clear();
        this.writers.clear();
        await this.source.destroy();
    }
    /** Closes for good, open transaction and all: the way out when even ROLLBACK fails. */
    async abandon() {
        await this.close().catch(() => undefined);
        // libsql keeps a closed connection, and its lock on the file, until the last statement is collected.
        setFlagsFromString('--expose-gc');
        runInNewContext('gc')();
    }
    timed(sql, answer, start) {
        const ms = performance.now() - start;
        if (ms >= this.slowMs)
            this.onSlow?.(sql, ms);
        return answer;
    }
}
/** better-sqlite3 where it is installed (it is faster), else libsql, which needs no compiler. */
function loadDriver() {
    const require = createRequire(import.meta.url);
    try {
        return require('better-sqlite3');
    }
    catch {
        return require('libsql');
    }
}
