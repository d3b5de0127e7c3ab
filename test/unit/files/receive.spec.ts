// Uploads over a real server on 127.0.0.1: valid, truncated, too large and hostile ones.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request as ask, Agent, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { receiveMultipart, receiveRaw, type ReceivedFile, type ReceiveOptions } from '../../../src/files/receive.js';
import { runs } from '../../support/runs.js';

const LIMIT = 200_000;
const B = 'xBOUNDARYx';
const FORM = { 'content-type': `multipart/form-data; boundary=${B}` };

let server: Server;
let port: number;
let directory: string;
let options: ReceiveOptions;
let outcome: (value: unknown) => void = () => undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'receive-'));
  server = createServer(async (request, response) => {
    const result = await receive(request).catch((error: unknown) => ({ error }));
    outcome(result);
    response.end(JSON.stringify('error' in result ? { code: (result.error as { code: string }).code } : result));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true, force: true });
});

async function receive(request: IncomingMessage): Promise<object> {
  if (request.url === '/raw') return read(await receiveRaw(request, options));
  const { file, fields } = await receiveMultipart(request, options);
  return { ...(file ? { file: await read(file) } : {}), fields };
}

async function read(file: ReceivedFile): Promise<object> {
  const content = await readFile(file.path, 'latin1');
  await file.remove();
  return { ...file, path: undefined, content };
}

interface Sent {
  headers?: Record<string, string>;
  agent?: Agent;
  chunked?: boolean;
}

function post(
  path: '/raw' | '/form',
  body: Buffer | string,
  { headers, agent, chunked }: Sent = {},
): Promise<Record<string, any>> {
  options = { limit: LIMIT, directory, md5: headers?.['content-md5'] };
  const length = chunked ? undefined : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = ask({ port, host: '127.0.0.1', path, method: 'POST', headers: { ...headers, ...length }, agent });
    sent.on('error', reject).on('response', async (response) => {
      resolve(JSON.parse((await response.toArray()).join('')) as Record<string, any>);
    });
    sent.end(body);
  });
}

