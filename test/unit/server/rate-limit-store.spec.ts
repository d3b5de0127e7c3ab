// What is logged when the counters of rate limits are unavailable.
import { expect, test } from '@jest/globals';
import { siteCounters } from '../../../src/server/rate-limit-store.js';
import { unavailable } from '../../../src/storage/sql/retry.js';

test('failed counters are logged with the message of the database', async () => {
  const told: unknown[] = [];
  const refuse = () => Promise.reject(unavailable(new Error('cannot execute INSERT in a read-only transaction')));
  const counters = await siteCounters(
    { database: { url: 'postgres://db/site' }, workers: 1 } as never,
    { store: { rateCounters: { add: refuse } }, secret: {} } as never,
    { warn: (...line: unknown[]) => void told.push(line), info: () => undefined } as never,
  );
  await counters.exact.add('a', 1, 60);
  expect(told).toEqual([
    [{ reason: 'cannot execute INSERT in a read-only transaction' }, 'limits are not counted in the database'],
  ]);
});
