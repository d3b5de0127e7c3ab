// When a job runs, by what is recorded of its last run.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../../../src/model/store.js';
import { LEASES } from '../../../../src/maintenance/lease.js';
import { Leases } from '../../../../src/maintenance/leases.js';
import type { ExtensionContext } from '../../../../src/server/extensions/define.js';
import { Jobs } from '../../../../src/server/extensions/jobs.js';
import { openStore } from '../../../../src/storage/open-store.js';
import { type FreshDatabase, freshDatabase } from '../../../support/fresh-database.js';

const HOUR = 3_600;
let database: FreshDatabase;
let store: Store;

beforeAll(async () => {
  database = await freshDatabase('sqlite');
  store = await openStore(database.url, { pool: 1 }, new Map([[LEASES.name, LEASES]]));
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

it.each([
  ['that never ran', 0, true],
  ['that began an interval ago', -HOUR, true],
  ['that began less than an interval ago', -HOUR / 2, false],
  ['that another server with a fast clock began', 30, false],
  ['that began before the clock was set back', 24 * HOUR, true],
])('a job %s', async (name, ago, runs) => {
  const now = Math.floor(Date.now() / 1_000);
  const leases = new Leases(store);
  if (ago !== 0) await (await leases.take(`job ${name}`, now + ago))!.release();
  let ran = 0;
  const failures: unknown[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (failure: unknown) => failures.push(failure) };
  const run = async () => void (ran += 1);
  const job = { kind: 'job', file: 'jobs.ts', definition: { name, every: '1h', run } } as never;
  const jobs = new Jobs([job], { leases, context: {} as ExtensionContext, log });
  // The first check begins at once; `stop` waits for a run that has begun.
  for (let looks = 0; looks < 100 && ran === 0 && (runs || looks < 2); looks += 1) await sleep(20);
  await jobs.stop();
  expect({ ran, failures }).toEqual({ ran: runs ? 1 : 0, failures: [] });
});
