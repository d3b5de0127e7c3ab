import { expect, it } from '@jest/globals';
import { Rounds } from '../../../src/concurrency/rounds.js';

function roundsOf(...jobs: [client: string, job: string][]): Rounds<string> {
  const rounds = new Rounds<string>();
  for (const [client, job] of jobs) rounds.add(client, job);
  return rounds;
}

function allOf(rounds: Rounds<string>): string[] {
  const taken: string[] = [];
  for (let job = rounds.take(); job !== undefined; job = rounds.take()) taken.push(job);
  return taken;
}

const MANY: [string, string][] = [
  ['a', 'a1'],
  ['a', 'a2'],
  ['a', 'a3'],
  ['b', 'b1'],
  ['b', 'b2'],
  ['c', 'c1'],
];

it('clients take turns, and the jobs of each keep their order', () => {
  expect(allOf(roundsOf(...MANY))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('a client that comes back joins the end of the round', () => {
  const rounds = roundsOf(['a', 'a1'], ['b', 'b1'], ['b', 'b2']);
  expect(rounds.take()).toBe('a1');
  rounds.add('a', 'a2');
  expect(allOf(rounds)).toEqual(['b1', 'a2', 'b2']);
});

it('the first is the one that is taken next, and stays', () => {
  const rounds = roundsOf(...MANY);
  expect([rounds.first(), rounds.first(), rounds.take(), rounds.first()]).toEqual(['a1', 'a1', 'a1', 'b1']);
  expect(roundsOf().first()).toBeUndefined();
});

it('what waits no longer is left out, once', () => {
  const rounds = roundsOf(...MANY);
  expect(['a2', 'a2', 'x'].map((job) => rounds.remove('a', job))).toEqual([true, false, false]);
  expect(rounds.remove('nobody', 'a1')).toBe(false);
  expect([rounds.size, rounds.sizeOf('a'), rounds.sizeOf('nobody')]).toEqual([5, 2, 0]);
  expect(allOf(rounds)).toEqual(['a1', 'b1', 'c1', 'a3', 'b2']);
  expect(rounds.size).toBe(0);
});

it('the busiest client gives its newest job, where it has more than another', () => {
  const rounds = roundsOf(...MANY);
  expect(rounds.takeFromBusiest(3)).toBeUndefined();
  expect([rounds.takeFromBusiest(2), rounds.takeFromBusiest(1), rounds.takeFromBusiest(2)]).toEqual([
    'a3',
    'a2',
    undefined,
  ]);
  expect(rounds.size).toBe(4);
  expect(roundsOf().takeFromBusiest(0)).toBeUndefined();
});
