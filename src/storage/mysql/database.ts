// Connection pool of a MySQL or MariaDB server: owned by TypeORM's DataSource; statements go directly to the driver.
import type { DataSource, EntitySchema } from 'typeorm';
import {
  COMMAND_LOCK_MS,
  type Database,
  faultOf,
  GRANT,
  isForbidden,
  LOCK_MS,
  MAY_LOSE,
  type PoolOptions,
  READING_MS,
  type Session,
} from '../pool/database.js';
import { firstReachable, Hosts } from '../pool/hosts.js';
import { speaksPostgres, OtherServer } from '../pool/other-server.js';
import { StartupError } from '../../errors/problem.js';
import { UniqueViolation } from '../sql/connection.js';
import type { Dialect } from '../sql/dialect.js';
import { WRITTEN_BY_ALL } from '../sql/data-version.js';
import { retryChange, waitForLock } from '../sql/retry.js';
import { CLUSTER_VARIABLES, flavourOf, type MysqlFlavour } from './flavour.js';
import { MysqlSession, type RawConnection, statementBytes } from './session.js';
import { mysqlDataSource, type Target } from './data-source.js';
import {
  isConcurrentChange,
  isInterrupted,
  isLost,
  isMissingTable,
  isReadOnly,
  isTimedOut,
  isTransient,
} from './errors.js';
import { MAX_WAIT_SECONDS, waitForTables } from './migration.js';
import type { Host, ServerAddress } from '../pool/database-url.js';

/** Maximum number of attempts at a schema change while another node of a cluster makes the same one. */
const CONFLICT_ATTEMPTS = 60;
/**
 * Consecutive refusals of the same step after which a cluster gives up; a single one may result from the change of
 * another node.
 */
const SAME_REFUSALS = 6;
/** Names of the GET_LOCK locks, which are server-wide: each database has its own. */
const LOCKS = {
  schema: `CONCAT('typecase.schema.', CRC32(DATABASE()))`,
  texts: `CONCAT('typecase.texts.', CRC32(DATABASE()))`,
};

/** Longest wait of one request for such a lock. */
const NAMED_LOCK_SECONDS = 600;

/** Longest wait of a statement for a row or a table, in whole seconds. */
const LOCK_SECONDS = Math.ceil(LOCK_MS / 1000);

/** The largest value of group_concat_max_len that all versions accept. */
const MAX_CONCAT_BYTES = 2 ** 32 - 1;

/** See `Database`. Several hosts are tried in order, starting with the last one that worked. */
export class MysqlDatabase implements Database {
  /** All errors of a closed pool count as lost: its process is stopping. */
  readonly isLost = (error: unknown): boolean => isLost(error) || !this.source.isInitialized;
  readonly isReadOnly = isReadOnly;
  readonly isTimedOut = isTimedOut;
  /** Initialized connections. */
  private readonly ready = new WeakSet<RawConnection>();
  private flavour: MysqlFlavour = {
    mariadb: true,
    collation: 'utf8mb4_nopad_bin',
    sideBySide: true,
    maxPacket: 16 * 1024 ** 2,
    several: false,
    prepares: true,
  };
  /** Set once the server version is known. */
  dialect!: Dialect;

  private constructor(
    readonly source: DataSource,
    private readonly target: Target,
    private readonly options: PoolOptions,
  ) {}

