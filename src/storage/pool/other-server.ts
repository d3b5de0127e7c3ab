// Detects that the server on a port is of the other engine. MySQL sends a greeting to new connections, PostgreSQL waits
// for the client: a client of one would wait forever for the other, or take its greeting for a malformed response.
import { connect } from 'node:net';
import type { Host } from './database-url.js';

/** The error for a server of the other engine; `faultOf` and `asStartupError` treat it like an error of the driver. */
export class OtherServer extends Error {
  readonly code: 'IS_MYSQL' | 'IS_POSTGRES';

  constructor({ host, port }: Host, engine: 'mysql' | 'postgres') {
    super(`${host}:${port} is ${engine === 'mysql' ? 'a MySQL or MariaDB' : 'a PostgreSQL'} server`);
    this.code = engine === 'mysql' ? 'IS_MYSQL' : 'IS_POSTGRES';
  }
}

/** Timeout of the probe. */
const RESPONSE_TIMEOUT_MS = 2_000;

/** The TLS request of PostgreSQL clients: length 8, then the code of the request. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Whether the first bytes of a connection are those of MySQL: a first packet with protocol 10, or with an error. */
export function isMysqlGreeting(first: Buffer): boolean {
  return first.length > 4 && first[2] === 0 && first[3] === 0 && (first[4] === 10 || first[4] === 0xff);
}

/** Whether a host responds to a request for TLS as PostgreSQL does. A MySQL server would count it as a failed login. */
export async function speaksPostgres(host: Host): Promise<boolean> {
  const socket = connect({ ...host, timeout: RESPONSE_TIMEOUT_MS });
  const response = await new Promise<string>((resolve) => {
    const nothing = () => resolve('');
    socket.once('data', (bytes) => resolve(bytes.toString('latin1')));
    socket.on('error', nothing).once('close', nothing).once('timeout', nothing);
    socket.write(SSL_REQUEST);
  });
  socket.destroy();
  return response === 'S' || response === 'N';
}
