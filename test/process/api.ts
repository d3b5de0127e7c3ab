// Requests to a server that may be killed at any moment: an answer, a refusal to connect, or a cut. Used by the crash suites.
import { Agent, request } from 'node:http';

/** An item, or whatever a body is. */
export type View = Record<string, any>;

/** `retry`: the server says to come back (`Retry-After`). `pages`: how many a list has. `cut`: nobody knows whether the request was carried out. `refused`: it never reached a server. */
export type Outcome = { status: number; body: View; retry: boolean; pages: number } | 'cut' | 'refused';

const ADMINISTRATOR = `Basic ${Buffer.from('admin:correct horse battery').toString('base64')}`;

/** The namespace of one server, as its administrator. */
export class Api {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    readonly port: number,
    private readonly base = '/cms/v2',
  ) {}

  async send(
    method: string,
    path: string,
    body?: object | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Outcome> {
    const bytes = Buffer.isBuffer(body) ? body : body && Buffer.from(JSON.stringify(body));
    const type: Record<string, string> = bytes === body ? {} : { 'Content-Type': 'application/json' };
    const answer = await this.ask(method, this.base + path, { ...type, ...headers }, bytes);
    if (typeof answer === 'string') return answer;
    const { status, text, retry, pages } = answer;
    return { status, body: JSON.parse(text || '{}'), retry, pages };
  }

  /** For reads of a living server: throws where there is no answer. */
  async get(path: string): Promise<{ status: number; body: any; pages: number }> {
    const answer = await this.send('GET', path);
    if (typeof answer === 'string') throw new Error(`GET ${path}: ${answer}`);
    return answer;
  }

  /** Text of an uploaded file. */
  async file(address: string): Promise<string> {
    const answer = await this.ask('GET', new URL(address).pathname, {}, undefined);
    return typeof answer === 'string' ? answer : answer.status === 200 ? answer.text : `status ${answer.status}`;
  }

  close(): void {
    this.agent.destroy();
  }

  private ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: Buffer | undefined,
  ): Promise<{ status: number; text: string; retry: boolean; pages: number } | 'cut' | 'refused'> {
    return new Promise((resolve) => {
      const options = { host: '127.0.0.1', port: this.port, agent: this.agent, method, path };
      const all = { Authorization: ADMINISTRATOR, ...headers };
      const asked = request(
        { ...options, headers: body ? { ...all, 'Content-Length': body.length } : all },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', () => resolve('cut'));
          answer.on('end', () => {
            // A body that was cut is no acknowledgement.
            if (!answer.complete) resolve('cut');
            else
              resolve({
                status: answer.statusCode!,
                text: Buffer.concat(chunks).toString(),
                retry: 'retry-after' in answer.headers,
                pages: Number(answer.headers['x-wp-totalpages'] ?? 1),
              });
          });
        },
      );
      asked.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED' ? 'refused' : 'cut'));
      asked.end(body);
    });
  }
}
