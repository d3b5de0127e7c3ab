// `npm run bench -- growth [10000,100000]`: how the time of a request grows with the number of posts, on SQLite files, one
// request at a time, so that wall-clock time is the time of the request.
import { join } from 'node:path';
import { fill } from './fill.js';
import { cursorsOf, kindsOf, randomItems } from './kinds.js';
import { load, percentile, type Shot } from './load.js';
import { AUTHORIZATION, copied, environment, FOLDER, ROOT } from './main.js';
import { aligned } from './report.js';
import { startServer, type RunningServer } from './servers.js';

const KINDS = ['list of ten', 'item', 'one category', 'deep page', 'search', 'create'];
/** A word that occurs in the same number of posts in every file; they are created before anything is measured. */
const SELECTIVE_WORD = 'axolotl';
const SELECTIVE_POSTS = 20;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;

/** Runs the benchmark with numbers of posts, separated by commas. */
export async function run([sizes = '10000,100000']: string[]): Promise<void> {
  const counts = sizes.split(',').map(Number);
  if (!counts.every((count) => count > 0))
    throw new Error(`${sizes}: numbers of posts are expected, such as 10000,100000`);
  const columns: number[][] = [];
  for (const count of counts) columns.push(await medians(count));
  const rows = KINDS.map((name, row) => {
    const times = columns.map((column) => column[row]!);
    return [name, ...times.map((time) => time.toFixed(2)), (times.at(-1)! / times[0]!).toFixed(2)];
  });
  const head = ['p50 in ms', ...counts.map((count) => `${count} posts`), 'last / first'];
  process.stdout.write(`${aligned([head, ...rows])}\n`);
}

/** The median of each kind, in milliseconds. */
async function medians(count: number): Promise<number[]> {
  const file = join(FOLDER, `posts-${count}.sqlite`);
  const schemas = join(ROOT, 'schemas');
  await fill(environment(`sqlite:${file}?synchronous=normal`, { schemas }), file, count);
  const variables = environment(`sqlite:${copied(file)}`, { schemas });
  const typecase = await startServer('Typecase', [join(ROOT, 'dist/main.js')], variables);
  try {
    const found = { ...(await randomItems(typecase, count)), cursors: await cursorsOf(typecase) };
    const corpus = { posts: count, authorization: AUTHORIZATION, ...found };
    const kinds = kindsOf(corpus);
    const times: number[] = [];
    await addSelective(typecase);
    let requests = 0;
    const search = (): Shot => ({ path: `/cms/v2/posts?search=${SELECTIVE_WORD}&_=${(requests += 1)}` });
    for (const name of KINDS) {
      const shot = name === 'search' ? search : kinds.find((kind) => kind.name === name)!.shot;
      await load(typecase, shot, WARM_UP_SECONDS, 1);
      times.push(percentile(await load(typecase, shot, SECONDS, 1), 0.5));
    }
    return times;
  } finally {
    await typecase.stop();
  }
}

async function addSelective({ origin }: RunningServer): Promise<void> {
  for (let n = 1; n <= SELECTIVE_POSTS; n += 1) {
    const response = await fetch(`${origin}/cms/v2/posts`, {
      method: 'POST',
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      body: JSON.stringify({
        title: `Seen ${n}`,
        content: `An ${SELECTIVE_WORD} was seen. ${'It was in the water. '.repeat(60)}`,
        status: 'publish',
        date: `2015-01-${String(n).padStart(2, '0')}T12:00:00`,
      }),
    });
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
    await response.text();
  }
}
