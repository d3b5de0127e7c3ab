import { describe, expect, test } from '@jest/globals';
import type { Problem } from '../../../../src/errors/problem.js';
import { applyFiles, Reloader, type Member, type Prepared } from '../../../../src/server/processes/reload.js';

const WRONG: Problem = { file: 'a.json', message: 'is wrong' };

/** A member that writes down what it is asked, and replies as told. */
function member(name: string, calls: string[], replies: Partial<Member> = {}): Member {
  const noted = <T>(what: keyof Member, value: T) => {
    return async (...given: unknown[]): Promise<T> => {
      calls.push(`${name}.${what}${given.length > 0 ? `(${JSON.stringify(given[0])})` : ''}`);
      const own = replies[what] as ((...all: unknown[]) => Promise<T>) | undefined;
      return own ? own(...given) : value;
    };
  };
  return {
    prepare: noted<Prepared>('prepare', { problems: [], changes: false }),
    stopTasks: noted('stopTasks', undefined),
    hold: noted('hold', true),
    resume: noted('resume', undefined),
    migrate: noted('migrate', []),
    build: noted('build', []),
    activate: noted('activate', undefined),
    abandon: noted('abandon', undefined),
  };
}

const nobody = () => undefined;

describe('a reload', () => {
  test('holds all members, migrates once, and activates after all are built', async () => {
    const calls: string[] = [];
    expect(await applyFiles([member('a', calls), member('b', calls)], nobody)).toEqual([]);
    expect(calls.join(' ')).toBe(
      'a.prepare b.prepare a.stopTasks b.stopTasks a.hold b.hold a.migrate a.build b.build a.activate b.activate',
    );
  });

  test('holds no member while a task of one member runs', async () => {
    const calls: string[] = [];
    const busy = member('a', calls, {
      stopTasks: async () => {
        await new Promise(setImmediate);
        calls.push('a has ended its tasks');
      },
    });
    expect(await applyFiles([busy, member('b', calls)], nobody)).toEqual([]);
    expect(calls.indexOf('b.hold')).toBeGreaterThan(calls.indexOf('a has ended its tasks'));
  });

  test('changes nothing when the files are invalid, and tells every member the problems', async () => {
    const calls: string[] = [];
    const first = member('a', calls, { prepare: async () => ({ problems: [WRONG], changes: false }) });
    expect(await applyFiles([first, member('b', calls)], nobody)).toEqual([WRONG]);
    const told = `abandon(${JSON.stringify([WRONG])})`;
    expect(calls).toEqual(['a.prepare', `a.${told}`, `b.${told}`]);
  });

  test.each(['migrate', 'build'] as const)('activates no member when one cannot %s', async (step) => {
    const calls: string[] = [];
    const leader = member('a', calls, { [step]: async () => [WRONG] });
    expect(await applyFiles([leader, member('b', calls)], nobody)).toEqual([WRONG]);
    expect(calls.filter((call) => /activate/.test(call))).toEqual([]);
    expect(calls.filter((call) => /abandon/.test(call))).toHaveLength(2);
  });

  test('reports a member that ends, and the others continue', async () => {
    const calls: string[] = [];
    const dead = member('b', calls, { build: () => Promise.reject(new Error('a worker ended')) });
    expect(await applyFiles([member('a', calls), dead], nobody)).toEqual([
      { file: 'server', message: 'a worker ended' },
    ]);
    expect(calls.some((call) => call.startsWith('a.abandon'))).toBe(true);
  });

  test.each(['prepare', 'stopTasks', 'hold', 'build', 'activate'] as const)(
    'calls abandon only after the %s of each member, even if another member has ended',
    async (step) => {
      const calls: string[] = [];
      const slow = member('b', calls, {
        [step]: async () => {
          await new Promise(setImmediate);
          calls.push('b is done');
          const replies = { prepare: { problems: [], changes: false }, hold: true, build: [] };
          return replies[step as keyof typeof replies] as never;
        },
      });
      const dead = member('c', calls, { [step]: () => Promise.reject(new Error('a worker ended')) });
      expect(await applyFiles([member('a', calls), slow, dead], nobody)).toHaveLength(1);
      expect(calls.indexOf('b is done')).toBeGreaterThan(0);
      expect(calls.findIndex((call) => call.startsWith('b.abandon'))).toBeGreaterThan(calls.indexOf('b is done'));
    },
  );

  test('lets requests continue while a change of tables waits for earlier ones', async () => {
    const calls: string[] = [];
    let held = 0;
    const busy = member('a', calls, {
      prepare: async () => ({ problems: [], changes: true }),
      hold: async () => ++held > 1,
    });
    let waits = 0;
    expect(await applyFiles([busy], () => (waits += 1))).toEqual([]);
    expect(waits).toBe(1);
    expect(calls.filter((call) => call !== 'a.stopTasks')).toEqual(
      ['prepare', 'hold', 'resume', 'hold', 'migrate', 'build', 'activate'].map((call) => `a.${call}`),
    );
    // Those that were resumed have begun tasks again.
    expect(calls.filter((call) => call === 'a.stopTasks')).toHaveLength(2);
  });

  test('without a change of tables lets an upload end in the former application', async () => {
    const calls: string[] = [];
    expect(await applyFiles([member('a', calls, { hold: async () => false })], nobody)).toEqual([]);
    expect(calls).not.toContain('a.resume');
  });
});

test('a reloader applies changes during an attempt once more, however many there are', async () => {
  const calls: string[] = [];
  const lines: unknown[] = [];
  const log = { info: (...given: unknown[]) => lines.push(given.at(-1)), warn: (line: string) => lines.push(line) };
  const reloader = new Reloader(() => [member('a', calls)], log as never);
  for (let i = 0; i < 5; i++) reloader.request();
  expect(reloader.isBusy).toBe(true);
  while (reloader.isBusy) await new Promise(setImmediate);
  expect(calls.filter((call) => call === 'a.activate')).toHaveLength(2);
  expect(lines).toEqual(['the saved files are applied', 'the saved files are applied']);
});
