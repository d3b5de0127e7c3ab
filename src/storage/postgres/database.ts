// Connection pool of a PostgreSQL server: owned by TypeORM's DataSource; statements go directly to the driver.
import { Socket } from 'node:net';
import { Client, type ClientConfig, type Pool } from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import {
  COMMAND_LOCK_MS,
  CONNECT_MS,
  type Database,
  GRANT,
  LOCK_MS,
  MAY_LOSE,
  type PoolOptions,
  type Session,
  STATEMENT_MS,
} from '../pool/database.js';
import { firstReachable, Hosts } from '../pool/hosts.js';
import { isMysqlGreeting, OtherServer } from '../pool/other-server.js';
import type { Dialect } from '../sql/dialect.js';
import { WRITTEN_BY_ALL } from '../sql/data-version.js';
import { retryChange, waitForLock } from '../sql/retry.js';
import { TRIGRAM_CLASS } from './ddl.js';
import { NUMBERS } from './prepared-query.js';
import { PostgresSession, type RawClient, STATEMENT_BYTES } from './session.js';
import { isLost, isReadOnly, isTimedOut, isTransient } from './errors.js';
import type { Host, ServerAddress } from '../pool/database-url.js';

/** Prepared statements per connection; further statements are planned each time. */
const STATEMENTS = 1_000;
/** Key of the advisory lock: arbitrary, but the same in all processes. */
const STARTUP_LOCK = 7_238_201_543;

/**
 * Sets up a session, unless the operator has configured these settings. Stored texts are compressed with LZ4, if the
 * server supports it: reading a text of 2 KB takes about half the time of PostgreSQL's own method, and writing less,
 * too; existing values are unchanged. JIT compilation is off: for the statements of a request it takes longer than
 * running them (docs/architecture.md, Storage).
 */
const SESSION_SETTINGS = `SELECT set_config(name, CASE name WHEN 'jit' THEN 'off' ELSE 'lz4' END, false) FROM pg_settings
  WHERE source = 'default' AND (name = 'jit' OR name = 'default_toast_compression' AND 'lz4' = ANY(enumvals))`;

/** With another encoding, letters that it lacks cannot be stored, or lengths are those of bytes. */
const ENCODING_HINT = `which does not hold every text: load a dump into a database made with ENCODING 'UTF8' TEMPLATE template0`;

/** Whether the user may write to the site, or create one where there is none. */
const MAY_WRITE = `SELECT CASE WHEN t.oid IS NULL THEN COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false)
  ELSE has_table_privilege(t.oid, 'INSERT') AND has_table_privilege(t.oid, 'UPDATE') END
  FROM (SELECT MAX(oid) AS oid FROM pg_class
    WHERE relname = '${WRITTEN_BY_ALL}' AND relnamespace = current_schema()::regnamespace) AS t`;

/** The operator class of trigram indexes. The extension may be in a schema that is not in the search path. */
const TRIGRAMS = `SELECT CASE WHEN n.nspname = ANY(current_schemas(false)) THEN '${TRIGRAM_CLASS}' ELSE format('%I.${TRIGRAM_CLASS}', n.nspname) END
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'`;

/** Whether the user may create the extension. */
const MAY_MAKE_TRIGRAMS = `SELECT bool_or(r.rolsuper OR has_database_privilege(current_database(), 'CREATE') AND (v.trusted OR NOT v.superuser))
  FROM pg_available_extension_versions v, pg_roles r WHERE v.name = 'pg_trgm' AND r.rolname = current_user`;

/** Maximum number of attempts at a schema change that deadlocks with writers. */
const DEADLOCK_ATTEMPTS = 20;

/** Where connections go, shared by a pool and its `PostgresDatabase`. */
interface Target {
  hosts: Hosts;
  /** The host of each connection. */
  hostOfConnection: WeakMap<object, Host>;
  /** Set when its greeting shows that the server is not PostgreSQL. */
  other?: OtherServer;
}

