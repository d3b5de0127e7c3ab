// `npm run bench -- mixed [minutes] [posts]`: a mix of reads, searches, creates and updates, from 32 connections at
// once, on a SQLite file. Reports latencies, the longest delay of the server's event loop, and its memory, per minute.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill } from './fill.js';
import { cursorsOf, kindsOf, randomItems } from './kinds.js';
import { load, percentile, together } from './load.js';
import { AUTHORIZATION, copied, environment, FOLDER, ROOT } from './main.js';
import { aligned } from './report.js';
import { startServer } from './servers.js';

const CONNECTIONS = 32;
/** Number of requests of each kind among 20. */
const MIX: readonly [kind: string, of20: number][] = [
  ['list of ten', 4],
  ['item', 5],
  ['list, signed in', 2],
  ['item, signed in', 2],
  ['one category', 2],
  ['deep page', 1],
  ['search', 1],
  ['item, not modified', 1],
  ['create', 1],
  ['update', 1],
];

/** Runs the benchmark. Throws when a request fails. */
export async function run([minutes = '10', posts = '100000']: string[]): Promise<void> {
  const count = Number(posts);
  const file = join(FOLDER, `posts-${count}.sqlite`);
  const schemas = join(ROOT, 'schemas');
  await fill(environment(`sqlite:${file}?synchronous=normal`, { schemas }), file, count);
  const folder = mkdtempSync(join(tmpdir(), 'typecase-mixed-'));
  const delays = join(folder, 'delays');
  const typecase = await startServer(
    'Typecase',
    ['--import', delayWriter(delays), join(ROOT, 'dist/main.js')],
    environment(`sqlite:${copied(file)}`, { schemas }),
  );
  try {
    const found = { ...(await randomItems(typecase, count)), cursors: await cursorsOf(typecase) };
    const kinds = kindsOf({ posts: count, authorization: AUTHORIZATION, ...found });
    const order = MIX.flatMap(([name, of20]) => Array<string>(of20).fill(name));
    // Spreads the kinds evenly: 7 and 20 have no common divisor.
    const shot = (index: number) => kinds.find(({ name }) => name === order[(index * 7) % order.length])!.shot(index);
    const rows: string[][] = [];
    for (let minute = 1; minute <= Number(minutes); minute++) {
      rmSync(delays, { force: true });
      const measured = together([await load(typecase, shot, 60, CONNECTIONS)]);
      const longest = Math.max(0, ...readFileSync(delays, 'utf8').trim().split('\n').map(Number));
      const mib = ((typecase.memory()?.now ?? 0) / 2 ** 20).toFixed(0);
      const times = [0.5, 0.99, 1].map((share) => percentile(measured, share).toFixed(0));
      rows.push([`${minute}`, (measured.requests / 60).toFixed(0), ...times, longest.toFixed(0), mib]);
      process.stderr.write(`\rMinute ${minute} of ${minutes}`);
    }
    const head = [
      'minute',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'longest ms',
      'event loop, longest stop ms',
      'memory MiB',
    ];
    process.stdout.write(`\n${CONNECTIONS} connections, ${count} posts, nothing failed\n${aligned([head, ...rows])}\n`);
  } finally {
    await typecase.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A module that writes the longest delay of the server's event loop to a file, in milliseconds, once a second. Threads and
 * child processes of the server load it too, and write nothing: they wait for long statements by design.
 */
function delayWriter(file: string): string {
  const code =
    `import { monitorEventLoopDelay } from 'node:perf_hooks'; import { appendFileSync } from 'node:fs'; ` +
    `import { isMainThread } from 'node:worker_threads'; ` +
    `if (isMainThread && !process.connected) { ` +
    `const delays = monitorEventLoopDelay({ resolution: 5 }); delays.enable(); ` +
    `setInterval(() => { appendFileSync(${JSON.stringify(file)}, delays.max / 1e6 + '\\n'); delays.reset(); }, 1000).unref(); }`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
