// A placeholder server during startup: live, not ready, with the reason.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { unavailable } from '../http-errors.js';

/** Listens on the application's port, from the first reason to wait until the application starts. */
export class StartingServer {
  private server: Server | undefined;
  private reason = '';

  constructor(
    private readonly port: number,
    private readonly host: string,
  ) {}

  /** Sets the reason that is shown. */
  setReason(reason: string): void {
    this.reason = reason;
    if (this.server) return;
    this.server = createServer((request, response) => this.respond(request, response));
    // If the port is taken, the application itself fails when it listens.
    this.server.on('error', () => undefined).listen(this.port, this.host);
  }

  /** Frees the port for the application. */
  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private respond({ url = '', method }: IncomingMessage, response: ServerResponse): void {
    const alive = /^\/livez(\?|$)/.test(url);
    const refusal = unavailable(this.reason, 5);
    const body = JSON.stringify(alive ? { status: 'ok' } : refusal.body(false));
    response.writeHead(alive ? 200 : 503, {
      ...(alive ? {} : refusal.headers),
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
    });
    response.end(method === 'HEAD' ? undefined : body);
  }
}
