// A client of server-sent events.
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { Headers } from './send.js';

/** One event as received. */
export interface Sent {
  id: string;
  type: string;
  data: any;
}

/** An open stream. */
export interface Stream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Events so far, `ready` and `reset` included. */
  readonly events: Sent[];
  /** The events about items. */
  readonly updates: Sent[];
  /** Whether the server has ended the stream. */
  readonly ended: boolean;
  close(): void;
}

/** Opens a stream; resolves with its first event, or with a response that is no stream. */
export async function openStream(port: number, path: string, headers: Headers = {}): Promise<Stream> {
  const message = request({ host: '127.0.0.1', port, path, headers, agent: false });
  message.on('error', () => undefined);
  message.end();
  const [response] = (await once(message, 'response')) as [IncomingMessage];
  const events: Sent[] = [];
  const stream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    get updates() {
      return events.filter(({ type }) => type.includes('.'));
    },
    ended: false,
    close: () => message.destroy(),
  };
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
      );
      text = text.slice(end + 2);
      const [type, data] = [fields.get('event'), fields.get('data')];
      if (type !== undefined && data !== undefined)
        events.push({ id: fields.get('id') ?? '', type, data: JSON.parse(data) });
    }
  });
  response.on('close', () => (stream.ended = true));
  for (let tries = 0; tries < 500 && events.length === 0 && stream.status === 200 && !stream.ended; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  return stream;
}
