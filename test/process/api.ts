// Requests to a server that may be killed at any moment: a response, a refusal to connect, or a cut. Used by the crash suites.
import { Agent } from 'node:http';
import { ADMINISTRATOR } from '../support/start-test-site.js';
import { basic } from '../support/actors.js';
import { sender, type HttpResponse, type Method, type Send, type Sent } from '../support/send.js';

/** An item, or whatever a body is. */
export type View = Record<string, any>;

/** `cut`: nobody knows whether the request was carried out; a body that was cut is no acknowledgement. `refused`: it never reached a server. */
export type Outcome = HttpResponse | 'cut' | 'refused';

/** The namespace of one server, as its administrator. */
export class Api {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly sending: Send;

  constructor(port: number) {
    this.sending = sender(port, '/cms/v2', this.agent);
  }

  send(method: Method, path: string, sent: Sent = {}): Promise<Outcome> {
    const as = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
    return this.sending(method, path, { as, ...sent }).catch(({ code }: NodeJS.ErrnoException) =>
      code === 'ECONNREFUSED' ? 'refused' : 'cut',
    );
  }

  /** For reads of a living server: throws where there is no response. */
  async get(path: string): Promise<HttpResponse> {
    const response = await this.send('GET', path);
    if (typeof response === 'string') throw new Error(`GET ${path}: ${response}`);
    return response;
  }

  /** Text of an uploaded file. */
  async file(url: string): Promise<string> {
    const response = await this.send('GET', `/${new URL(url).pathname}`);
    return typeof response === 'string'
      ? response
      : response.status === 200
        ? response.text
        : `status ${response.status}`;
  }

  close(): void {
    this.agent.destroy();
  }
}
