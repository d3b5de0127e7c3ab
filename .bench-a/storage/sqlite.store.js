// The store on a SQLite file: one writer behind a mutex, one reader beside it, WAL between them. Opened by main.ts and cli.ts.
import { AsyncLocalStorage } from 'node:async_hooks';
import { resolve } from 'node:path';
import { E_TIMEOUT, Mutex, withTimeout } from 'async-mutex';
import { COUNTS } from './counters.js';
import { entitySchema } from './entity-schema.js';
import { retrying, unavailable } from './retry.js';
import { applyTables } from './schema-apply.js';
import { SqliteConnection } from './sqlite.connection.js';
import { sqliteDialect } from './sqlite.dialect.js';
import { SqliteStatistics } from './sqlite.statistics.js';
import { RememberingReader } from './sql.reader.js';
import { SqlTransaction } from './sql.transaction.js';
import { Statements } from './statements.js';
/** Opens the file (made when missing) and brings its tables up to the models. Throws BootError where they contradict. */
export async function openSqliteStore(path, options, tables) {
    const all = new Map(tables).set(COUNTS.name, COUNTS);
    const entities = [...all.values()].map((table) => entitySchema(table, sqliteDialect));
    const opening = { ...options, file: resolve(path), entities, readOnly: false };
    const writer = await SqliteConnection.open(opening);
    const reader = await SqliteConnection.open({ ...opening, readOnly: true });
    const store = new SqliteStore(writer, reader, opening, options, new Statements(sqliteDialect, all));
    try {
        await applySchema(store, tables);
    }
    catch (error) {
        await store.close();
        throw error;
    }
    writer.serve();
    reader.serve();
    return store;
}
/** Makes what is missing for these tables, in one transaction; a second call changes nothing. */
export async function applySchema(store, tables) {
    await store.exclusive(async (writer) => {
        await applyTables(writer, store.statements, tables.values(), store.file);
    });
}
/** Transactions run one after the other, each wholly; reads beside them see the last commit. */
export class SqliteStore {
    writer;
    readConnection;
    opening;
    options;
    statements;
    reader;
    queue;
    statistics = new SqliteStatistics();
    inside = new AsyncLocalStorage();
    constructor(writer, readConnection, opening, options, statements) {
        this.writer = writer;
        this.readConnection = readConnection;
        this.opening = opening;
        this.options = options;
        this.statements = statements;
        this.reader = new RememberingReader(readConnection, statements);
        this.queue = withTimeout(new Mutex(), options.queueMs ?? 10_000, E_TIMEOUT);
    }
    /** Absolute path of the database. */
    get file() {
        return this.opening.file;
    }
    async transaction(work) {
        const done = await this.exclusive(async (writer) => {
            const tx = new SqlTransaction(writer, this.statements);
            try {
                const answer = await work(tx);
                await tx.flush();
                return { answer, afterwards: tx.afterwards };
            }
            finally {
                tx.end();
            }
        });
        for (const run of done.afterwards)
            await this.afterwards(run);
        return done.answer;
    }
    /** Runs `work` between BEGIN IMMEDIATE and COMMIT on the writer, alone, again when another process was in the way. */
    async exclusive(work) {
        // It would wait for itself.
        if (this.inside.getStore()?.open)
            throw new Error('A transaction inside a transaction: pass the outer one down instead');
        const state = { open: true };
        try {
            return await this.queue.runExclusive(() => retrying(() => this.attempt(work), sqliteDialect.transient));
        }
        catch (error) {
            throw error === E_TIMEOUT ? unavailable() : error;
        }
        finally {
            state.open = false;
        }
    }
    async close() {
        await this.queue.runExclusive(async () => {
            await this.readConnection.close();
            this.writer.checkpoint();
            await this.writer.close();
        });
    }
    async attempt(work) {
        this.writer.exec('BEGIN IMMEDIATE');
        try {
            const answer = await work(this.writer);
            this.writer.exec('COMMIT');
            this.statistics.refresh(this.writer, this.readConnection);
            return answer;
        }
        catch (error) {
            await this.rollback();
            throw error;
        }
    }
    async rollback() {
        try {
            // A full disk and some other errors have rolled back already.
            if (this.writer.inTransaction)
                this.writer.exec('ROLLBACK');
        }
        catch {
            // A connection in an unknown state serves nobody.
            await this.writer.abandon();
            this.writer = await SqliteConnection.open(this.opening);
            this.writer.serve();
        }
    }
    async afterwards(run) {
        try {
            await run();
        }
        catch (error) {
            (this.options.onError ?? console.error)(error);
        }
    }
}
