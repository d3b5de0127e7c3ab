// One connection to PostgreSQL: named prepared statements, rows as arrays.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Bound, type Ran, tell, tellIfLong, UniqueViolation, type Statement } from '../sql/connection.js';
import type { PoolOptions, Session } from '../pool/database.js';
import { isConsequence, isDuplicate, isReadOnly } from './errors.js';
import type { PostgresDatabase } from './database.js';
import { type Response, PreparedQuery } from './prepared-query.js';
import type { Host } from '../pool/database-url.js';
import { checkSize } from '../sql/statement-size.js';

/** The server accepts messages and rows of 1 GiB; JavaScript strings are limited to less, so half of it suffices. */
export const STATEMENT_BYTES = 512 * 1024 ** 2;

/** The part of a pg client that is used. */
export interface RawClient {
  query(script: string): Promise<unknown>;
  query(query: PreparedQuery): PreparedQuery;
  end(): Promise<void>;
  connection: { stream: { cork(): void; uncork(): void } };
}

/** See `Session`. Values are sent separately from the statement; rows come as arrays. */
export class PostgresSession implements Session {
  readonly statementBytes = STATEMENT_BYTES;
  /** Whether statements are being gathered, to be written to the socket together. */
  private gathering = false;
  private inTransaction = false;
  /** Why the server refuses further statements of the transaction. */
  private cause: unknown;

  constructor(
    private readonly client: RawClient,
    readonly release: (broken: boolean) => void,
    private readonly host: Host,
    private readonly database: PostgresDatabase,
    private readonly options: PoolOptions,
  ) {}

  async rows(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    if (this.inTransaction) this.gather();
    return (await this.prepared(sql, params)).rows;
  }

  async run(sql: string, params: readonly Bound[], mayClash = false): Promise<Ran> {
    try {
      const { rows, rowCount } = await (mayClash ? this.withSavepoint(sql, params) : this.prepared(sql, params));
      return { changes: rowCount, id: Number(rows[0]?.[0] ?? 0) };
    } catch (error) {
      if (isReadOnly(error)) this.database.leave(this.host);
      const duplicate = this.database.dialect.duplicate(error, sql);
      throw duplicate ? new UniqueViolation(duplicate.table, duplicate.columns) : error;
    }
  }

  runAll(statements: readonly Statement[]): Promise<void> {
    return this.pipelined(() => this.each(statements));
  }

  async exec(sql: string): Promise<void> {
    await this.timed(sql, this.client.query(sql));
  }

  async begin(first: readonly Statement[] = []): Promise<void> {
    this.inTransaction = true;
    this.cause = undefined;
    this.gather();
    await Promise.all([this.exec('BEGIN ISOLATION LEVEL READ COMMITTED'), ...this.each(first)]);
  }

  async beginSnapshot(): Promise<void> {
    await this.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await this.exec('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    // BEGIN alone takes no snapshot: the first reading statement does.
    await this.exec('SELECT 1');
  }

  commit(last: readonly Statement[] = []): Promise<void> {
    // After a statement that failed, COMMIT rolls back.
    return this.pipelined(() => [...this.each(last), this.exec('COMMIT')]);
  }

  private async pipelined(send: () => Promise<unknown>[]): Promise<void> {
    this.gather();
    try {
      // The first that fails is reported first; those after it fail because of it.
      await Promise.all(send());
    } catch (error) {
      if (isReadOnly(error)) this.database.leave(this.host);
      throw error;
    }
  }

  rollback(): Promise<void> {
    return this.exec('ROLLBACK');
  }

  // A write to the socket costs more than building a statement: those that are sent together are written once.
  private gather(): void {
    if (this.gathering) return;
    this.gathering = true;
    const { stream } = this.client.connection;
    stream.cork();
    setImmediate(() => {
      this.gathering = false;
      stream.uncork();
    });
  }

  private each(statements: readonly Statement[]): Promise<unknown>[] {
    return statements.map(({ sql, params }) => this.prepared(sql, params));
  }

  // A failed statement would abort the transaction: use a savepoint. The three statements are pipelined.
  private async withSavepoint(sql: string, params: readonly Bound[]): Promise<Response> {
    const [, ran] = await Promise.allSettled([
      this.exec('SAVEPOINT s'),
      this.prepared(sql, params),
      this.exec('RELEASE SAVEPOINT s'),
    ]);
    if (ran.status === 'fulfilled') return ran.value;
    await this.exec('ROLLBACK TO SAVEPOINT s');
    this.cause = undefined;
    throw ran.reason;
  }

  private async prepared(sql: string, params: readonly Bound[]): Promise<Response> {
    checkSize(params, STATEMENT_BYTES);
    return this.timed(sql, this.client.query(new PreparedQuery(sql, params, this.database.isKept(sql))).response);
  }

  private async timed<T>(sql: string, response: Promise<T>): Promise<T> {
    const start = performance.now();
    const late = tellIfLong(this.options, sql);
    try {
      return await response;
    } catch (error) {
      throw await this.causeOf(error);
    } finally {
      clearTimeout(late);
      tell(this.options, sql, performance.now() - start);
    }
  }

  /** The error to report for that of a statement: of statements sent together, one that fails because of another may be awaited first. */
  private async causeOf(error: unknown): Promise<unknown> {
    if (isConsequence(error)) {
      await nextTurn();
      return this.cause ?? error;
    }
    // Whoever inserts expects a duplicate key, of this statement alone.
    if (this.inTransaction && !isDuplicate(error)) this.cause ??= error;
    return error;
  }
}
