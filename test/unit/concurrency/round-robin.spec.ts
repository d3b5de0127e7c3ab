import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { RoundRobinQueue } from '../../../src/concurrency/round-robin.js';

function roundsOf(...jobs: [client: string, job: string][]): RoundRobinQueue<string> {
  const rounds = new RoundRobinQueue<string>();
  for (const [client, job] of jobs) rounds.add(client, job);
  return rounds;
}

function allOf(rounds: RoundRobinQueue<string>): string[] {
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

it('clients take turns, and the jobs of each stay in order', () => {
  expect(allOf(roundsOf(...MANY))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('a client that returns joins the end of the round', () => {
  const rounds = roundsOf(['a', 'a1'], ['b', 'b1'], ['b', 'b2']);
  expect(rounds.take()).toBe('a1');
  rounds.add('a', 'a2');
  expect(allOf(rounds)).toEqual(['b1', 'a2', 'b2']);
});

it('first() returns the next job without removing it', () => {
  const rounds = roundsOf(...MANY);
  expect([rounds.first(), rounds.first(), rounds.take(), rounds.first()]).toEqual(['a1', 'a1', 'a1', 'b1']);
  expect(roundsOf().first()).toBeUndefined();
});

it('a job is removed once', () => {
  const rounds = roundsOf(...MANY);
  expect(['a2', 'a2', 'x'].map((job) => rounds.remove('a', job))).toEqual([true, false, false]);
  expect(rounds.remove('nobody', 'a1')).toBe(false);
  expect([rounds.size, rounds.sizeOf('a'), rounds.sizeOf('nobody')]).toEqual([5, 2, 0]);
  expect(allOf(rounds)).toEqual(['a1', 'b1', 'c1', 'a3', 'b2']);
  expect(rounds.size).toBe(0);
});

it('the newest job of the busiest client is taken, if it has more jobs than another', () => {
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

it('a client that arrives during the turn of another is served before its next turn', () => {
  const rounds = roundsOf(['a', 'a1'], ['a', 'a2'], ['a', 'a3']);
  expect(rounds.take()).toBe('a1');
  rounds.add('b', 'b1');
  expect(rounds.first()).toBe('b1');
  expect(allOf(rounds)).toEqual(['b1', 'a2', 'a3']);
});

it('a job moves only to a client with fewer jobs before it', () => {
  const rounds = roundsOf(...MANY);
  expect(rounds.move('a', 'a2', 'c')).toBe(false);
  expect(rounds.move('a', 'x', 'd')).toBe(false);
  expect(rounds.move('nobody', 'a3', 'd')).toBe(false);
  expect(rounds.move('a', 'a3', 'a')).toBe(false);
  expect(rounds.move('a', 'a3', 'd')).toBe(true);
  expect(rounds.size).toBe(6);
  expect(allOf(rounds)).toEqual(['a1', 'b1', 'c1', 'a3', 'a2', 'b2']);
});

const CLIENTS = ['a', 'b', 'c', 'd', 'e'];

it('every waiting client has a turn within as many turns as there are clients', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ act: fc.constant('add' as const), client: fc.constantFrom(...CLIENTS) }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('take' as const) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('first' as const) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('leave' as const), at: fc.nat() }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const rounds = new RoundRobinQueue<string>();
      const jobs: [client: string, job: string][] = [];
      /** Turns of others since a client waits without a break, or since its last turn. */
      const passed = new Map<string, number>();
      const settle = () => {
        for (const client of CLIENTS) {
          if (!jobs.some(([own]) => own === client)) passed.delete(client);
          else if (!passed.has(client)) passed.set(client, 0);
        }
      };
      for (const [at, each] of steps.entries()) {
        if (each.act === 'add') {
          rounds.add(each.client, `${each.client}${at}`);
          jobs.push([each.client, `${each.client}${at}`]);
        } else if (each.act === 'leave' && jobs.length > 0) {
          const [[client, job]] = jobs.splice(each.at % jobs.length, 1) as [[string, string]];
          expect(rounds.remove(client, job)).toBe(true);
        } else if (each.act === 'first') {
          rounds.first();
        } else if (each.act === 'take') {
          const job = rounds.take();
          const mine = jobs.findIndex(([, own]) => own === job);
          expect(mine < 0).toBe(jobs.length === 0);
          if (mine < 0) continue;
          const [client] = jobs.splice(mine, 1)[0]!;
          // The jobs of one client keep their order.
          expect(jobs.slice(0, mine).some(([own]) => own === client)).toBe(false);
          passed.delete(client);
          for (const [other, turns] of passed) passed.set(other, turns + 1);
          for (const turns of passed.values()) expect(turns).toBeLessThan(CLIENTS.length);
        }
        settle();
        expect(rounds.size).toBe(jobs.length);
      }
    }),
    { numRuns: 500 },
  );
});
