// Requests of the server itself: every hop is checked, the checked IP address is the one that is connected to, everything has a bound.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type SafeRequest, safeRequest } from '../../../src/outgoing/safe-request.js';

let server: Server;
let port: number;
let asked: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = request.url!;
      asked.push({ url, headers: request.headers, body });
      const to = new URL(url, 'http://x').searchParams.get('to');
      if (to !== null) response.writeHead(302, { location: to }).end('moved');
      else if (url === '/slow') response.write('x');
      else if (url === '/never') return;
      else if (url === '/packed')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1e6)));
      else if (url === '/headers') response.writeHead(200, { long: 'x'.repeat(20_000) }).end();
      else if (url === '/cut') {
        response.writeHead(200, { 'content-length': 10 }).write('x');
        setTimeout(() => response.destroy(), 20);
      } else response.end(`hello from ${request.headers.host}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const here = () => ({ hostname: '127.0.0.1', port });
const ask = (url: string, more: Partial<SafeRequest> = {}) => safeRequest(url, { limit: 1000, ...more });
const refused = /no public IP address/;

describe('requests with a list of hosts', () => {
  const resolve: SafeRequest['resolve'] = (_name, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
  const listed = [{ hostname: 'files.test' }];

  it('are not sent to other hosts, nor redirected there', async () => {
    const onlyHosts = [here()];
    await expect(ask('http://files.test/', { onlyHosts, allowHosts: listed, resolve })).rejects.toThrow(
      'files.test is not among the allowed hosts',
    );
    const moved = `http://127.0.0.1:${port}/?to=${encodeURIComponent('http://files.test/')}`;
    await expect(ask(moved, { onlyHosts, allowHosts: [here()], resolve })).rejects.toThrow('files.test is not among');
    const { body } = await ask(`http://127.0.0.1:${port}/`, { onlyHosts, allowHosts: [here()] });
    expect(await text(body)).toContain('hello');
  });

  it('require public IP addresses for the names in the list', async () => {
    await expect(ask('http://files.test/', { onlyHosts: listed, resolve })).rejects.toThrow(refused);
  });
});

describe('an IP address that is not public', () => {
  it.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://127.0.0.1.',
    'http://0',
    'http://①②⑦.⓪.⓪.①',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[2002:7f00:1::]',
    'https://169.254.169.254',
    'http://[fd00:ec2::254]',
    'http://100.100.100.200',
    'http://localhost',
  ])('is not requested: %s', async (origin) => {
    asked = [];
    await expect(ask(`${origin}:${port}/`)).rejects.toThrow(refused);
    expect(asked).toEqual([]);
  });

  it('is refused where a public name resolves to it', async () => {
    const resolve: SafeRequest['resolve'] = (_name, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    asked = [];
    await expect(ask(`http://public.example:${port}/`, { resolve })).rejects.toThrow(refused);
    expect(asked).toEqual([]);
  });

  it('is refused in any redirect', async () => {
    const allowHosts = [here()];
    for (const target of [
      'http://127.0.0.2/',
      'http://[::1]/',
      'http://169.254.169.254/',
      `http://localhost:${port}/`,
    ]) {
      const once = `http://127.0.0.1:${port}/?to=${encodeURIComponent(target)}`;
      const twice = `http://127.0.0.1:${port}/?to=${encodeURIComponent(once)}`;
      await expect(ask(once, { allowHosts })).rejects.toThrow(refused);
      await expect(ask(twice, { allowHosts })).rejects.toThrow(refused);
    }
  });

  it('is allowed by host name, on the given port only', async () => {
    const url = `http://127.0.0.1:${port}/`;
    const { status, body } = await ask(url, { allowHosts: [here()] });
    expect([status, await text(body)]).toEqual([200, `hello from 127.0.0.1:${port}`]);
    await expect(ask(url, { allowHosts: [{ hostname: '127.0.0.1', port: port - 1 }] })).rejects.toThrow(refused);
    await expect(ask(url, { allowHosts: [{ hostname: 'localhost' }] })).rejects.toThrow(refused);
  });
});

