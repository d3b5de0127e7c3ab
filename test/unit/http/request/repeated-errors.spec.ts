// Errors of periodic work in the log.
import { expect, it } from '@jest/globals';
import { ResourceError } from '../../../../src/errors/resource-error.js';
import { RepeatedErrors } from '../../../../src/http/request/repeated-errors.js';

/** Notes errors at seconds; returns the seconds at which a line was written, with `repeated`. */
function linesOf(errors: readonly (readonly [second: number, error: unknown])[]): [number, number | undefined][] {
  let second = 0;
  const lines: [number, number | undefined][] = [];
  const log = { error: (about: { repeated?: number }) => void lines.push([second, about.repeated]) };
  const repeated = new RepeatedErrors(log as never, 'work failed', () => second * 1000);
  for (const [at, error] of errors) {
    second = at;
    repeated.note(error);
  }
  return lines;
}

const away = () => Object.assign(new ResourceError('rest_unavailable'), { cause: 'connect ECONNREFUSED' });
const everySecond = (seconds: number, error: () => unknown) =>
  Array.from({ length: seconds }, (_, second) => [second, error()] as const);

it('an error that is repeated every second is logged at a decreasing rate, with its count', () => {
  expect(linesOf(everySecond(100, away))).toEqual([
    [0, undefined],
    [10, 9],
    [30, 19],
    [70, 39],
  ]);
});

it('the pauses are at most ten minutes', () => {
  const seconds = linesOf(everySecond(4000, away)).map(([second]) => second);
  expect(Math.max(...seconds.slice(1).map((second, at) => second - seconds[at]!))).toBe(600);
});

it('a different error, and the same one after a minute without it, is logged at once', () => {
  const other = Object.assign(away(), { cause: 'connection lost' });
  const errors = [
    [0, away()],
    [1, other],
    [2, away()],
    [3, new Error('a mistake')],
    [63, away()],
  ] as const;
  expect(linesOf(errors).map(([second]) => second)).toEqual([0, 1, 3, 63]);
});

it('any number of different errors takes bounded memory', () => {
  const repeated = new RepeatedErrors({ error: () => undefined } as never, 'work failed', () => 0);
  for (let n = 0; n < 1000; n++) repeated.note(new Error(`error ${n}`));
  expect((repeated as any).seen.size).toBeLessThanOrEqual(100);
});
