// Bytes to a port and back, for requests that no HTTP client would send.
import net from 'node:net';

/** What came back for some bytes. */
export interface RawResponse {
  status: number;
  head: string;
  body: string;
  text: string;
}

/** On a loaded machine a response may take long; silence after a whole one means that nothing follows. */
const BEFORE_END = 120_000;
const AFTER_END = 1_000;

/**
 * Sends chunks one after another and reads until the server closes or is silent. `quiet` is the longest silence in
 * milliseconds, also before the first byte.
 */
export function exchange(port: number, chunks: (string | Buffer)[], quiet?: number): Promise<RawResponse> {
  return new Promise((resolve) => {
    let text = '';
    let timer: NodeJS.Timeout | undefined;
    const socket = net.connect(port, '127.0.0.1');
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      const split = text.indexOf('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
      resolve({ status, head: text.slice(0, split), body: text.slice(split + 4), text });
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(finish, quiet ?? (isWhole(text) ? AFTER_END : BEFORE_END));
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      wait();
    });
    socket.on('end', finish).on('error', finish).on('close', finish);
    socket.on('connect', () => {
      for (const chunk of chunks) socket.write(chunk);
      wait();
    });
  });
}

/** Whether all bytes of the first response are there, as far as its header fields tell. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n') + 4;
  if (end < 4) return false;
  const head = text.slice(0, end);
  if (/^transfer-encoding: *chunked/im.test(head)) return text.endsWith('0\r\n\r\n');
  return text.length >= end + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
}
