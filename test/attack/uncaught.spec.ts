// A server in which an error escapes every handler says so in its log and goes on; one in which they pile up ends, with exit code 1.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { serverProcesses, type ServerProcesses, until } from '../support/server-process.js';

let database: FreshDatabase;
let servers: ServerProcesses;
beforeEach(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url);
});
afterEach(async () => {
  await servers.close();
  await database.drop();
});

/** A server that runs these lines when it gets SIGUSR2. */
async function faulty(lines: string) {
  const file = join(servers.folder, 'fault.mjs');
  writeFileSync(file, `process.on('SIGUSR2', () => { ${lines} });\n`);
  const server = await servers.start({ NODE_OPTIONS: `--import file://${file}` });
  await server.ready();
  return server;
}

test('errors in timers, streams and promises are logged, and the server continues', async () => {
  const server = await faulty(`
    setTimeout(() => { throw new Error('thrown in a timer'); });
    Promise.reject(new Error('rejected, and nobody waits'));
    Promise.reject('no error at all');
    process.emit('uncaughtException', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));`);
  process.kill(server.pid, 'SIGUSR2');
  const told = ['thrown in a timer', 'rejected, and nobody waits', 'no error at all', 'write EPIPE'];
  await until(
    () => server.output(),
    (output) => told.every((text) => output.includes(text)),
  );
  expect((await server.send('GET', '//livez')).status).toBe(200);
  expect((await server.send('GET', '/posts')).status).toBe(200);
});

test('too many errors end the server with a failure', async () => {
  const server = await faulty(`setInterval(() => { throw new Error('over and over'); }, 1);`);
  process.kill(server.pid, 'SIGUSR2');
  expect(await server.ended).toBe(1);
  expect(server.output()).toContain('over and over');
});

test.each(['json', 'pretty'])(
  'a log (%s) that cannot be written neither ends the server nor prevents its end',
  async (format) => {
    const file = join(servers.folder, 'full.mjs');
    // Standard output becomes a file on a full disk.
    writeFileSync(file, `import { closeSync, openSync } from 'node:fs'; closeSync(1); openSync('/dev/full', 'w');\n`);
    const server = await servers.start({
      NODE_OPTIONS: `--import file://${file}`,
      LOG_LEVEL: 'info',
      LOG_FORMAT: format,
    });
    await server.ready();
    for (let sent = 0; sent < 100; sent++) expect((await server.send('GET', '/posts')).status).toBe(200);
    await until(
      () => server.output(),
      (output) => output.includes('the log cannot be written'),
    );
    expect(server.output()).not.toContain('    at ');
    expect(await server.end()).toBe(0);
  },
);
