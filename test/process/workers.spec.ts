// One server with several workers (WORKERS): it serves, outlives its workers, ends without failing a request, and
// leaves no process.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { basic, type Headers } from '../support/actors.js';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import { allServe, serverProcesses, until, workersOf } from '../support/server-process.js';
import type { ServerProcess, ServerProcesses } from '../support/server-process.js';

let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;
let roles: string;
/** As long as there is a file of this name, a process does not get past its start. */
let slow: string;

const SLOW_EXTENSION = `
import { defineExtension } from 'typecase';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
while (existsSync(FILE)) await setTimeout(50);
export default defineExtension({});
`;

beforeAll(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url, { WORKERS: '2', LOG_LEVEL: 'info' });
  roles = join(servers.folder, 'roles.json');
  writeFileSync(roles, readFileSync(new URL('../../roles.json', import.meta.url)));
  slow = join(servers.folder, 'slow');
  const EXTENSIONS_DIR = join(servers.folder, 'slow-extensions');
  mkdirSync(EXTENSIONS_DIR);
  writeFileSync(join(EXTENSIONS_DIR, 'slow.mjs'), SLOW_EXTENSION.replace('FILE', JSON.stringify(slow)));
  server = await servers.start({ ADMIN_PASSWORD: '', ROLES_FILE: roles, EXTENSIONS_DIR });
  await allServe(server);
});

afterAll(async () => {
  await servers.close();
  await database.drop();
});

