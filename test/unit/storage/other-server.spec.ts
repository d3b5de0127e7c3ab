// URLs of the one engine that name a server of the other: PostgreSQL waits for its clients, MySQL greets them.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openStore } from '../../../src/storage/open-store.js';
import { availableEngines } from '../../support/fresh-database.js';

/** The first packet of a MariaDB 10.11. */
const GREETING = Buffer.from(
  '5a0000000a352e352e352d31302e31312e362d4d61726961444200e20500002f5f4b2a4d4e2d2200fef72d0200ff8115000000000000' +
    '1d0000006f6d2d6c3a565b3b3a26364c006d7973716c5f6e61746976655f70617373776f726400',
  'hex',
);

const servers: Server[] = [];
const sockets: Socket[] = [];

/** A port where `handle` gets every connection. */
async function listening(handle: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    handle(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Without TLS, as PostgreSQL responds to a request for it. */
const asPostgres = (socket: Socket) =>
  socket.once('data', (sent) => sent.equals(Buffer.from('0000000804d2162f', 'hex')) && socket.write('N'));
const asMysql = (socket: Socket) => void socket.write(GREETING);

/** What opening ends with, or the reason for which it waits. */
async function outcome(url: string): Promise<string> {
  const end = new AbortController();
  let reason = '';
  const onWait = (why: string) => {
    reason = why;
    end.abort();
  };
  return openStore(url, { pool: 2, onWait, signal: end.signal }, new Map()).then(
    () => 'opened',
    (error: Error) => (reason ? `waits: ${reason}` : error.message),
  );
}

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

const isPostgres = (port: number | string) =>
  `environment DATABASE_URL: 127.0.0.1:${port} is a PostgreSQL server (begin its address with postgres://, or name host and port of a MySQL or MariaDB server)`;
const isMysql = (port: number | string) =>
  `environment DATABASE_URL: 127.0.0.1:${port} is a MySQL or MariaDB server (begin its address with mysql://, or name host and port of a PostgreSQL server)`;

describe('a URL with the scheme of the other engine', () => {
  // At once, because a client waits seconds for a server that says nothing.
  it('is refused with advice; a server that sends nothing is waited for', async () => {
    const [postgres, mysql, silent] = [
      await listening(asPostgres),
      await listening(asMysql),
      await listening(() => undefined),
    ];
    const expected = {
      [`mysql://root@127.0.0.1:${postgres}/shop`]: isPostgres(postgres),
      [`mysql://root@127.0.0.1:1,127.0.0.1:${postgres}/shop`]: isPostgres(postgres),
      [`postgres://me@127.0.0.1:${mysql}/shop`]: isMysql(mysql),
      [`postgres://me@127.0.0.1:${mysql}/shop?sslmode=require`]: isMysql(mysql),
      [`mysql://me@127.0.0.1:${silent}/shop`]: 'waits: connect ETIMEDOUT',
      [`postgres://me@127.0.0.1:${silent}/shop`]: 'waits: Connection terminated due to connection timeout',
    };
    if (availableEngines().length === 3) {
      const { TEST_MYSQL_URL = '', TEST_POSTGRES_URL = '' } = process.env;
      expected[TEST_MYSQL_URL.replace(/^\w+/, 'postgres')] = isMysql(new URL(TEST_MYSQL_URL).port);
      expected[TEST_POSTGRES_URL.replace(/^\w+/, 'mysql')] = isPostgres(new URL(TEST_POSTGRES_URL).port);
    }
    const urls = Object.keys(expected);
    const outcomes = await Promise.all(urls.map(outcome));
    expect(Object.fromEntries(urls.map((url, at) => [url, outcomes[at]]))).toEqual(expected);
  });
});
