// A worker (WORKERS) that goes on being given connections and no longer responds. The kind of database does not matter.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import { allServe, serverProcesses, until, workersOf } from '../support/server-process.js';
import type { ServerProcess, ServerProcesses } from '../support/server-process.js';

let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;

beforeAll(async () => {
  database = await freshDatabase();
  // Longer than a busy machine keeps the other one from responding.
  servers = serverProcesses(database.url, { WORKERS: '2', WORKER_TIMEOUT: '8s', LOG_LEVEL: 'info' });
  server = await servers.start();
  await allServe(server);
});

afterAll(async () => {
  await servers.close();
  await database.drop();
});

test('an unresponsive worker is killed and replaced, and does not block the application of saved files', async () => {
  const [stopped = 0] = workersOf(server);
  process.kill(stopped, 'SIGSTOP');
  process.kill(server.pid, 'SIGHUP');
  await allServe(server, 2);
  expect(server.output()).toContain(
    `"pid":${stopped},"msg":"a worker has not responded for 8 s and is killed (WORKER_TIMEOUT)"`,
  );
  await until(
    () => server.output(),
    (said) => said.includes('the saved files are applied'),
  );
  expect(workersOf(server)).toHaveLength(2);
  expect(workersOf(server)).not.toContain(stopped);
  expect((await server.send('GET', '/posts')).status).toBe(200);
  expect(await server.end()).toBe(0);
});
