import { expect, test } from '@jest/globals';
import { withTimeout } from '../../../src/concurrency/with-timeout.js';

const late = () => new Error('late');

test('work in time gives its result or its error', async () => {
  await expect(withTimeout(60_000, Promise.resolve(1), late)).resolves.toBe(1);
  await expect(withTimeout(60_000, Promise.reject(new Error('own')), late)).rejects.toThrow('own');
});

test('work that does not end is given up', async () => {
  await expect(withTimeout(1, new Promise(() => undefined), late)).rejects.toThrow('late');
});

test('an error after the time is ignored', async () => {
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise((_, reject) => (fail = reject));
  await expect(withTimeout(1, work, late)).rejects.toThrow('late');
  fail(new Error('own'));
});
