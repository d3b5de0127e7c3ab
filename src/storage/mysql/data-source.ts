// TypeORM's data source of a MySQL or MariaDB server: options of the driver and its connections.
import { connect, isIP, type Socket } from 'node:net';
import { format, type SqlValue, type Timezone } from 'mysql2';
import { DataSource, type EntitySchema } from 'typeorm';
import type { Hosts } from '../pool/hosts.js';
import { CONNECT_MS, type PoolOptions } from '../pool/database.js';
import type { Host, ServerAddress } from '../pool/database-url.js';

/** Prepared statements per connection; the server limits their total. */
const STATEMENTS = 400;
/** Keep-alive of connections: milliseconds until the first probe. */
const KEEP_ALIVE_MS = 10_000;

/** Where connections go, shared by a pool and its `MysqlDatabase`. */
export interface Target {
  hosts: Hosts;
  /** The host of each open connection, by its options. */
  hostOfConnection: Map<object, Host>;
  /** Options of the idle connections. */
  idle: Set<object>;
}

/** The data source of a server; its new connections go to the current host of the target. */
export function mysqlDataSource(
  type: 'mysql' | 'mariadb',
  address: ServerAddress,
  target: Target,
  options: PoolOptions,
  entities: EntitySchema[],
): DataSource {
  const tls = address.tls && tlsByHost(address.tls);
  return new DataSource({
    type,
    ...target.hosts.current,
    database: address.database,
    ...(address.user === undefined ? {} : { username: address.user }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(tls ? { ssl: tls(target.hosts.current) } : {}),
    entities,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    connectTimeout: CONNECT_MS,
    supportBigNumbers: false,
    bigNumberStrings: false,
    // Strings with several statements contain only literals that mean the same in every SQL mode (inlined.ts).
    multipleStatements: true,
    synchronize: false,
    logging: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: {
      stringifyObjects: true,
      namedPlaceholders: false,
      // Statements without values are sent unchanged; the driver would look for placeholders in them.
      queryFormat: (sql: string, values: SqlValue[], timezone: Timezone) =>
        values.length === 0 ? sql : format(sql, values, true, timezone),
      dateStrings: true,
      connectionLimit: options.size,
      // Close idle connections before the server does.
      maxIdle: Math.ceil(options.size / 2),
      idleTimeout: 60_000,
      stream: ({ config }: { config: Host }) => {
        const host = target.hosts.current;
        target.hostOfConnection.set(config, host);
        return openSocket(Object.assign(config, host, tls && { ssl: tls(host) })).once('close', () => {
          target.hostOfConnection.delete(config);
          target.idle.delete(config);
        });
      },
      maxPreparedStatements: STATEMENTS,
      flags: ['-LOCAL_FILES'],
    },
  });
}

/** The TLS options of a host. mysql2 verifies the host name in a certificate, but cannot verify an IP address. */
function tlsByHost(tls: NonNullable<ServerAddress['tls']>): (host: Host) => object {
  const [named, other] = [tls.rejectUnauthorized, false].map((verifyIdentity) => ({ ...tls, verifyIdentity }));
  return ({ host }) => (isIP(host) === 0 ? named! : other!);
}

/**
 * The socket of a new connection, made here because the pool itself cannot change its host. For TLS, the connection
 * reads the host from its options again.
 */
function openSocket({ host, port }: Host): Socket {
  return connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
}
