// A wire between a store and its server that can be cut. Used by the specs of stores on servers.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A response is complete after so long a pause. */
const PAUSE_MS = 200;
const LONGEST_RESPONSE_MS = 5_000;

/** A proxy on a loopback port. */
export class Proxy {
  private readonly sockets = new Set<Socket>();
  /** Called with what the client sends; `true` cuts the connection once the server has it. */
  cutAfter: (sent: Buffer) => boolean = () => false;

  /** What the server gets of what the client sends. */
  rewritten: (sent: Buffer) => Buffer = (sent) => sent;

  /** The server behind it does nothing any more, and its connections stay: nothing is passed on. */
  frozen = false;

  /** Milliseconds before a new connection reaches the server. */
  slowMs = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** Listens on a free port, or on the one given. */
  static async before(target: { host: string; port: number }, port = 0): Promise<Proxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const proxy = new Proxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => {
      if (proxy.slowMs > 0) setTimeout(() => proxy.join(client, connect(target)), proxy.slowMs);
      else proxy.join(client, connect(target));
    });
    return proxy;
  }

  /** Ends every connection. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    }
    server.on('data', (data) => this.frozen || client.write(data)).on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.on('data', (data: Buffer) => {
      if (this.frozen) return;
      if (!this.cutAfter(data)) return void server.write(this.rewritten(data));
      // Nothing of the response is passed on; until it is complete, the server may notice that nobody gets it.
      let end = setTimeout(() => client.destroy(), LONGEST_RESPONSE_MS);
      server.removeAllListeners('data').on('data', () => {
        clearTimeout(end);
        end = setTimeout(() => client.destroy(), PAUSE_MS);
      });
      server.write(data);
    });
  }
}

/** Where the server of a database listens. */
export function serverOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname, port: Number(port || (protocol === 'mysql:' ? 3306 : 5432)) };
}

/** The URL of a database through a port of this machine. */
export function through(url: string, port: number): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.href;
}
