// A TCP proxy that delays the responses of a database server, as a network would.
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A proxy on a loopback port. */
export interface SlowLine {
  port: number;
  /** Chunks received from clients: the number of round trips, unless statements are sent together. */
  sent(): number;
  close(): void;
}

/** Listens in front of a server; each response arrives `ms` milliseconds later. */
export async function slowLine(host: string, port: number, ms: number): Promise<SlowLine> {
  let sent = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host, port, noDelay: true });
    client.on('data', (data) => {
      sent += 1;
      upstream.write(data);
    });
    upstream.on('data', (data) => setTimeout(() => client.write(data), ms));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, sent: () => sent, close: () => server.close() };
}
