// A client that sends what it is told, byte for byte: paths are not normalised, bodies may be anything. Used by the leak and hostile input suites.
import { Agent, request, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

/** What came back. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed body, undefined when it is no JSON. */
  body: any;
}

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

  constructor(server: Server) {
    this.port = (server.address() as AddressInfo).port;
  }

  send({ method = 'GET', path, headers = {}, body }: Request): Promise<Answer> {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options = { agent: this.agent, host: '127.0.0.1', port: this.port, method, path };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, headers: { ...length, ...headers } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** A request with a JSON body. */
  json(method: string, path: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
    return this.send({
      method,
      path,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Writes bytes to a fresh connection and reads until the other side ends or falls silent. */
  bytes(data: string | Buffer, patience = 400): Promise<string> {
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      const socket = connect(this.port, '127.0.0.1', () => socket.write(data));
      const done = () => {
        socket.destroy();
        resolve(Buffer.concat(parts).toString('latin1'));
      };
      socket.setTimeout(patience, done);
      socket.on('data', (part) => parts.push(part));
      socket.on('error', done);
      socket.on('end', done);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A query string; objects and lists in brackets, values encoded. */
export function query(values: Record<string, unknown>): string {
  const parts: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return;
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value))
        add(`${name}[${Array.isArray(value) ? '' : encodeURIComponent(key)}]`, member);
    } else parts.push(`${name}=${encodeURIComponent(String(value))}`);
  };
  for (const [name, value] of Object.entries(values)) add(encodeURIComponent(name), value);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}
