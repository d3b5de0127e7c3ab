// How long a server's event loop stands still while it is given work, seen from outside: the slowest answer of `/livez`
// asked again and again beside that work. Used by the suites of test/attack/.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The goal is 50 ms; machines that run other tests beside this one take longer for nothing, hence the margin. */
const LONGEST_STALL = 250;
/** A try below this many milliseconds is not repeated. */
const NOISE = 40;
/** Below this many milliseconds other processes may be the cause, and growth says nothing. */
const GROWTH_FLOOR = 150;
/** Work on four times the input may take this many times as long: linear, with a margin; quadratic work takes 16 times. */
const LARGEST_GROWTH = 8;
const TRIES = 5;

/** Runs `work` and resolves with the slowest answer of `<url>/livez` meanwhile, in milliseconds. */
export async function stallDuring(url: string, work: () => Promise<unknown>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let running = true;
  let slowest = 0;
  const probe = async () => {
    do {
      const start = performance.now();
      await live(url, agent);
      slowest = Math.max(slowest, performance.now() - start);
      await sleep(2);
    } while (running);
  };
  await live(url, agent);
  const probing = probe();
  try {
    await work();
  } finally {
    running = false;
    await probing;
    agent.destroy();
  }
  return slowest;
}

/**
 * Fails when work of size `n` or `4n` holds the event loop: the best of five tries must stay below 250 ms, and must not
 * grow faster than the input. `work(size)` sends the request or requests and checks their answers.
 */
export async function expectResponsive(
  url: string,
  n: number,
  work: (size: number) => Promise<unknown>,
): Promise<void> {
  const small = await leastStall(url, () => work(n));
  const large = await leastStall(url, () => work(4 * n));
  const growth = large / Math.max(small, NOISE / LARGEST_GROWTH);
  if (large > LONGEST_STALL) throw new Error(`/livez waited ${large.toFixed()} ms at size ${4 * n}`);
  if (large > GROWTH_FLOOR && growth > LARGEST_GROWTH)
    throw new Error(`/livez waited ${small.toFixed()} ms at size ${n}, ${large.toFixed()} ms at size ${4 * n}`);
}

async function leastStall(url: string, work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < TRIES && least > NOISE; attempt++)
    least = Math.min(least, await stallDuring(url, work));
  return least;
}

function live(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/livez`, { agent }, (answer) => {
      answer.resume().once('end', resolve);
    }).once('error', reject);
  });
}
