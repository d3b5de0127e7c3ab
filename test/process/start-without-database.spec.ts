// A server whose database is not there yet: it lives, says that it is not ready, and serves once the database responds;
// and one whose database stops responding.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { freePort, run, type Running } from '../support/built-program.js';
import { type Engine, engineOf, freshDatabase, openConnection, testEngine } from '../support/fresh-database.js';
import { sender, type HttpResponse } from '../support/send.js';
import { Proxy, serverOf, through } from '../unit/storage/proxy.js';

/** The response of the first server that listens there. */
async function get(port: number, path: string): Promise<HttpResponse> {
  for (;;) {
    const response = await sender(port, '/cms/v2')('GET', path).catch(() => undefined);
    if (response) return response;
    await sleep(50);
  }
}

/** What a server on this database is given. */
function environmentOf(url: string, folder: string, port: number): Record<string, string> {
  return {
    SCHEMAS_DIR: 'schemas',
    PORT: String(port),
    DATABASE_URL: url,
    MEDIA_DIR: join(folder, 'media'),
    TOKEN_SECRET: 'a secret that only tests know',
    LOG_LEVEL: 'warn',
    SHUTDOWN_TIMEOUT: '1s',
  };
}

/** Runs `work` with a server that was started on a database behind a wire which nobody holds yet. */
async function withEarlyServer(
  work: (server: Running, port: number, connectDatabase: () => Promise<Proxy>) => Promise<void>,
): Promise<void> {
  const database = await freshDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'typecase-start-'));
  const [port, wire] = [await freePort(), await freePort()];
  const server = run('dist/main.js', [], environmentOf(through(database.url, wire), folder, port));
  let proxy: Proxy | undefined;
  try {
    await work(server, port, async () => (proxy = await Proxy.before(serverOf(database.url), wire)));
  } finally {
    await server.kill();
    await proxy?.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Locks a table until the session ends. */
const LOCKED: Record<Engine, string[]> = {
  sqlite: [],
  mysql: ['LOCK TABLES contents WRITE'],
  postgres: ['BEGIN', 'LOCK TABLE contents IN ACCESS EXCLUSIVE MODE'],
};

// The embedded database is always there.
const onServers = testEngine() !== 'sqlite' ? describe : describe.skip;

onServers('a server before its database', () => {
  it('a server runs, reports why it is not ready, and serves when the database responds', () =>
    withEarlyServer(async (server, port, connectDatabase) => {
      expect((await get(port, '//livez')).status).toBe(200);
      const ready = await get(port, '//readyz');
      expect(ready.status).toBe(503);
      expect(ready.body).toMatchObject({ message: expect.stringMatching(/database/) });
      const refused = await get(port, '/posts');
      expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([503, 5]);
      await connectDatabase();
      while ((await get(port, '//readyz')).status !== 200) await sleep(50);
      expect((await get(port, '/posts')).status).toBe(200);
      expect(server.output()).toMatch(/waiting for the database/);
      expect(await server.kill('SIGTERM')).toMatchObject({ code: 0, signal: null });
    }));

  it('a server that waits for its database stops at once on SIGTERM', () =>
    withEarlyServer(async (server, port) => {
      expect((await get(port, '//livez')).status).toBe(200);
      expect(await server.kill('SIGTERM')).toMatchObject({ code: 0, signal: null });
    }));

  it('a server without its database logs at most one line a second, with the message of the driver', () =>
    withEarlyServer(async (server, port, connectDatabase) => {
      const proxy = await connectDatabase();
      while ((await get(port, '//readyz')).status !== 200) await sleep(50);
      const before = server.output().length;
      await proxy.close();
      await sleep(8_000);
      const lines = server
        .output()
        .slice(before)
        .split('\n')
        .filter((line) => line.includes('"level":50'));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.length).toBeLessThan(8);
      expect(lines.join('\n')).toMatch(/"err":"connect ECONNREFUSED/);
    }));

  it('a server whose database no longer responds stops in time', () =>
    withEarlyServer(async (server, port, connectDatabase) => {
      const wire = await connectDatabase();
      while ((await get(port, '//readyz')).status !== 200) await sleep(50);
      wire.frozen = true;
      // It is cut off at the end of SHUTDOWN_TIMEOUT.
      void sender(port, '/cms/v2')('GET', '/posts').catch(() => undefined);
      await sleep(200);
      expect(await server.kill('SIGTERM')).toMatchObject({ code: 0, signal: null });
      expect(server.output()).toMatch(/the database does not respond/);
    }));

  it('a server is alive and not ready while another session has locked a table', async () => {
    const database = await freshDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'typecase-start-'));
    const port = await freePort();
    const environment = environmentOf(database.url, folder, port);
    expect((await run('dist/cli.js', ['migrate'], environment).ended).code).toBe(0);
    const window = await openConnection(database.url);
    for (const sql of LOCKED[engineOf(database.url)]) await window.runSql(sql);
    const server = run('dist/main.js', [], environment);
    try {
      expect((await get(port, '//livez')).status).toBe(200);
      expect((await get(port, '//readyz')).body).toMatchObject({ message: expect.stringMatching(/still starting/) });
      await window.close();
      while ((await get(port, '//readyz')).status !== 200) await sleep(50);
      // Lines of the log are written twice a second.
      while (!/the start takes long/.test(server.output())) await sleep(50);
    } finally {
      await server.kill();
      await window.close().catch(() => undefined);
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
