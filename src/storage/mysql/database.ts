// Connection pool of a MySQL or MariaDB server: owned by TypeORM's DataSource; statements go directly to the driver.
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntitySchema } from 'typeorm';
import {
  CONNECT_MS,
  type Database,
  firstReachable,
  type PoolOptions,
  READING_MS,
  type Session,
} from '../pool/database.js';
import { UniqueViolation } from '../sql/connection.js';
import type { Dialect } from '../sql/dialect.js';
import { type MysqlFlavour, MysqlSession, type RawConnection, statementBytes } from './session.js';
import { isLost, isReadOnly, isRivalled, isTimedOut } from './errors.js';
import type { Host, ServerAddress } from '../pool/database-url.js';

/** Prepared statements per connection; the server limits their total. */
const STATEMENTS = 400;
/**
 * Retries of schema changes when another node of a cluster makes the same ones, and the longest pause between, in
 * milliseconds.
 */
const RIVAL_TRIES = 60;
const RIVAL_PAUSE = 1_000;
const BOOT_LOCK = 'typecase.schema';

/** The part of mysql2's pool that names its host: neither TypeORM nor mysql2 can change the host of a pool. */
interface RawPool {
  config: { connectionConfig: { host: string; port: number } };
}

/** See `Database`. Several hosts are tried in order, starting with the last one that worked. */
export class MysqlDatabase implements Database {
  readonly lost = isLost;
  readonly timedOut = isTimedOut;
  /** Initialized connections and their host. */
  private readonly ready = new WeakMap<RawConnection, number>();
  private at = 0;
  private flavour: MysqlFlavour = { mariadb: true, collation: 'utf8mb4_nopad_bin', maxPacket: 16 * 1024 ** 2 };
  /** Set once the server version is known. */
  dialect!: Dialect;

  private constructor(
    readonly source: DataSource,
    private readonly hosts: readonly Host[],
    private readonly options: PoolOptions,
  ) {}

  /** Connects to the first reachable host. Throws the driver's error when there is none. */
  static async open(address: ServerAddress, options: PoolOptions, entities: EntitySchema[]): Promise<MysqlDatabase> {
    const openOn = async (host: Host) => {
      const database = await MysqlDatabase.openAs('mysql', address, host, options, entities);
      if (!database.flavour.mariadb) return database;
      // TypeORM has to be told which of the two servers it is.
      await database.close();
      return MysqlDatabase.openAs('mariadb', address, host, options, entities);
    };
    return firstReachable(address.hosts, openOn, isLost);
  }

  private static async openAs(
    type: 'mysql' | 'mariadb',
    address: ServerAddress,
    host: Host,
    options: PoolOptions,
    entities: EntitySchema[],
  ): Promise<MysqlDatabase> {
    const source = sourceOf(type, address, host, options, entities);
    const database = new MysqlDatabase(source, address.hosts, options);
    try {
      await source.initialize();
      database.at = address.hosts.indexOf(host);
      await database.ask();
      return database;
    } catch (error) {
      if (source.isInitialized) await source.destroy().catch(() => undefined);
      throw error;
    }
  }

  get statementBytes(): number {
    return statementBytes(this.flavour);
  }

  get collation(): string {
    return this.flavour.collation;
  }

  async connect(): Promise<MysqlSession> {
    for (let tries = 1; ; tries++) {
      const host = this.at;
      try {
        return this.session(await this.raw());
      } catch (error) {
        if (!isLost(error) || tries >= this.hosts.length) throw error;
        this.turn(host);
      }
    }
  }