/** All requests completed so far, according to `/metrics`. */
async function countedRequests(): Promise<number> {
  const { text } = await server.send('GET', '//metrics', { status: 200 });
  const lines = [...text.matchAll(/^typecase_http_requests_total{.*} (\d+)$/gm)];
  return lines.reduce((sum, [, count]) => sum + Number(count), 0);
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A POST whose body is held back: `finish` sends it and returns what comes. */
async function begun(url: string, headers: Headers, title: string): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify({ title, status: 'publish' });
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  const lines = {
    Host: 'test',
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    Expect: '100-continue',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /cms/v2/posts HTTP/1.1\r\n${head.join('')}\r\n`);
  // From here on it is in flight.
  await until(
    () => text,
    (sofar) => sofar.includes('100 Continue'),
  );
  return {
    async finish() {
      socket.write(body);
      if (!socket.closed) await once(socket, 'close');
      return text;
    },
  };
}

const generated = (): Headers => {
  const [, name, password] = /Login {2}(\S+) \/ (\S+)/.exec(server.output())!;
  return basic(name!, password!);
};

describe('a server with two workers', () => {
  test('prints the banner once, with the password', async () => {
    expect(server.output().match(/Login/g)).toHaveLength(1);
    expect((await server.send('GET', '/users/me', { as: generated() })).status).toBe(200);
  });

  test('counts failed logins over both, and resets them after a success', async () => {
    const make = (name: string) =>
      server.send('POST', '/users', {
        as: generated(),
        body: { username: name, email: `${name}@example.org`, password: `the password of ${name}`, roles: [] },
      });
    const signIn = async (name: string, password: string) =>
      (await server.send('GET', '/users/me', { as: basic(name, password) })).status;
    for (const name of ['cleo', 'dora']) expect((await make(name)).status).toBe(201);
    const found: number[] = [];
    for (let i = 0; i < 12; i++) found.push(await signIn('cleo', `wrong ${i}`));
    expect(found).toEqual([...Array(10).fill(401), 429, 429]);
    for (let i = 0; i < 2; i++) expect(await signIn('cleo', 'the password of cleo')).toBe(429);
    for (let i = 0; i < 9; i++) expect(await signIn('dora', `wrong ${i}`)).toBe(401);
    expect(await signIn('dora', 'the password of dora')).toBe(200);
    for (let i = 0; i < 4; i++) expect(await signIn('dora', `wrong ${i}`)).toBe(401);
    // All at once: ten are looked at, however they are spread.
    const many = await Promise.all(Array.from({ length: 16 }, (_, i) => signIn('nobody', `wrong ${i}`)));
    expect(many.filter((status) => status === 401)).toHaveLength(10);
  });

  test('adds up the metrics of both, whichever responds', async () => {
    const counted = async () => {
      const { text } = await server.send('GET', '//metrics', { status: 200 });
      return Number(/^typecase_http_requests_total{route="\/cms\/v2\/tags",.*} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    // On connections of their own: both workers take some.
    const before = await counted();
    for (let i = 0; i < 12; i++) await server.send('GET', '/tags', { status: 200 });
    for (let i = 0; i < 4; i++) expect(await counted()).toBe(before + 12);
  });

  test('counts no less when a worker does not respond', async () => {
    const before = await countedRequests();
    const [first] = workersOf(server);
    process.kill(first!, 'SIGSTOP');
    try {
      expect(await countedRequests()).toBeGreaterThanOrEqual(before);
    } finally {
      process.kill(first!, 'SIGCONT');
    }
    expect(await countedRequests()).toBeGreaterThan(before);
  });

  test('replaces a worker that was killed, and serves meanwhile', async () => {
    const before = workersOf(server);
    const counted = await countedRequests();
    process.kill(before[0]!, 'SIGKILL');
    // Whoever was with the dead one is told at once: nobody waits for a response that never comes.
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => server.send('GET', '/posts')));
    expect(asked.filter((one) => one.status === 'fulfilled' && one.value.status !== 200)).toEqual([]);
    await until(
      () => workersOf(server),
      (pids) => !pids.includes(before[0]!),
    );
    for (let i = 0; i < 6; i++) expect((await server.send('GET', '/posts')).status).toBe(200);
    await allServe(server, 2);
    for (let i = 0; i < 4; i++) expect(await countedRequests()).toBeGreaterThan(counted);
    const after = workersOf(server);
    expect(after).toHaveLength(2);
    expect(after).toContain(before[1]);
    expect(server.output()).toMatch(/"signal":"SIGKILL".*a worker ended, another one is started/);
  });

  test('sends no request to a worker that is still starting', async () => {
    const before = workersOf(server);
    writeFileSync(slow, '');
    try {
      process.kill(before[0]!, 'SIGKILL');
      await until(
        () => server.output(),
        (output) => output.includes('the start takes long'),
      );
      for (let i = 0; i < 20; i++) expect((await server.send('GET', '/posts')).status).toBe(200);
    } finally {
      rmSync(slow);
    }
    await allServe(server, 3);
  });

  test('waits longer after each failed start of a worker', async () => {
    const written = readFileSync(roles, 'utf8');
    const known = workersOf(server);
    const pauses = () => [...server.output().matchAll(/"code":1,.*"pause":(\d+)/g)].map(([, pause]) => Number(pause));
    writeFileSync(roles, '{}');
    try {
      process.kill(known[1]!, 'SIGKILL');
      const found = await until(pauses, (all) => all.length >= 2);
      expect(found[1]).toBe(found[0]! * 2);
      expect(server.output()).toMatch(/roles\.json.*at least one role/);
      expect((await server.send('GET', '/posts')).status).toBe(200);
    } finally {
      writeFileSync(roles, written);
    }
    // Mended, it is whole again.
    await allServe(server, 4);
  });

  test('completes requests in progress when it is stopped, and ends with 0', async () => {
    const workers = workersOf(server);
    const held = await Promise.all([1, 2, 3, 4].map((i) => begun(server.url, generated(), `In flight ${i}`)));
    const ended = server.end('SIGTERM');
    await until(
      () => server.send('GET', '//livez').catch(() => 'refused'),
      (found) => found === 'refused',
    );
    const responses = await Promise.all(held.map((each) => each.finish()));
    for (const response of responses) expect(response).toMatch(/HTTP\/1\.1 201 Created[^]*Connection: close/i);
    expect(await ended).toBe(0);
    expect(workers.filter(lives)).toEqual([]);
  });
});

describe('a primary process that was killed', () => {
  test('leaves no worker, and requests in progress are completed', async () => {
    const other = await servers.start({ RATE_LIMIT: 'none', ADMIN_PASSWORD: 'unused, there is one' });
    await allServe(other);
    const workers = workersOf(other);
    expect(workers).toHaveLength(2);
    const held = await begun(other.url, generated(), 'Orphan');
    expect(await other.end('SIGKILL')).toBeNull();
    expect(await held.finish()).toContain('HTTP/1.1 201 Created');
    await until(
      () => workers.filter(lives),
      (left) => left.length === 0,
    );
  });
});

describe('a failed start', () => {
  test('prints every problem once and ends with 1', async () => {
    const refused = await servers.start({ ROLES_FILE: 'nowhere.json' });
    expect(await refused.ended).toBe(1);
    expect(refused.output().match(/nowhere\.json/g)).toHaveLength(1);
    const misread = await servers.start({ WORKERS: 'many', SITE_TRASH: 'perhaps' });
    expect(await misread.ended).toBe(1);
    expect(misread.output().match(/environment/g)).toHaveLength(2);
  });

  test('or one that is stopped early leaves no process', async () => {
    const early = await servers.start();
    const workers = await until(
      () => workersOf(early),
      (pids) => pids.length > 0,
    );
    expect(await early.end('SIGTERM')).toBe(0);
    expect(workers.filter(lives)).toEqual([]);
  });

  test('names the port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const second = await servers.start({ PORT: String((other.address() as AddressInfo).port) });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/^environment PORT: 127\.0\.0\.1:\d+ is taken by another process$/m);
    other.close();
  });

  test.each(['1', '2'])('prints the generated password nevertheless, with %s processes', async (WORKERS) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    const empty = await freshDatabase();
    const refused = await servers.start({ PORT, WORKERS, ADMIN_PASSWORD: '', DATABASE_URL: empty.url });
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toMatch(/^ {2}Login {2}admin \/ \S+ {3}\(shown once: keep it\)$/m);
    await empty.drop();
    other.close();
  });

  test.each(['1', '2'])(
    'prints the generated password when it fails later, with %s processes; creates no account without a secret',
    async (WORKERS) => {
      const folder = join(servers.folder, `blocked-${WORKERS}`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'secret'), 'broken');
      writeFileSync(join(folder, 'incoming'), '');
      const start = async () => {
        const DATABASE_URL = `sqlite:${join(folder, 'site.sqlite')}`;
        const refused = await servers.start({ WORKERS, ADMIN_PASSWORD: '', TOKEN_SECRET: '', DATABASE_URL });
        expect(await refused.ended).toBe(1);
        return refused.output();
      };
      const withoutSecret = await start();
      expect(withoutSecret).toContain('does not hold a secret');
      expect(withoutSecret).not.toContain('Login');
      rmSync(join(folder, 'secret'));
      const withoutFolder = await start();
      expect(withoutFolder).toMatch(/^ {2}Login {2}admin \/ \S+ {3}\(shown once: keep it\)$/m);
      expect(withoutFolder).toMatch(/incoming: the folder of incoming uploads cannot be made: .+ \(Remove what/);
      expect(withoutFolder).not.toContain('    at ');
    },
  );

  test('waits for a database that does not respond, alive and not ready, until it is stopped', async () => {
    const waiting = await servers.start({ DATABASE_URL: 'mysql://root@127.0.0.1:1/nothing' });
    const status = (path: string) =>
      waiting.send('GET', path).then(
        (response) => response.status,
        () => 0,
      );
    await until(
      () => status('//livez'),
      (found) => found === 200,
    );
    expect(await status('//readyz')).toBe(503);
    expect(await status('/posts')).toBe(503);
    expect(await waiting.end('SIGTERM')).toBe(0);
  });
});

test('workers serve the same schemas although a file is saved between their starts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-between-'));
  const hold = join(folder, 'hold');
  const SCHEMAS_DIR = join(folder, 'schemas');
  const EXTENSIONS_DIR = join(folder, 'extensions');
  for (const each of [SCHEMAS_DIR, EXTENSIONS_DIR]) mkdirSync(each);
  const save = (fields: object) =>
    writeFileSync(
      join(SCHEMAS_DIR, 'cup.json'),
      JSON.stringify({ name: 'cup', path: 'cups', fields, permissions: 'public-read' }),
    );
  save({ title: { type: 'string' } });
  writeFileSync(hold, '');
  // The second worker does not read the schemas yet.
  const second = `process.argv.includes('--worker=1') && existsSync(FILE)`;
  writeFileSync(
    join(EXTENSIONS_DIR, 'slow.mjs'),
    SLOW_EXTENSION.replace('existsSync(FILE)', second).replace('FILE', JSON.stringify(hold)),
  );
  const own = await freshDatabase();
  const others = serverProcesses(own.url, { WORKERS: '2', LOG_LEVEL: 'info', SCHEMAS_DIR, EXTENSIONS_DIR });
  try {
    const running = await others.start();
    await running.ready();
    save({ title: { type: 'string' }, size: { type: 'integer' } });
    rmSync(hold);
    await allServe(running);
    // Which worker accepts a connection is up to the kernel, so that responses alone may be those of one of them.
    await Promise.race([until(() => running.output().includes('the saved files are applied'), Boolean), sleep(20_000)]);
    const requests = Array.from({ length: 100 }, () => running.send('OPTIONS', '/cups', { status: 200 }));
    const shown = (await Promise.all(requests)).map(({ body }) => Object.hasOwn(body.schema.properties, 'size'));
    expect(shown.filter(Boolean)).toHaveLength(100);
  } finally {
    await others.close();
    await own.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
