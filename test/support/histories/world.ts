// The environment of the suites of histories: several servers on one database, as processes or within this one, and a
// store to inspect the result.
import type { ModelSet } from '../../../src/model/model.js';
import type { Row } from '../../../src/model/query.js';
import type { Store } from '../../../src/model/store.js';
import { basic } from '../actors.js';
import { ADMINISTRATOR } from '../start-test-site.js';
import type { Method, Send } from '../send.js';

export const SEED = Number(process.env['TEST_SEED'] || 20_260);
export const CLIENTS = 12;
export const AS_ADMINISTRATOR = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);

/** A response, and when its request began and ended by the clock of the process that sends all requests. */
export interface HttpResponse {
  status: number;
  body: any;
  tag: string | undefined;
  start: number;
  end: number;
}

/** Servers on one database. */
export class World {
  constructor(
    readonly servers: readonly { readonly send: Send }[],
    readonly models: ModelSet,
    readonly store: Store,
  ) {}

  /** Sends a request to one of the servers. Throws for a 5xx status other than 503. */
  async send(
    at: number,
    method: Method,
    path: string,
    body?: object,
    as: Record<string, string> = AS_ADMINISTRATOR,
  ): Promise<HttpResponse> {
    const start = performance.now();
    const {
      status,
      body: view,
      headers,
    } = await this.servers[at % this.servers.length]!.send(method, path, {
      as,
      body,
    });
    if (status >= 500 && status !== 503) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(view)}`);
    return { status, body: view, tag: headers['etag'], start, end: performance.now() };
  }

  /** Creates `n` items one after the other; returns their ids. */
  async make(path: string, n: number, body: (index: number) => object): Promise<number[]> {
    const ids: number[] = [];
    for (let index = 0; index < n; index++) ids.push((await this.send(index, 'POST', path, body(index))).body.id);
    return ids;
  }

  rowsOf(table: string, columns: string[]): Promise<Row[]> {
    return this.store.reader.select({ table, columns, where: { op: 'true' }, order: [] });
  }
}

/** Runs `work` `n` times concurrently. */
export const all = <T>(n: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => work(index)));