  async alone<T>(work: (session: Session) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.once(work);
      } catch (error) {
        const rivalled = error instanceof UniqueViolation || isRivalled(error);
        if (!rivalled || tries >= RIVAL_TRIES) throw error;
        // Steps that the other node has completed are not planned again.
        await sleep(Math.random() * RIVAL_PAUSE);
      }
    }
  }

  private async once<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.connect();
    try {
      await session.unlimited();
      await session.exec('SET SESSION lock_wait_timeout = 600');
      // In a cluster the lock holds on one node only: see `alone`.
      await session.rows(`SELECT GET_LOCK('${BOOT_LOCK}', 600)`, []).catch(() => undefined);
      // Each DDL statement commits; writes between them are committed at the end.
      await session.exec('SET autocommit = 0');
      const answer = await work(session);
      await session.commit();
      return answer;
    } finally {
      // Closing the connection resets its settings and releases its lock.
      session.release(true);
    }
  }

  /** Switches new connections to the next host, unless another caller has already done so. */
  turn(from: number): void {
    if (from !== this.at) return;
    this.at = (this.at + 1) % this.hosts.length;
    const { pool } = this.source.driver as unknown as { pool: RawPool };
    Object.assign(pool.config.connectionConfig, this.hosts[this.at]);
  }

  async weaknesses(): Promise<string[]> {
    const session = await this.connect();
    try {
      const wanted = `@@innodb_flush_log_at_trx_commit, @@log_bin, @@sync_binlog`;
      const [[flush, binlog, sync] = []] = await session.rows(`SELECT ${wanted}`, []);
      const weak = flush === 1 ? [] : [`innodb_flush_log_at_trx_commit is ${flush}, 1 is safe`];
      return binlog === 1 && sync !== 1 ? [...weak, `sync_binlog is ${sync}, 1 is safe`] : weak;
    } catch {
      // Not every MySQL-compatible server has these variables.
      return [];
    } finally {
      session.release(false);
    }
  }

  async close(): Promise<void> {
    await this.source.destroy();
  }

  private async raw(): Promise<RawConnection> {
    for (;;) {
      const raw = await this.take();
      const host = this.ready.get(raw);
      if (host === this.at) return raw;
      if (host === undefined) return this.prepared(raw);
      // It belongs to a host that is no longer used.
      raw.destroy();
    }
  }

  private async take(): Promise<RawConnection> {
    return this.source.createQueryRunner().connect();
  }

  private async prepared(raw: RawConnection): Promise<RawConnection> {
    const { mariadb } = this.flavour;
    const { statementMs = READING_MS } = this.options;
    const limit = mariadb ? `max_statement_time = ${statementMs / 1000}` : `max_execution_time = ${statementMs}`;
    const mode = `sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'`;
    try {
      const session = this.session(raw);
      await session.exec('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
      await session.exec(`SET SESSION ${mode}, SESSION innodb_lock_wait_timeout = 5, SESSION ${limit}`);
    } catch (error) {
      raw.destroy();
      throw error;
    }
    this.ready.set(raw, this.at);
    return raw;
  }

  private session(raw: RawConnection): MysqlSession {
    const host = this.at;
    const refused = (error: unknown): void => {
      if (isReadOnly(error)) this.turn(host);
    };
    return new MysqlSession(raw, this.flavour, this.options, () => this.dialect, refused);
  }

  private async ask(): Promise<void> {
    const raw = await this.take();
    const [row] = await this.session(raw).rows('SELECT VERSION(), @@max_allowed_packet', []);
    raw.release();
    const mariadb = /mariadb/i.test(String(row![0]));
    const collation = mariadb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
    this.flavour = { mariadb, collation, maxPacket: Number(row![1]) };
  }
}

function sourceOf(
  type: 'mysql' | 'mariadb',
  address: ServerAddress,
  { host, port }: Host,
  options: PoolOptions,
  entities: EntitySchema[],
): DataSource {
  return new DataSource({
    type,
    host,
    port,
    database: address.database,
    ...(address.user === undefined ? {} : { username: address.user }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { ssl: address.tls } : {}),
    entities,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    connectTimeout: CONNECT_MS,
    supportBigNumbers: false,
    bigNumberStrings: false,
    multipleStatements: false,
    synchronize: false,
    logging: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: {
      stringifyObjects: true,
      namedPlaceholders: false,
      dateStrings: true,
      connectionLimit: options.size,
      // Close idle connections before the server does.
      maxIdle: Math.ceil(options.size / 2),
      idleTimeout: 60_000,
      enableKeepAlive: true,
      keepAliveInitialDelay: 10_000,
      maxPreparedStatements: STATEMENTS,
      flags: ['-LOCAL_FILES'],
    },
  });
}
