// Random histories of writes from three server processes on one database, each with connections, threads and caches of its own.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.js';
import { compileSite } from '../../src/schema/compile-site.js';
import { allTables } from '../../src/server/engine-tables.js';
import { openStore } from '../../src/storage/open-store.js';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import { describeHistories } from '../support/histories/describe-histories.js';
import { World } from '../support/histories/world.js';
import { runCommand } from '../support/run-command.js';
import { serverProcesses, type ServerProcess, type ServerProcesses } from '../support/server-process.js';

let database: FreshDatabase;
let servers: ServerProcesses;
let three: ServerProcess[];
let world: World;

beforeAll(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url, { RATE_LIMIT: 'none' });
  three = await Promise.all([1, 2, 3].map(() => servers.start()));
  await Promise.all(three.map((server) => server.ready()));
  const { site } = readConfig({ SCHEMAS_DIR: 'schemas', DATABASE_URL: database.url }, false);
  const models = compileSite('schemas', site);
  const store = await openStore(database.url, { pool: 2, migrate: 'off' }, allTables(models));
  world = new World(three, models, store);
  for (let at = 0; at < three.length; at++) await world.send(at, 'GET', '/users/me');
});
afterAll(async () => {
  await world?.store.close();
  await servers.close();
  await database.drop();
});

describeHistories(() => world);

describe('after all histories', () => {
  it('check --data finds nothing, and no server has logged an error', async () => {
    const environment = {
      SCHEMAS_DIR: 'schemas',
      DATABASE_URL: database.url,
      MEDIA_DIR: join(servers.folder, 'media'),
    };
    const { code, output } = await runCommand(['check', '--data'], environment);
    expect({ code, output }).toMatchObject({ code: 0 });
    for (const server of three) expect(server.output()).not.toMatch(/"level":[56]0/);
  });
});
