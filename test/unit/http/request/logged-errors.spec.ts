// Any value that code of a site throws can be logged.
import { expect, test } from '@jest/globals';
import { createLogger } from '../../../../src/http/request/logger.js';

function logged(err: unknown): { err: { message: string } } {
  const lines: string[] = [];
  const log = createLogger({ level: 'error', format: 'json' }, { write: (line) => void lines.push(line) });
  log.error({ err }, 'failed');
  return JSON.parse(lines.join(''));
}

test('a frozen error is logged', () => {
  expect(logged(Object.freeze(new Error('frozen'))).err.message).toBe('frozen');
});

test('an error with throwing getters is logged', () => {
  const refuse = () => {
    throw new Error('not to be read');
  };
  const err = new Proxy(new Error('unreadable'), { get: refuse, getPrototypeOf: refuse });
  expect(logged(err).err.message).toBe('(an error that cannot be read)');
});
