// A change of tables while another session uses them, as a backup does: it says that it waits, keeps nobody else out, and goes on once
// the session has ended.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Running, run, startServer } from '../../support/built-program.js';
import { openConnection, testEngine, type DirectConnection } from '../../support/fresh-database.js';
import { until } from '../../support/server-process.js';
import { EvolvingSite, OPEN } from './evolving-site.js';

const onServers = testEngine() !== 'sqlite' ? it : it.skip;
const fields = { title: { type: 'string', maxLength: 60 } };
const before = { note: { ...OPEN, fields } };
const after = { note: { ...OPEN, fields: { ...fields, size: { type: 'integer', default: 1 } } } };

/** What the other session begins with. SQLite lets one process at a time write, and keeps no readers out. */
const USE = {
  sqlite: ['BEGIN IMMEDIATE'],
  mysql: ['START TRANSACTION', 'SELECT * FROM notes'],
  postgres: ['BEGIN', 'SELECT * FROM notes'],
}[testEngine()];

/** Keeps others from the tables that every start reads. */
const LOCK = {
  sqlite: ['BEGIN IMMEDIATE'],
  mysql: ['LOCK TABLES typecase_migrations WRITE'],
  postgres: ['BEGIN', 'LOCK TABLE typecase_migrations'],
}[testEngine()];

let site: EvolvingSite;
let other: DirectConnection;
let running: Running[];

beforeEach(async () => {
  running = [];
  site = await EvolvingSite.make();
  site.write(before);
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.kill()));
  await other.close().catch(() => undefined);
  await site.close();
});

async function use(): Promise<void> {
  other = await openConnection(site.database.url);
  for (const sql of USE) await other.runSql(sql);
}

it('migrate reports that it waits, and requests continue', async () => {
  await site.serving(async ({ site: server }) => {
    expect(await server.send('POST', '/notes', { body: { title: 'first' } })).toMatchObject({ status: 201 });
    await use();
    site.write(after);
    const command = run('dist/cli.js', ['migrate'], site.environment, site.work);
    running.push(command);
    await until(
      () => command.output(),
      (output) => output.includes('waiting until'),
    );
    // For longer than a statement waits for a lock.
    for (const end = Date.now() + 6_000; Date.now() < end;) {
      const began = Date.now();
      expect(await server.send('GET', '/notes/1')).toMatchObject({ status: 200 });
      expect(Date.now() - began).toBeLessThan(4_000);
    }
    await other.runSql('COMMIT');
    expect(await command.ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('done: add column notes.size'),
    });
    expect(command.output().match(/waiting until/g)).toHaveLength(1);
  });
});

it('another command that opens the site reports why it waits', async () => {
  await site.serving(async () => undefined);
  other = await openConnection(site.database.url);
  for (const sql of LOCK) await other.runSql(sql);
  const command = run('dist/cli.js', ['check', '--data'], { ...site.environment, LOG_LEVEL: 'warn' });
  running.push(command);
  await until(
    () => command.output(),
    (output) => output.includes('another session has locked them'),
  );
  await other.close();
  expect(await command.ended).toMatchObject({ code: 0, output: expect.stringContaining('0 problems') });
});

onServers.each([['diff'], ['doctor'], ['migrate']])('%s reports why it waits', async (name) => {
  await site.serving(async () => undefined);
  other = await openConnection(site.database.url);
  for (const sql of LOCK) await other.runSql(sql);
  const command = run('dist/cli.js', [name], site.environment, site.work);
  running.push(command);
  await until(
    () => command.output(),
    (output) => output.includes('another session has locked them'),
  );
  await other.close();
  expect(await command.ended).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Nothing to do|as the schemas say/),
  });
});

onServers('a running server gives the change up after some seconds, and serves as before', async () => {
  const environment = { ...site.environment, LOG_LEVEL: 'warn' };
  const server = await startServer(environment);
  running.push(server);
  await use();
  site.write(after);
  process.kill(server.pid, 'SIGHUP');
  await until(
    () => server.output(),
    (output) => output.includes('the saved files are not applied'),
  );
  expect(server.output()).toContain('other sessions use notes');
  const response = await fetch(`http://127.0.0.1:${server.port}/cms/v2/notes`);
  expect(response.status).toBe(200);
});
