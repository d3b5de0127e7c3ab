// A receiver of webhooks on a loopback port: records requests, checks signatures, and fails on request.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request that was received. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: any;
  text: string;
  /** Status of the response. */
  status: number;
}

type Reply = number | { status: number; headers: Record<string, string> };

/** A server that receives events. */
export interface Receiver {
  readonly url: string;
  readonly host: string;
  readonly requests: Received[];
  /** Requests that got the status 200, in the order of their arrival. */
  readonly accepted: Received[];
  /** The status to return for a request; default 200. `headers` go with it. */
  respond: (request: Omit<Received, 'status'>) => Reply | Promise<Reply>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const got = { headers: request.headers, body: JSON.parse(body), text: body };
      const reply = await receiver.respond(got);
      const { status, headers } = typeof reply === 'number' ? { status: reply, headers: {} } : reply;
      requests.push({ ...got, status });
      response.writeHead(status, headers).end('ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    host: `127.0.0.1:${port}`,
    requests,
    get accepted() {
      return requests.filter(({ status }) => status === 200);
    },
    respond: () => 200,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Whether one of the signatures of a request is that of a secret, according to Standard Webhooks. */
export function isSigned({ headers, text: body }: Pick<Received, 'headers' | 'text'>, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = createHmac('sha256', key).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace('v1,', ''), 'base64'))
    .some((found) => found.length === wanted.length && timingSafeEqual(found, wanted));
}
