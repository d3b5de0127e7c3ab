// A client with keep-alive connections that retries while a site responds that it is too busy. Used by the leak and
// hostile input suites.
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestSite } from '../support/start-test-site.js';
import { sender, type Method, type Send } from '../support/send.js';
import { exchange } from '../unit/http/raw-socket.js';

/** How often a request is sent to a server that is too busy. */
const TRIES = 30;

/** One request. `path` is what stands in the request line. */
export interface Request {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export class WireClient {
  readonly port: number;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });
  private readonly once: Send;

  constructor({ server, base }: Pick<TestSite, 'server' | 'base'>) {
    this.port = (server.address() as AddressInfo).port;
    this.once = sender(this.port, base, this.agent);
  }

  /** Retries while the server responds that it is too busy: a loaded machine is no fault. */
  readonly send: Send = async (method, path, sent) => {
    for (let left = TRIES; ; left -= 1) {
      // Compressed, responses of the same length would differ in it.
      const headers = { 'Accept-Encoding': 'identity', ...sent?.headers };
      const response = await this.once(method, path, { ...sent, headers });
      if (response.status !== 503 || response.headers['retry-after'] === undefined || left === 1) return response;
      await sleep(1_000);
    }
  };

  /** Sends a request as it was made up, whatever its method. */
  wire({ method = 'GET', path, ...sent }: Request) {
    return this.send(method as Method, `/${path}`, sent);
  }

  /** Writes bytes to a fresh connection and reads until the other side ends or falls silent. */
  async bytes(data: string | Buffer, timeoutMs = 2_000): Promise<string> {
    return (await exchange(this.port, [data], timeoutMs)).text;
  }

  close(): void {
    this.agent.destroy();
  }
}
