// One connection to MySQL or MariaDB: statements prepared by the driver, rows as arrays. Handed out by mysql.database.ts.
import { ResourceError } from '../errors/resource-error.js';
import { type Bound, type Ran, UniqueViolation } from './connection.js';
import type { PoolOptions, Session } from './database.js';
import type { Dialect } from './dialect.js';

/** What of a connection of mysql2 is used. */
export interface RawConnection {
  execute(options: object, done: (error: Error | null, answer: unknown) => void): void;
  query(options: object, done: (error: Error | null, answer: unknown) => void): void;
  release(): void;
  destroy(): void;
}

/** What the server is and allows. */
export interface MysqlFlavour {
  mariadb: boolean;
  collation: string;
  /** Bytes of the largest statement. */
  maxPacket: number;
}

interface RawStatement {
  sql: string;
  values?: readonly Bound[];
  rowsAsArray?: boolean;
}

/** See `Session`. Values travel apart from the statement, rows come as arrays. */
export class MysqlSession implements Session {
  constructor(
    private readonly raw: RawConnection,
    private readonly flavour: MysqlFlavour,
    private readonly options: PoolOptions,
    private readonly dialect: () => Dialect,
    private readonly refused: (error: unknown) => void,
  ) {}

  async rows(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    return (await this.ask('execute', { sql, values: params, rowsAsArray: true })) as Bound[][];
  }

  async run(sql: string, params: readonly Bound[]): Promise<Ran> {
    this.checkSize(params);
    try {
      const answer = await this.ask('execute', { sql, values: params });
      const { affectedRows = 0, insertId = 0 } = answer as { affectedRows?: number; insertId?: number };
      return { changes: affectedRows, id: insertId };
    } catch (error) {
      this.refused(error);
      const duplicate = this.dialect().duplicate(error, sql);
      throw duplicate ? new UniqueViolation(duplicate.table, duplicate.columns) : error;
    }
  }

  async exec(sql: string): Promise<void> {
    await this.ask('query', { sql });
  }

  begin(): Promise<void> {
    return this.exec('START TRANSACTION');
  }

  async beginSnapshot(): Promise<void> {
    await this.unlimited();
    await this.exec('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await this.exec('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
  }

  commit(): Promise<void> {
    return this.exec('COMMIT');
  }

  rollback(): Promise<void> {
    return this.exec('ROLLBACK');
  }

  /** No limit of time from here on. */
  unlimited(): Promise<void> {
    return this.exec(`SET SESSION ${this.flavour.mariadb ? 'max_statement_time' : 'max_execution_time'} = 0`);
  }

  release(broken: boolean): void {
    if (broken) this.raw.destroy();
    else this.raw.release();
  }

  private ask(how: 'execute' | 'query', statement: RawStatement): Promise<unknown> {
    const start = performance.now();
    return new Promise((resolve, reject) =>
      this.raw[how](statement, (error, answer) => {
        const ms = performance.now() - start;
        if (ms >= (this.options.slowMs ?? 200)) this.options.onSlow?.(statement.sql, ms);
        if (error) reject(error);
        else resolve(answer);
      }),
    );
  }

  // The server would close the connection on what it does not take.
  private checkSize(params: readonly Bound[]): void {
    let size = 0;
    for (const value of params) if (typeof value === 'string') size += value.length;
    if (size * 4 < this.flavour.maxPacket) return;
    const bytes = params.reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 65_536);
    if (bytes > this.flavour.maxPacket) throw new ResourceError('rest_request_too_large');
  }
}