describe('a name that changes its IP address', () => {
  it('is resolved once per hop, and the connection uses the checked IP address', async () => {
    let times = 0;
    // The second response of a rebinding name is the loopback: nobody must ask for it.
    const resolve: SafeRequest['resolve'] = (_name, done) => {
      times += 1;
      done(null, [{ address: times === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]);
    };
    await expect(ask(`http://rebinds.example:${port}/`, { resolve })).rejects.toThrow(refused);
    expect(times).toBe(1);
  });
});

describe('URLs refused before a connection is opened', () => {
  it.each([
    ['file:///etc/passwd', /only http and https/],
    ['ftp://x/', /only http and https/],
    ['data:text/plain,x', /only http and https/],
    ['http://user:secret@8.8.8.8/', /credentials/],
    ['http://user@8.8.8.8/', /credentials/],
    ['http://', /cannot be parsed/],
    ['//x', /cannot be parsed/],
    ['http://[::1', /cannot be parsed/],
    ['http://x:99999/', /cannot be parsed/],
  ])('%s', async (url, why) => expect(ask(url)).rejects.toThrow(why));

  it('include the targets of redirects', async () => {
    const allowHosts = [here()];
    for (const [target, why] of [
      ['file:///etc/passwd', /only http/],
      [`http://a:b@127.0.0.1:${port}/`, /credentials/],
      ['http://[', /cannot be parsed/],
    ] as const) {
      const url = `http://127.0.0.1:${port}/?to=${encodeURIComponent(target)}`;
      await expect(ask(url, { allowHosts })).rejects.toThrow(why);
    }
  });
});

describe('limits', () => {
  const at = (path: string, more: Partial<SafeRequest> = {}) =>
    ask(`http://127.0.0.1:${port}${path}`, { allowHosts: [here()], ...more });

  it('of the number of redirects', async () => {
    await expect(at('/?to=')).rejects.toThrow('too many redirects');
    await expect(at('/?to=/x', { redirects: 1 })).resolves.toMatchObject({ url: `http://127.0.0.1:${port}/x` });
    expect(await at('/?to=/x', { redirects: 0 })).toMatchObject({ status: 302 });
  });

  it('of time, before and during the response', async () => {
    await expect(at('/never', { timeout: 100 })).rejects.toThrow('took too long');
    const { body } = await at('/slow', { timeout: 100 });
    await expect(text(body)).rejects.toThrow('took too long');
  });

  it('of the minimum rate', async () => {
    const { body } = await at('/slow', { rateWindow: 50 });
    await expect(text(body)).rejects.toThrow('slower than 1024 bytes per second');
  });

  it('of bytes: announced, received and in headers', async () => {
    await expect(at('/', { limit: 5 })).rejects.toThrow('larger than 5');
    await expect(at('/headers')).rejects.toThrow(/overflow/i);
    await expect(at('/packed', { limit: 1e7 })).rejects.toThrow('encoded as gzip');
  });

  it('detect a server that switches to another protocol', async () => {
    const other = createServer().on('connection', (socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      );
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const allowHosts = [{ hostname: '127.0.0.1' }];
    await expect(ask(url, { allowHosts })).rejects.toThrow('ended without a response');
    await expect(ask(url, { allowHosts, method: 'POST', body: 'x' })).rejects.toThrow('ended without a response');
    other.closeAllConnections();
    other.close();
  });

  it('detect a truncated response', async () => {
    await expect(text((await at('/cut')).body)).rejects.toThrow(/aborted/);
  });
});

describe('headers and bodies', () => {
  it('are sent to the first host only, and bodies are never sent to a redirect', async () => {
    asked = [];
    const allowHosts = [here(), { hostname: 'localhost', port }];
    const to = encodeURIComponent(`http://localhost:${port}/there`);
    const resolve: SafeRequest['resolve'] = (_name, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    await ask(`http://127.0.0.1:${port}/?to=${to}`, { allowHosts, resolve, headers: { authorization: 'x' } });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['x', undefined]);
    asked = [];
    const posted = await ask(`http://127.0.0.1:${port}/?to=${to}`, { allowHosts, method: 'POST', body: 'secret' });
    expect(posted.status).toBe(302);
    expect(asked.map(({ body }) => body)).toEqual(['secret']);
  });
});
