// Random histories of writes from several stores of one process; test/process/histories.spec.ts has them from several processes.
import { afterAll, beforeAll } from '@jest/globals';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import { describeHistories } from '../support/histories/describe-histories.js';
import { World } from '../support/histories/world.js';

const sites: TestSite[] = [];
let world: World;

beforeAll(async () => {
  sites.push(await startTestSite('schemas'));
  // Each site has connections, queues and caches of its own, as a process has.
  const { url } = sites[0]!.config.database;
  for (let n = 1; n < 3; n++) sites.push(await startTestSite('schemas', { DATABASE_URL: url }));
  const { models, store } = sites[0]!.site;
  world = new World(sites, models, store);
  for (let at = 0; at < sites.length; at++) await world.send(at, 'GET', '/users/me');
});
afterAll(async () => {
  for (const site of [...sites].reverse()) await site.close();
});

describeHistories(() => world);
