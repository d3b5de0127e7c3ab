// One connection to PostgreSQL: named prepared statements, rows as arrays.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Bound,
  type RunResult,
  report,
  reportIfLong,
  UniqueViolation,
  type Statement,
} from '../sql/connection.js';
import type { PoolOptions, Session } from '../pool/database.js';
import { isConsequence, isDuplicate, isOutdated, isReadOnly } from './errors.js';
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
  private corked = false;
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
    if (this.inTransaction) this.cork();
    return (await this.execute(sql, params)).rows;
  }

  async run(sql: string, params: readonly Bound[], mayClash = false): Promise<RunResult> {
    try {
      const { rows, rowCount } = await (mayClash ? this.withSavepoint(sql, params) : this.execute(sql, params));
      return { changes: rowCount, id: Number(rows[0]?.[0] ?? 0) };
    } catch (error) {
      if (isReadOnly(error)) this.database.failOver(this.host);
      const duplicate = this.database.dialect.duplicateOf(error, sql);
      throw duplicate ? new UniqueViolation(duplicate.table, duplicate.columns) : error;
    }
  }

  runAll(statements: readonly Statement[]): Promise<void> {
    return this.pipeline(() => this.sendEach(statements));
  }

  async exec(sql: string): Promise<void> {
    await this.timed(sql, this.client.query(sql));
  }

  async begin(first: readonly Statement[] = []): Promise<void> {
    this.inTransaction = true;
    this.cause = undefined;
    this.cork();
    await Promise.all([this.exec('BEGIN ISOLATION LEVEL READ COMMITTED'), ...this.sendEach(first)]);
  }

  async beginSnapshot(): Promise<void> {
    await this.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await this.exec('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    // BEGIN alone takes no snapshot: the first reading statement does.
    await this.exec('SELECT 1');
  }

  commit(last: readonly Statement[] = []): Promise<void> {
    // After a failed statement, COMMIT rolls back.
    return this.pipeline(() => [...this.sendEach(last), this.exec('COMMIT')]);
  }

  private async pipeline(send: () => Promise<unknown>[]): Promise<void> {
    this.cork();
    try {
      // The first that fails is reported first; those after it fail because of it.
      await Promise.all(send());
    } catch (error) {
      if (isReadOnly(error)) this.database.failOver(this.host);
      throw error;
    }
  }

  rollback(): Promise<void> {
    return this.exec('ROLLBACK');
  }

  // A write to the socket costs more than building a statement: those that are sent together are written once.
  private cork(): void {
    if (this.corked) return;
    this.corked = true;
    const { stream } = this.client.connection;
    stream.cork();
    setImmediate(() => {
      this.corked = false;
      stream.uncork();
    });
  }

  private sendEach(statements: readonly Statement[]): Promise<unknown>[] {
    return statements.map(({ sql, params }) => this.execute(sql, params));
  }

  // A failed statement would abort the transaction: use a savepoint. The three statements are pipelined.
  private async withSavepoint(sql: string, params: readonly Bound[]): Promise<Response> {
    const [, ran] = await Promise.allSettled([
      this.exec('SAVEPOINT s'),
      this.execute(sql, params),
      this.exec('RELEASE SAVEPOINT s'),
    ]);
    if (ran.status === 'fulfilled') return ran.value;
    await this.exec('ROLLBACK TO SAVEPOINT s');
    this.cause = undefined;
    throw ran.reason;
  }

  private async execute(sql: string, params: readonly Bound[]): Promise<Response> {
    checkSize(params, STATEMENT_BYTES);
    const { generation } = this.database;
    const query = new PreparedQuery(sql, params, this.database.isNamed(sql), generation);
    try {
      return await this.timed(sql, this.client.query(query).response);
    } catch (error) {
      if (isOutdated(error)) this.database.outdate(generation);
      throw error;
    }
  }

  private async timed<T>(sql: string, response: Promise<T>): Promise<T> {
    const start = performance.now();
    const longTimer = reportIfLong(this.options, sql);
    try {
      return await response;
    } catch (error) {
      throw await this.causeOf(error);
    } finally {
      clearTimeout(longTimer);
      report(this.options, sql, performance.now() - start);
    }
  }

  /**
   * The error to report for that of a statement: a statement that fails only because of another one, sent together with
   * it, may be awaited first.
   */
  private async causeOf(error: unknown): Promise<unknown> {
    if (isConsequence(error)) {
      await nextTurn();
      return this.cause ?? error;
    }
    // A duplicate key is an expected error of the insert alone.
    if (this.inTransaction && !isDuplicate(error)) this.cause ??= error;
    return error;
  }
}
