// One connection to MySQL or MariaDB: statements prepared by the driver, rows as arrays.
import { type Bound, type Ran, UniqueViolation } from '../sql/connection.js';
import type { PoolOptions, Session } from '../pool/database.js';
import type { Dialect } from '../sql/dialect.js';
import { checkSize } from '../sql/statement-size.js';

/** The part of a mysql2 connection that is used. */
export interface RawConnection {
  execute(options: object, done: (error: Error | null, answer: unknown) => void): void;
  query(options: object, done: (error: Error | null, answer: unknown) => void): void;
  release(): void;
  destroy(): void;
}

/** Type and limits of the server. */
export interface MysqlFlavour {
  mariadb: boolean;
  collation: string;
  /** Bytes of the largest statement (max_allowed_packet). */
  maxPacket: number;
}

interface RawStatement {
  sql: string;
  values?: readonly Bound[];
  rowsAsArray?: boolean;
}

/** Bytes of a packet reserved for the statement itself and the lengths of its values. */
const PACKET_OVERHEAD = 64 * 1024;

/** Bytes of values in the largest statement. */
export function statementBytes({ maxPacket }: MysqlFlavour): number {
  return Math.max(1, maxPacket - PACKET_OVERHEAD);
}

/** See `Session`. Values are sent separately from the statement; rows come as arrays. */
export class MysqlSession implements Session {
  constructor(
    private readonly raw: RawConnection,
    private readonly flavour: MysqlFlavour,
    private readonly options: PoolOptions,
    private readonly dialect: () => Dialect,
    private readonly refused: (error: unknown) => void,
  ) {}

  get statementBytes(): number {
    return statementBytes(this.flavour);
  }

  async rows(sql: string, params: readonly Bound[]): Promise<Bound[][]> {
    checkSize(params, this.statementBytes);
    return (await this.ask('execute', { sql, values: params, rowsAsArray: true })) as Bound[][];
  }

  async run(sql: string, params: readonly Bound[]): Promise<Ran> {
    // The server would close the connection on a larger packet.
    checkSize(params, this.statementBytes);
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

  /** Disables the statement timeout of this session. */
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
}
