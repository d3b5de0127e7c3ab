// Load generator: sends requests to a server for some seconds and measures latency and processor time.
import autocannon from 'autocannon';
import type { RunningServer } from './servers.js';

const CONNECTIONS = 16;

/** One request. */
export interface Shot {
  path: string;
  headers?: Record<string, string>;
  method?: 'GET' | 'POST';
  body?: string;
}

/** Result of one or more rounds. */
export interface Measured {
  requests: number;
  seconds: number;
  cpuSeconds: number | undefined;
  /** Of them, those of the database server. */
  databaseSeconds: number;
  /** Milliseconds of each request. */
  latencies: number[];
}

/** Sends the requests that `shot` makes as fast as the server responds. Throws when a response is an error. */
export async function load(
  server: RunningServer,
  shot: (index: number) => Shot,
  seconds: number,
  connections = CONNECTIONS,
): Promise<Measured> {
  const latencies: number[] = [];
  const refused: string[] = [];
  const before = server.cpuSeconds();
  const databaseBefore = server.databaseSeconds();
  const started = performance.now();
  const result = await shoot(server.origin, shot, { seconds, connections, latencies, refused });
  const elapsed = (performance.now() - started) / 1000;
  const after = server.cpuSeconds();
  const databaseSeconds = server.databaseSeconds() - databaseBefore;
  const failed = result['4xx'] + result['5xx'] + result.errors + result.timeouts;
  if (failed > 0)
    throw new Error(
      `${server.name}: ${failed} of ${result.requests.total} requests failed (${shot(0).path}): ${result.timeouts} without ` +
        `a response, ${result.errors - result.timeouts} on the connection, ${refused[0] ?? 'none with an error status'}`,
    );
  const cpu = before === undefined || after === undefined ? undefined : after - before;
  latencies.sort((left, right) => left - right);
  return { requests: latencies.length, seconds: elapsed, cpuSeconds: cpu, databaseSeconds, latencies };
}

/** How requests are sent, and the recorded results: milliseconds of each, and errors. */
interface Shooting {
  seconds: number;
  connections: number;
  latencies: number[];
  refused: string[];
}

function shoot(
  url: string,
  shot: (index: number) => Shot,
  { seconds, connections, latencies, refused }: Shooting,
): Promise<autocannon.Result> {
  return new Promise((resolve, reject) => {
    let index = 0;
    const requests = [
      {
        setupRequest: (request: autocannon.Request) => ({ ...request, method: 'GET', ...shot(index++) }) as const,
        onResponse(status: number, body: string) {
          if (status >= 400) refused.push(`${status} ${body}`);
        },
      },
    ];
    const run = autocannon({ url, connections, duration: seconds, requests }, (error, result) =>
      error ? reject(error as Error) : resolve(result),
    );
    run.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  });
}

/** Merges several rounds into one result. */
export function together(rounds: readonly Measured[]): Measured {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const cpu = rounds.map((round) => round.cpuSeconds);
  return {
    requests: sum(rounds.map((round) => round.requests)),
    seconds: sum(rounds.map((round) => round.seconds)),
    cpuSeconds: cpu.includes(undefined) ? undefined : sum(cpu as number[]),
    databaseSeconds: sum(rounds.map((round) => round.databaseSeconds)),
    latencies: rounds.flatMap((round) => round.latencies).sort((left, right) => left - right),
  };
}

/** A percentile: the latency in milliseconds that `share` of the requests did not exceed. */
export function percentile({ latencies }: Measured, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
}