/** See `Database`. Several hosts are tried in order, starting with the last one that worked. */
export class PostgresDatabase implements Database {
  /** All errors of a closed pool count as lost: its process is stopping. */
  readonly isLost = (error: unknown): boolean => isLost(error) || !this.source.isInitialized;
  readonly isReadOnly = isReadOnly;
  readonly isTimedOut = isTimedOut;
  readonly statementBytes = STATEMENT_BYTES;
  private readonly named = new Set<string>();
  /** See `PreparedQuery`. */
  generation = 0;
  /** Set once the server version is known. */
  dialect!: Dialect;

  private constructor(
    readonly source: DataSource,
    private readonly target: Target,
    private readonly options: PoolOptions,
  ) {}

  /** Connects to the first reachable host. Throws the driver's error when there is none. */
  static async open(address: ServerAddress, options: PoolOptions, entities: EntitySchema[]): Promise<PostgresDatabase> {
    const openOn = async (host: Host) => {
      const target: Target = { hosts: new Hosts(address.hosts, host), hostOfConnection: new WeakMap() };
      const source = sourceOf(address, target, options, entities);
      await source.initialize().catch((error: unknown) => {
        throw target.other ?? error;
      });
      return new PostgresDatabase(source, target, options);
    };
    return firstReachable(address.hosts, openOn, isLost);
  }

  /**
   * The operator class of trigram indexes, if pg_trgm is available: `make` creates the extension if allowed, `expect`
   * only checks whether it could be created.
   */
  async trigrams(use: 'make' | 'expect' | 'use'): Promise<string | null> {
    const session = await this.connect();
    const read = async (sql: string) => String((await session.rows(sql, []))[0]?.[0] ?? '');
    try {
      const existing = await read(TRIGRAMS);
      if (existing || use === 'use') return existing || null;
      if (use === 'expect') return (await read(MAY_MAKE_TRIGRAMS)) === 't' ? TRIGRAM_CLASS : null;
      // A process that changes the tables may hold the lock for long.
      await session.exec('SET statement_timeout = 0; SET lock_timeout = 0');
      await session.rows('SELECT pg_advisory_lock($1)', [STARTUP_LOCK]);
      await session.exec('CREATE EXTENSION IF NOT EXISTS pg_trgm');
      return await read(TRIGRAMS);
    } catch {
      return null;
    } finally {
      session.release(true);
    }
  }

  connect(): Promise<PostgresSession> {
    return this.target.hosts.connect(() => this.session(), isLost);
  }

  async exclusive<T>(work: (session: Session) => Promise<T>): Promise<T> {
    // A schema change holds the locks of its tables while it waits for writers, which may want these tables.
    const change = () => retryChange(() => this.attempt(work), isTransient, DEADLOCK_ATTEMPTS);
    return this.target.hosts.writing(change, isReadOnly);
  }

  private async attempt<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.connect();
    try {
      await session.exec('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
      const lock = () => session.rows('SELECT pg_advisory_xact_lock($1)', [STARTUP_LOCK]);
      await waitForLock(lock, this.options.onLocked);
      const result = await work(session);
      await session.commit();
      return result;
    } finally {
      session.release(true);
    }
  }

  /** Sends new connections to another host than this one, which accepts no writes. */
  failOver(host: Host): void {
    this.target.hosts.failOver(host);
  }

  async unsafeSettings(): Promise<string[]> {
    const session = await this.connect();
    try {
      const settings = ['fsync', 'synchronous_commit', 'full_page_writes'];
      const values = settings.map((name) => `current_setting('${name}', true)`);
      const [[encoding, ...row] = []] = await session.rows(
        `SELECT current_setting('server_encoding'), ${values.join(', ')}`,
        [],
      );
      const weak = settings.flatMap((name, i) => (row[i] === 'off' ? [`${name} is off, on is safe: ${MAY_LOSE}`] : []));
      return encoding === 'UTF8' ? weak : [`server_encoding is ${String(encoding)}, ${ENCODING_HINT}`, ...weak];
    } finally {
      session.release(false);
    }
  }

  readOnlyReason(): Promise<string | undefined> {
    return this.target.hosts.readOnlyReason(() => this.hostReadOnlyReason());
  }

