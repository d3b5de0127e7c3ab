// Parses `mysql://user:password@host1:3306,host2/name?sslmode=require`.
import { readFileSync } from 'node:fs';
import { StartupError } from '../../errors/problem.js';

/** Address of one server of a cluster. */
export interface Host {
  host: string;
  port: number;
}

/** A database server, or the servers of a cluster in the order in which they are tried. */
export interface ServerAddress {
  hosts: readonly Host[];
  user: string | undefined;
  password: string | undefined;
  database: string;
  tls: { rejectUnauthorized: boolean; ca?: string } | undefined;
  /** The address without credentials, for messages. */
  shown: string;
}

/** Parses an address that config has validated. Throws StartupError for invalid TLS settings. */
export function parseServerUrl(url: string, port: number): ServerAddress {
  const [, scheme = '', credentials, hosts = '', database = '', query = ''] =
    /^(\w+):\/\/(?:([^@/]*)@)?([^/]+)\/([^?]+)\??(.*)$/.exec(url) ?? [];
  const [user, password] = (credentials ?? '').split(/:(.*)/s).map(decodeURIComponent);
  return {
    hosts: hosts.split(',').map((each) => hostOf(each, port)),
    user: user || undefined,
    password: password || undefined,
    database: decodeURIComponent(database),
    tls: tlsOf(new URLSearchParams(query)),
    shown: `${scheme}://${hosts}/${database}`,
  };
}

function hostOf(text: string, port: number): Host {
  const [, host = '', own] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  // An IPv6 address is in brackets, and may end in what looks like a port.
  const [, address, its] = /^\[(.*)\](?::(\d+))?$/.exec(text) ?? [];
  return { host: address ?? host, port: Number((address === undefined ? own : its) ?? port) };
}

/**
 * `sslmode` as in libpq: `require` encrypts, `verify-full` also verifies the certificate (against `sslrootcert`) and
 * the host name.
 */
function tlsOf(query: URLSearchParams): ServerAddress['tls'] {
  const mode = query.get('sslmode') ?? 'disable';
  const file = query.get('sslrootcert');
  if (mode === 'disable') return undefined;
  if (mode !== 'require' && mode !== 'verify-full') {
    throw wrongUrl(`sslmode is ${mode}; it may be disable, require or verify-full`);
  }
  return { rejectUnauthorized: mode === 'verify-full', ...(file ? { ca: certificate(file) } : {}) };
}

function certificate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongUrl(`the file of sslrootcert cannot be read: ${(error as Error).message}`);
  }
}

function wrongUrl(message: string): StartupError {
  return new StartupError([{ file: 'environment', path: 'DATABASE_URL', message }]);
}
