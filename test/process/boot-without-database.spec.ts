// A server whose database is not there yet: it lives, says that it is not ready, and serves once the database answers (reliability D8).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { enginesThere, freshDatabase } from '../support/fresh-database.js';
import { Proxy, serverOf, through } from '../unit/storage/proxy.js';

const servers = enginesThere().filter((engine) => engine !== 'sqlite');
const each = servers.length > 0 ? describe.each(servers) : describe.skip.each(['mysql', 'postgres'] as const);

it(`runs on ${servers.join(' and ') || 'no server: TEST_MYSQL_URL and TEST_POSTGRES_URL are not set'}`, () =>
  undefined);

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const proxy = await Proxy.before({ host: '127.0.0.1', port: 1 });
  await proxy.close();
  return proxy.port;
}

function start(folder: string, port: number, database: string): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', fileURLToPath(new URL('serve-child.mjs', import.meta.url))], {
    cwd: folder,
    env: {
      SCHEMAS_DIR: fileURLToPath(new URL('../../schemas', import.meta.url)),
      ROLES_FILE: fileURLToPath(new URL('../../roles.json', import.meta.url)),
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: database,
      MEDIA_DIR: join(folder, 'media'),
      TOKEN_SECRET: 'a secret that only tests know',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The answer of the first server that listens there. */
async function ask(port: number, path: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Connection: 'close' } }).catch(
      () => undefined,
    );
    if (answer) return answer;
    await sleep(50);
  }
}

each('a server before its database %s', (engine) => {
  it('lives, says why it is not ready, and serves when the database comes', async () => {
    const database = await freshDatabase(engine);
    const folder = mkdtempSync(join(tmpdir(), 'typecase-boot-'));
    const [port, wire] = [await freePort(), await freePort()];
    const child = start(folder, port, through(database.url, wire));
    let log = '';
    child.stdout!.on('data', (data) => (log += data));
    let proxy: Proxy | undefined;
    try {
      expect((await ask(port, '/livez')).status).toBe(200);
      const ready = await ask(port, '/readyz');
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ message: expect.stringMatching(/database/) });
      const refused = await ask(port, '/cms/v2/posts');
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, 5]);
      proxy = await Proxy.before(serverOf(database.url), wire);
      while ((await ask(port, '/readyz')).status !== 200) await sleep(50);
      expect((await ask(port, '/cms/v2/posts')).status).toBe(200);
      expect(log).toMatch(/waiting for the database/);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
      await proxy?.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);

  it('ends at once when it is told to while it waits', async () => {
    const database = await freshDatabase(engine);
    const folder = mkdtempSync(join(tmpdir(), 'typecase-boot-'));
    const port = await freePort();
    const child = start(folder, port, through(database.url, await freePort()));
    try {
      expect((await ask(port, '/livez')).status).toBe(200);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    } finally {
      child.kill('SIGKILL');
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