  /** Connects to the first reachable host. Throws the driver's error when there is none. */
  static async open(address: ServerAddress, options: PoolOptions, entities: EntitySchema[]): Promise<MysqlDatabase> {
    const openOn = async (host: Host) => {
      const database = await MysqlDatabase.openAs('mysql', address, host, options, entities);
      if (!database.flavour.mariadb) return database;
      // TypeORM must know which of the two servers it is.
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
    const target: Target = { hosts: new Hosts(address.hosts, host), hostOfConnection: new Map(), idle: new Set() };
    const source = mysqlDataSource(type, address, target, options, entities);
    const database = new MysqlDatabase(source, target, options);
    try {
      await source.initialize().catch(async (error: unknown) => {
        // A server that accepts a connection and sends nothing may be PostgreSQL.
        const isSilent = faultOf(error).code === 'ETIMEDOUT';
        throw isSilent && (await speaksPostgres(host)) ? new OtherServer(host, 'postgres') : error;
      });
      await database.detectFlavour();
      return database;
    } catch (error) {
      if (source.isInitialized) await source.destroy().catch(() => undefined);
      throw error;
    }
  }

  get statementBytes(): number {
    return statementBytes(this.flavour);
  }

  get readsTogether(): boolean {
    return this.flavour.several;
  }

  get collation(): string {
    return this.flavour.collation;
  }

  /** Whether transactions can run side by side. */
  get sideBySide(): boolean {
    return this.flavour.sideBySide;
  }

  connect(): Promise<MysqlSession> {
    return this.target.hosts.connect(() => this.next(), isLost);
  }

  async exclusive<T>(work: (session: Session) => Promise<T>, what: keyof typeof LOCKS = 'schema'): Promise<T> {
    // The next plan leaves out the steps that another node has completed.
    let [refused, times] = ['', 0];
    const isRetryable = (error: unknown): boolean => {
      if (!(error instanceof StartupError)) return error instanceof UniqueViolation || isConcurrentChange(error);
      // A repeated refusal does not result from the change of another node.
      times = error.message === refused ? times + 1 : 1;
      refused = error.message;
      return times < (this.flavour.sideBySide ? 2 : SAME_REFUSALS) && isConcurrentChange(error.cause);
    };
    const change = () => retryChange(() => this.attempt(work, what), isRetryable, CONFLICT_ATTEMPTS);
    return this.target.hosts.writing(change, isReadOnly);
  }

  private async attempt<T>(work: (session: Session) => Promise<T>, what: keyof typeof LOCKS): Promise<T> {
    const session = await this.connect();
    try {
      await session.unlimited();
      await session.exec(waitForTables(MAX_WAIT_SECONDS));
      await waitForLock(() => acquireLock(session, LOCKS[what]), this.options.onLocked);
      // Each DDL statement commits; writes between them are committed at the end.
      await session.exec('SET autocommit = 0');
      const result = await work(session);
      await session.commit();
      return result;
    } finally {
      // The connection is closed, which resets its settings and releases its lock.
      session.release(true);
    }
  }

  async unsafeSettings(): Promise<string[]> {
    const session = await this.connect();
    try {
      const wanted = `@@innodb_flush_log_at_trx_commit, @@log_bin, @@sync_binlog`;
      const [[flush, binlog, sync] = []] = await session.rows(`SELECT ${wanted}`, []);
      const weak = flush === 1 ? [] : [`innodb_flush_log_at_trx_commit is ${flush}, 1 is safe: ${MAY_LOSE}`];
      return binlog === 1 && sync !== 1 ? [...weak, `sync_binlog is ${sync}, 1 is safe: ${MAY_LOSE}`] : weak;
    } catch {
      // Some MySQL-compatible servers lack these variables.
      return [];
    } finally {
      session.release(false);
    }
  }

  readOnlyReason(): Promise<string | undefined> {
    return this.target.hosts.readOnlyReason(() => this.hostReadOnlyReason());
  }

  private async hostReadOnlyReason(): Promise<string | undefined> {
    const session = await this.connect();
    let broken = true;
    try {
      // Privileged users may write nevertheless, so the variable alone is not conclusive.
      await session.exec('START TRANSACTION READ WRITE');
      // Changes nothing, but is refused like any write. Reading the rights is harder, because of roles and partial
      // grants.
      await session.exec(`UPDATE ${WRITTEN_BY_ALL} SET n = n WHERE 1 = 0`);
      await session.rollback();
      broken = false;
      return undefined;
    } catch (error) {
      if (isForbidden(error)) return `${faultOf(error).message}: ${GRANT}`;
      // No site has been started on this database, or another session has locked the table.
      if (isMissingTable(error) || isTransient(error)) return undefined;
      if (!isReadOnly(error)) throw error;
      return `${faultOf(error).message}: set read_only to OFF, or name its primary`;
    } finally {
      session.release(broken);
    }
  }

  connections(): { open: number; idle: number } {
    return { open: this.target.hostOfConnection.size, idle: this.target.idle.size };
  }

  async close(): Promise<void> {
    await this.source.destroy();
  }

  private async next(): Promise<MysqlSession> {
    for (;;) {
      const raw = await this.acquire();
      const { hostOfConnection, hosts } = this.target;
      // The pool may have gone on to another host while the connection was made.
      const host = hostOfConnection.get(raw.config) ?? hosts.current;
      if (host === hosts.current) return this.ready.has(raw) ? this.session(raw, host) : this.prepared(raw, host);
      // It belongs to a host that is no longer used.
      this.session(raw, host).release(true);
    }
  }

  private async acquire(): Promise<RawConnection> {
    const raw: RawConnection = await this.source.createQueryRunner().connect();
    this.target.idle.delete(raw.config);
    return raw;
  }

  private async prepared(raw: RawConnection, host: Host): Promise<MysqlSession> {
    const { mariadb } = this.flavour;
    const { statementMs = READING_MS } = this.options;
    const limit = mariadb ? `max_statement_time = ${statementMs / 1000}` : `max_execution_time = ${statementMs}`;
    const mode = `sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'`;
    // The ids of a relation are read as one text: MySQL would end it at 1 KiB, MariaDB at 1 MiB.
    const concatLimit = `group_concat_max_len = ${MAX_CONCAT_BYTES}`;
    // Without a statement timeout, this is a command, which waits longer for locks.
    const locks = statementMs === 0 ? COMMAND_LOCK_MS / 1000 : LOCK_SECONDS;
    const session = this.session(raw, host);
    try {
      await session.exec('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
      await session.exec(
        `SET SESSION ${mode}, SESSION innodb_lock_wait_timeout = ${locks}, SESSION lock_wait_timeout = ${locks}, SESSION ${concatLimit}, SESSION ${limit}`,
      );
    } catch (error) {
      session.release(true);
      throw error;
    }
    this.ready.add(raw);
    return session;
  }

  private session(raw: RawConnection, host: Host): MysqlSession {
    const { hosts, hostOfConnection, idle } = this.target;
    const refused = (error: unknown): void => {
      if (isReadOnly(error)) hosts.failOver(host);
    };
    const released = (broken: boolean): void => {
      if (!broken && hostOfConnection.has(raw.config)) idle.add(raw.config);
    };
    return new MysqlSession(raw, this.flavour, this.options, () => this.dialect, refused, released);
  }

  private async detectFlavour(): Promise<void> {
    const raw = await this.acquire();
    const session = this.session(raw, this.target.hosts.current);
    const [row] = await session.rows('SELECT VERSION(), @@max_allowed_packet', []);
    const variables = await session.rows(CLUSTER_VARIABLES, []);
    const together = await session.exec('DO 1; DO 2').then(
      () => true,
      () => false,
    );
    session.release(false);
    this.flavour = flavourOf(String(row![0]), Number(row![1]), variables, together);
  }
}

/**
 * Takes a GET_LOCK lock, however long another process holds it. In a cluster it holds on one node only (see `exclusive`),
 * and not every MySQL-compatible server has it.
 */
async function acquireLock(session: MysqlSession, lock: string): Promise<void> {
  for (;;) {
    const [[acquired] = []] = await session
      .rows(`SELECT GET_LOCK(${lock}, ${NAMED_LOCK_SECONDS})`, [])
      .catch((error) => (isInterrupted(error) ? [[null]] : []));
    // 0: the wait timed out; null: somebody ended the statement. The other process still holds the lock.
    if (acquired !== 0 && acquired !== null) return;
  }
}
