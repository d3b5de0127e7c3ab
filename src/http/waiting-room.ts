// Answers while the database is waited for: the process is alive, not ready, and says why (reliability D8). Opened by main.ts.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { unavailable } from './refusals.js';

/** Listens where the application will, from the first thing there is to say until the application is there. */
export class WaitingRoom {
  private server: Server | undefined;
  private reason = '';

  constructor(
    private readonly port: number,
    private readonly host: string,
  ) {}

  /** What is waited for. */
  say(reason: string): void {
    this.reason = reason;
    if (this.server) return;
    this.server = createServer((request, response) => this.answer(request, response));
    // A port that is taken stops the application when it wants to listen.
    this.server.on('error', () => undefined).listen(this.port, this.host);
  }

  /** Leaves the port to the application. */
  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private answer({ url = '', method }: IncomingMessage, response: ServerResponse): void {
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
