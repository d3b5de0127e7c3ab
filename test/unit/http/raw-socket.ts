// Bytes to a port and back, for requests that no HTTP client would send.
import net from 'node:net';

/** What came back for some bytes. */
export interface RawAnswer {
  status: number;
  head: string;
  body: string;
  text: string;
}

/** Sends chunks one after another and reads until the server closes or is silent for `quiet` milliseconds. */
export function exchange(port: number, chunks: (string | Buffer)[], quiet = 400): Promise<RawAnswer> {
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
      timer = setTimeout(finish, quiet);
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