const field = (name: string, value: string) =>
  `--${B}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const filePart = (content: string, filename = 'a.txt', name = 'file') =>
  `--${B}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`;
const END = `--${B}--\r\n`;
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const leftovers = () => readdir(directory);

describe('receiveRaw', () => {
  it('returns the body, its name and its hash', async () => {
    const got = await post('/raw', 'hello', { headers: { 'content-disposition': 'attachment; filename="a b.txt"' } });
    expect(got).toEqual({ size: 5, md5: md5('hello'), filename: 'a b.txt', content: 'hello' });
    expect(await leftovers()).toEqual([]);
  });

  it('creates the folder of incoming files for its owner only', async () => {
    await rm(directory, { recursive: true });
    expect(await post('/raw', 'hello')).toMatchObject({ content: 'hello' });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('accepts a body of exactly the limit', async () => {
    for (const chunked of [true, false])
      expect(await post('/raw', 'x'.repeat(LIMIT), { chunked })).toMatchObject({ size: LIMIT });
  });

  it('refuses an empty body', async () => {
    expect(await post('/raw', '')).toEqual({ code: 'rest_upload_no_data' });
    expect(await post('/raw', '', { chunked: true })).toEqual({ code: 'rest_upload_no_data' });
    expect(await leftovers()).toEqual([]);
  });

  it('refuses a larger body, with or without a length, and keeps the connection open', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const chunked of [true, false, true]) {
      expect(await post('/raw', 'x'.repeat(LIMIT + 1), { agent, chunked })).toEqual({
        code: 'rest_upload_file_too_big',
      });
      expect(await post('/raw', 'x'.repeat(20 * LIMIT), { agent, chunked })).toEqual({
        code: 'rest_upload_file_too_big',
      });
    }
    expect(await post('/raw', 'hello', { agent })).toMatchObject({ content: 'hello' });
    agent.destroy();
    expect(await leftovers()).toEqual([]);
  });

  it('compares the hash in upper or lower case', async () => {
    expect(await post('/raw', 'hello', { headers: { 'content-md5': ` ${md5('hello').toUpperCase()}` } })).toMatchObject(
      { size: 5 },
    );
    expect(await post('/raw', 'hello', { headers: { 'content-md5': md5('other') } })).toEqual({
      code: 'rest_upload_hash_mismatch',
    });
    expect(await leftovers()).toEqual([]);
  });

  it('reports a folder that cannot be written as an error of the server', async () => {
    const blocked = join(directory, '..', `blocked-${process.pid}`);
    await writeFile(blocked, '');
    const got = new Promise((resolve) => (outcome = resolve));
    const sent = post('/raw', 'hello');
    options = { ...options, directory: join(blocked, 'x') };
    expect(await sent).toEqual({ code: 'rest_upload_file_error' });
    expect(await got).toMatchObject({ error: { fault: 'server', cause: { code: 'ENOTDIR' } } });
    await rm(blocked);
  });
});

describe('receiveMultipart', () => {
  it('returns the file and the fields as sent', async () => {
    const body =
      field('title', 'Grün') + field('meta[key]', '1') + filePart('hello', 'gr\u00fcn.txt') + field('post', '7') + END;
    expect(await post('/form', body, { headers: FORM })).toEqual({
      file: { size: 5, md5: md5('hello'), filename: 'grün.txt', content: 'hello' },
      fields: { title: 'Grün', 'meta[key]': '1', post: '7' },
    });
  });

  it('accepts forms without a file, lists, and the last of equal names', async () => {
    const body = field('tags[]', '1') + field('tags[]', '2') + field('a', '1') + field('a', '2') + END;
    expect(await post('/form', body, { headers: FORM })).toEqual({ fields: { 'tags[]': ['1', '2'], a: '2' } });
    expect(await post('/form', END, { headers: FORM })).toEqual({ fields: {} });
  });

  it('ignores empty file inputs and files with other names', async () => {
    const empty = `--${B}\r\nContent-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`;
    expect(await post('/form', empty + field('a', '1') + END, { headers: FORM })).toEqual({ fields: { a: '1' } });
    expect(await post('/form', filePart('x', 'a.txt', 'other') + END, { headers: FORM })).toEqual({ fields: {} });
  });

  it('treats names with a meaning in JavaScript as ordinary members', async () => {
    const names = ['__proto__', 'constructor', 'prototype', 'a[__proto__][x]', 'ok'];
    const body = names.map((name) => field(name, 'x')).join('') + END;
    const { fields } = (await post('/form', body, { headers: FORM })) as { fields: object };
    expect(Object.entries(fields)).toEqual(names.map((name) => [name, 'x']));
  });

  it('refuses names and values that are invalid in the charset of their part', async () => {
    const send = (body: string) => post('/form', Buffer.from(body + END, 'latin1'), { headers: FORM });
    expect(await send(field('a', 'gr\xfcn'))).toEqual({ code: 'rest_invalid_param' });
    expect(await send(field('gr\xfcn', 'a'))).toEqual({ code: 'rest_invalid_param' });
    const latin = field('a', 'gr\xfcn').replace('\r\n\r\n', '\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n');
    expect(await send(latin)).toEqual({ fields: { a: 'grün' } });
  });

  it('checks the hash of the file', async () => {
    const headers = { ...FORM, 'content-md5': md5('other') };
    expect(await post('/form', filePart('hello') + END, { headers })).toEqual({ code: 'rest_upload_hash_mismatch' });
  });

  it('enforces the limits, and accepts values at the limits', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => field(`f${index}`, 'x')).join('');
    const send = (body: string) => post('/form', body + END, { headers: FORM });
    expect(Object.keys((await send(fields(20) + filePart('hello'))).fields as object)).toHaveLength(20);
    expect(await send(fields(21))).toEqual({ code: 'rest_invalid_param' });
    expect(await send(filePart('x') + filePart('y'))).toEqual({ code: 'rest_invalid_param' });
    expect(await send(field('n'.repeat(100), 'x'))).toMatchObject({ fields: {} });
    expect(await send(filePart('hello') + field('n'.repeat(101), 'x'))).toEqual({ code: 'rest_invalid_param' });
    expect(await send(field('', 'x'))).toEqual({ code: 'rest_invalid_param' });
    expect(((await send(field('a', 'x'.repeat(65_536)))).fields as { a: string }).a).toHaveLength(65_536);
    expect(await send(filePart('hello') + field('a', 'x'.repeat(65_537)))).toEqual({ code: 'rest_request_too_large' });
    expect((await send(filePart('x'.repeat(LIMIT)))).file).toMatchObject({ size: LIMIT });
    expect(await send(filePart('x'.repeat(LIMIT + 1)))).toEqual({ code: 'rest_upload_file_too_big' });
    expect(await send('x'.repeat(3_000_000))).toEqual({ code: 'rest_upload_file_too_big' });
    expect(await post('/form', 'x'.repeat(3_000_000), { headers: FORM, chunked: true })).toEqual({
      code: 'rest_upload_file_too_big',
    });
    expect(await leftovers()).toEqual([]);
  });

  it.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['an endless boundary', `multipart/form-data; boundary=${'a'.repeat(2000)}`],
    ['another type', 'application/x-www-form-urlencoded'],
    ['nonsense', '/;;='],
  ])('refuses %s', async (_title, type) => {
    expect(await post('/form', filePart('x') + END, { headers: { 'content-type': type } })).toEqual({
      code: 'rest_upload_no_data',
    });
  });

  it('returns an error for every truncation, without temporary files', async () => {
    const whole = field('a', '1') + filePart('hello') + field('b', '2') + END;
    for (let length = 0; length < whole.length - 4; length += 1) {
      expect(await post('/form', whole.slice(0, length), { headers: FORM })).toEqual({ code: 'rest_upload_no_data' });
    }
    expect(await leftovers()).toEqual([]);
  });

  it('returns an error for every damaged body, without temporary files', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const whole = Buffer.from(field('a', '1') + filePart('hello'.repeat(100)) + field('b', '2') + filePart('x') + END);
    for (let seed = 1; seed <= runs(7_500); seed += 1) {
      const body = Buffer.from(whole);
      for (let hit = 0; hit < 4; hit += 1)
        body[(seed * 7919 + hit * 104_729 * seed) % body.length] = (seed * 31 + hit * 57) & 0xff;
      expect(await post('/form', body, { headers: FORM, agent, chunked: seed % 2 === 0 })).toBeDefined();
    }
    agent.destroy();
    expect(await leftovers()).toEqual([]);
  });
});

describe('a client that disconnects', () => {
  it.each([
    ['/raw', ''],
    ['/form', `--${B}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`],
  ])('leaves no temporary file at %s', async (path, start) => {
    options = { limit: LIMIT, directory };
    const response = new Promise((resolve) => (outcome = resolve));
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM['content-type']}\r\nContent-Length: 100000\r\n\r\n${start}`,
    );
    socket.write('x'.repeat(50_000));
    while ((await leftovers()).length === 0) await wait(5);
    socket.destroy();
    expect(await response).toMatchObject({ error: { code: 'rest_upload_no_data' } });
    expect(await leftovers()).toEqual([]);
  });
});
