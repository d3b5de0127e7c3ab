// Undoing what an operation has done outside the database.
import { expect, test } from '@jest/globals';
import { compensate } from '../../../../src/engine/writes/compensate.js';

test('a compensation that fails neither rejects nor prevents the others', async () => {
  const ran: string[] = [];
  const step =
    (name: string, fails = false) =>
    async () => {
      ran.push(name);
      if (fails) throw new Error('the bucket does not respond');
    };
  await compensate({ compensations: [step('first', true), step('second')] });
  expect(ran).toEqual(['first', 'second']);
});