  private async hostReadOnlyReason(): Promise<string | undefined> {
    const session = await this.connect();
    try {
      const wanted = `pg_is_in_recovery(), current_setting('transaction_read_only')`;
      const [[standby, closed] = []] = await session.rows(`SELECT ${wanted}`, []);
      if (standby === 't') return 'it is a standby: promote it, or name its primary';
      if (closed === 'on') return 'default_transaction_read_only is on: turn it off';
      const [[allowed] = []] = await session.rows(MAY_WRITE, []);
      return allowed === 't' ? undefined : `its user may not write: ${GRANT}`;
    } finally {
      session.release(false);
    }
  }

  connections(): { open: number; idle: number } {
    const { master } = this.source.driver as PostgresDriver;
    const pool = master as Pool | undefined;
    return { open: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0 };
  }

  async close(): Promise<void> {
    await this.source.destroy();
  }

  /** Whether connections keep a prepared statement. */
  isNamed(sql: string): boolean {
    if (this.named.size < STATEMENTS) this.named.add(sql);
    return this.named.has(sql);
  }

  /** Has all connections prepare their statements again: one of this generation was outdated. */
  outdate(generation: number): void {
    if (generation === this.generation) this.generation += 1;
  }

  private async session(): Promise<PostgresSession> {
    for (;;) {
      const runner = this.source.createQueryRunner();
      const client: RawClient = await runner.connect();
      const { hostOfConnection, hosts } = this.target;
      // The pool may have gone on to another host while the connection was made.
      const host = hostOfConnection.get(client) ?? hosts.current;
      const release = (broken: boolean): void => {
        // The pool drops a client that has ended.
        if (broken) client.end().catch(() => undefined);
        void runner.release();
      };
      if (host === hosts.current) return new PostgresSession(client, release, host, this, this.options);
      // It belongs to a host that is no longer used.
      release(true);
    }
  }
}

/** Numeric types are parsed as numbers, everything else stays text. */
const types = {
  getTypeParser: (oid: number) => (NUMBERS.has(oid) ? Number : (text: string) => text),
};
function sourceOf(address: ServerAddress, target: Target, options: PoolOptions, entities: EntitySchema[]): DataSource {
  return new DataSource({
    type: 'postgres',
    ...target.hosts.current,
    database: address.database,
    ...(address.user === undefined ? {} : { username: address.user }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { ssl: address.tls } : {}),
    entities,
    connectTimeoutMS: CONNECT_MS,
    applicationName: 'typecase',
    installExtensions: false,
    poolErrorHandler: () => undefined,
    synchronize: false,
    logging: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: {
      max: options.size,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      statement_timeout: options.statementMs ?? STATEMENT_MS,
      lock_timeout: options.statementMs === 0 ? COMMAND_LOCK_MS : LOCK_MS,
      idle_in_transaction_session_timeout: 60_000,
      // Pipelining: independent statements of one transaction are sent together.
      pipeline: true,
      Client: clientFor(target),
      types,
    },
  });
}

/**
 * The class of the pool's clients: each connects to the current host, because the pool itself cannot change its host.
 */
function clientFor(target: Target): typeof Client {
  return class extends Client {
    constructor(config: ClientConfig) {
      const host = target.hosts.current;
      super({ ...config, ...host, stream: () => socketTo(target, host) });
      target.hostOfConnection.set(this, host);
      // From the start: an error between two statements, or right after connecting, would otherwise end the process.
      this.on('error', () => undefined);
      // Sent before the first statement of the connection, and not awaited.
      this.once('connect', () => void this.query(SESSION_SETTINGS).catch(() => undefined));
    }
  };
}

/** A socket that ends when it receives a greeting of MySQL, which the driver could misread as an incomplete message. */
function socketTo(target: Target, host: Host): Socket {
  return new Socket().once('data', function (this: Socket, first: Buffer) {
    if (isMysqlGreeting(first)) this.destroy((target.other = new OtherServer(host, 'mysql')));
  });
}
