// How long a server's event loop is blocked while it works, seen from outside: the slowest response of `/livez`, which
// is requested repeatedly during that work. Of each response only the CPU time of the server's main thread counts, not
// the time that other processes take. Used by the suites of test/attack/.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The goal is 50 ms; the margin is needed because a late probe includes the work before it. */
const MAX_STALL_MS = 250;
/** An attempt with the small input is not repeated below this many milliseconds. */
const NOISE = 40;
/** Below this many milliseconds growth is not evaluated, and an attempt with the large input is not repeated. */
const GROWTH_FLOOR = 150;
/** Work on four times the input may take this many times as long: linear, with a margin; quadratic work takes 16 times. */
const LARGEST_GROWTH = 8;
const TRIES = 5;
/**
 * Pause between probes in milliseconds, by which a stall may seem shorter. Without it the probes would cost more
 * processor time than much of the work.
 */
const PAUSE_MS = 8;

/** The server that is watched. */
export interface Watched {
  url: string;
  pid: number;
}

/** Resolves with the slowest response of `/livez` during `work`, in milliseconds of CPU time of the server's main thread. */
async function stallDuring({ url, pid }: Watched, work: () => Promise<unknown>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let running = true;
  let slowest = 0;
  const probe = async () => {
    do {
      const [start, ran] = [performance.now(), onProcessor(pid)];
      await live(url, agent);
      slowest = Math.max(slowest, Math.min(performance.now() - start, onProcessor(pid) - ran));
      await sleep(PAUSE_MS);
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

/** Milliseconds that the main thread of a process has been on a processor. */
function onProcessor(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/**
 * Fails when work of size `4n` holds the event loop: the best of five attempts must stay below 250 ms, and must not
 * have grown from size `n` much faster than the input. `work(size)` sends the request or requests and checks their
 * responses.
 */
export async function expectResponsive(
  server: Watched,
  n: number,
  work: (size: number) => Promise<unknown>,
): Promise<void> {
  const large = await leastStall(server, () => work(4 * n), GROWTH_FLOOR);
  if (large > MAX_STALL_MS) throw new Error(`/livez waited ${large.toFixed()} ms at size ${4 * n}`);
  if (large <= GROWTH_FLOOR) return;
  const small = await leastStall(server, () => work(n), NOISE);
  if (large > LARGEST_GROWTH * Math.max(small, NOISE / LARGEST_GROWTH))
    throw new Error(`/livez waited ${small.toFixed()} ms at size ${n}, ${large.toFixed()} ms at size ${4 * n}`);
}

async function leastStall(server: Watched, work: () => Promise<unknown>, enough: number): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < TRIES && least > enough; attempt++)
    least = Math.min(least, await stallDuring(server, work));
  return least;
}

function live(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/livez`, { agent }, (response) => {
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}
