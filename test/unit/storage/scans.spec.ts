// Searches take a part of the connections, never all of them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Predicate } from '../../../src/model/query.js';
import type { Bound, Connection } from '../../../src/storage/sql/connection.js';
import { searchGate } from '../../../src/storage/sql/scans.js';
import { Statements } from '../../../src/storage/sql/statements.js';
import { postgresDialect } from '../../../src/storage/postgres/dialect.js';
import { library } from './library.js';
import { CachingReader } from '../../../src/storage/reads/caching-reader.js';

const contains = (value: string): Predicate => ({ op: 'contains', column: 'folded', value });

it('limits searches to a third of the connections, while other reads continue', async () => {
  const waiting: (() => void)[] = [];
  const db: Connection = {
    rows: (sql: string): Promise<Bound[][]> | Bound[][] =>
      sql.includes('LIKE') ? new Promise((resolve) => waiting.push(() => resolve([[0]]))) : [[5]],
    run: () => Promise.reject(new Error('no writes')),
  };
  const reader = new CachingReader(db, new Statements(postgresDialect(library), library), searchGate(9));
  const searches = Array.from({ length: 40 }, (_, n) => reader.count('books', contains(`word ${n}`)));
  const ended = Promise.allSettled(searches);
  expect(await reader.count('books', { op: 'eq', column: 'loans', value: 1 })).toBe(5);
  // Before a search its version is read, at the end of the turn.
  await nextTurn();
  expect(waiting).toHaveLength(3);
  const timer = setInterval(() => waiting.splice(0).forEach((go) => go()), 5);
  const refused = (await ended).filter(({ status }) => status === 'rejected');
  clearInterval(timer);
  // Three were inside, sixteen waited.
  expect(refused).toHaveLength(40 - 3 - 16);
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({
      code: 'rest_unavailable',
      status: 503,
      message: expect.stringContaining('searches'),
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
});
