// The file of an embedded database that is moved, replaced or removed under a server: writes to the old one would be
// acknowledged, and lost when the process ends.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator, type Headers } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import { freshDatabase, testEngine } from '../support/fresh-database.js';
import { AS_ADMINISTRATOR, serverProcesses, until } from '../support/server-process.js';

const onFile = testEngine() === 'sqlite' ? test : test.skip;

let site: TestSite;
let as: Headers;
let file: string;
beforeAll(async () => {
  site = await startTestSite('schemas');
  as = administrator(site).headers;
  ({ file } = site.site.store as unknown as { file: string });
});
afterAll(() => site?.close());

let count = 0;
const write = () => site.send('POST', '/tags', { as, body: { name: `Tag ${++count}` } });
const ready = async () => (await site.send('GET', '//readyz')).status;
const total = async () => Number((await site.send('GET', '/tags', { status: 200 })).headers['x-wp-total']);

/** Ends the child processes as if they had been idle: the next statement starts another one. */
function endChildren(): void {
  const { fast, long } = (site.site.store as any).scans;
  for (const queue of [fast, long]) if (queue.remote) queue.retire(queue.remote);
}

onFile.each([
  ['the file', '', false],
  ['the file, of which a copy is in its place,', '', true],
  ['its log', '-wal', false],
  ['its index of the log', '-shm', false],
])('while %s is moved away, no write is acknowledged', async (_what, ending, replaced) => {
  expect((await write()).status).toBe(201);
  const before = await total();
  const [path, away] = [`${file}${ending}`, `${file}.away`];
  renameSync(path, away);
  if (replaced) copyFileSync(away, path);
  try {
    for (const response of [await write(), await write()])
      expect([response.status, response.body.code]).toEqual([503, 'rest_unavailable']);
    expect((await site.send('DELETE', '/tags/1?force=true', { as })).status).toBe(503);
    // Readiness is looked up once a second.
    await sleep(1_100);
    expect(await ready()).toBe(503);
    expect((await site.send('GET', '//livez')).status).toBe(200);
    await expect(site.site.store.snapshot(async () => undefined)).rejects.toMatchObject({ status: 503 });
    // Changes of tables wait for other processes, but not for the file.
    await expect(site.site.store.admin.exclusive(async () => undefined)).rejects.toMatchObject({ status: 503 });
    // A child process reads such a list. It would create the file, and delete the log that belongs to the moved one.
    const searched = await site.send('GET', `/tags?search=${'long '.repeat(30)}`);
    expect([searched.status, searched.body.code]).toEqual([503, 'rest_unavailable']);
    expect(existsSync(path)).toBe(replaced);
    expect(await total()).toBeGreaterThanOrEqual(before);
  } finally {
    renameSync(away, path);
  }
  await sleep(1_100);
  expect([(await write()).status, await ready()]).toEqual([201, 200]);
  expect((await site.send('GET', `/tags?search=${'Tag '.repeat(30)}`)).status).toBe(200);
  endChildren();
});

onFile('while the folder of the file is elsewhere, nothing makes another one in its place', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'typecase-moved-'));
  const [data, away] = [join(parent, 'data'), join(parent, 'away')];
  mkdirSync(data);
  const moved = await startTestSite('schemas', { DATABASE_URL: `sqlite:${join(data, 'site.sqlite')}` });
  const { headers } = administrator(moved);
  const upload = () =>
    moved.send('POST', '/media', { as: headers, file: { name: 'a.txt', type: 'text/plain', content: 'Text' } });
  try {
    expect((await upload()).status).toBe(201);
    renameSync(data, away);
    const refused = await upload();
    expect([refused.status, refused.body.code]).toEqual([503, 'rest_upload_file_error']);
    // Where there are several processes, wrong passwords are counted in a file beside the database.
    await expect(moved.site.store.rateCounters!.add('a', 1, 60)).rejects.toThrow();
    expect(existsSync(data)).toBe(false);
    renameSync(away, data);
    expect((await upload()).status).toBe(201);
  } finally {
    await moved.close();
    rmSync(parent, { recursive: true, force: true });
  }
});

onFile('while the file is elsewhere, a change of the schemas is refused', async () => {
  const database = await freshDatabase();
  const path = database.url.replace(/^sqlite:|[?].*$/g, '');
  const servers = serverProcesses(database.url, { RATE_LIMIT: 'none', LOG_LEVEL: 'info' });
  try {
    const server = await servers.start({}, ['cli.js', 'serve']);
    await server.ready();
    const made = await server.send('POST', '/tags', { as: AS_ADMINISTRATOR, body: { name: 'Kept' } });
    expect(made.status).toBe(201);
    renameSync(path, `${path}.away`);
    process.kill(server.pid, 'SIGHUP');
    await until(
      () => server.output(),
      (output) => output.includes('the saved files are '),
    );
    expect(server.output()).toMatch(/database: .*moved, replaced or removed.*the saved files are not applied/s);
    expect(existsSync(path)).toBe(false);
    renameSync(`${path}.away`, path);
    const { body } = await server.send('GET', `/tags/${made.body.id}`);
    expect(body.name).toBe('Kept');
    await server.end('SIGKILL');
    const again = await servers.start();
    await again.ready();
    expect((await again.send('GET', `/tags/${made.body.id}`)).body.name).toBe('Kept');
  } finally {
    await servers.close();
    await database.drop();
  }
});
