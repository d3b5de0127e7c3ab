// `npm run bench`: fills a database, runs Typecase and the hand-written server on it in turns, and prints their costs.
import { createHash } from 'node:crypto';
import { closeSync, constants, copyFileSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fill } from './fill.js';
import { RARE_WORD } from './data-set.js';
import { cursorsOf, kindsOf, randomItems, type Kind } from './kinds.js';
import { load, together, type Measured } from './load.js';
import { otherLists } from './other-lists.js';
import { aligned, comparisonTable, cpuRatio, type Comparison } from './report.js';
import { requireSameResponses } from './same-responses.js';
import { startServer, type RunningServer } from './servers.js';

/** Root of the repository. */
export const ROOT = join(import.meta.dirname, '../..');
/** Folder of everything that the benchmarks write. */
export const FOLDER = join(ROOT, '.bench');
const PUBLIC_URL = 'http://bench.example';
const LIST = '/cms/v2/posts';
const PASSWORD = 'only-for-the-bench';
/** `Authorization` header of the first account. */
export const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
/** Names of the processes of database servers. */
export const DATABASE_PROCESSES = ['mariadbd', 'mysqld', 'postgres'];
/** Milliseconds between two posts of the writer. */
const WRITER_PAUSE_MS = 100;

const HELP = `npm run bench -- [options]
  growth [sizes]   p50 with more and more posts (bench/growth.ts)
  load [n]         \`typecase load\` of n lines of one's own (bench/loading.ts); with --database into an empty one
  writers <url> [ms]
                   concurrent writers on an empty database of a server, whose responses
                   are delayed by so many milliseconds (1; bench/writers.ts)
  uploads          uploads of images (bench/uploads.ts)
  mixed [minutes] [posts]
                   all kinds of requests from 32 connections (bench/mixed.ts)
  --posts <n>      posts in the database (100000)
  --rounds <n>     rounds of each server and kind of request (4)
  --seconds <n>    seconds of a round (5)
  --warm-up <n>    seconds before them, while V8 is still compiling (8)
  --only <text>    only kinds of request with this text in their names
  --main <file>    the built server to measure (dist/main.js)
  --schemas <dir>  its schemas (schemas)
  --database <url> an empty database of a server instead of a SQLite file; it is filled, and its processor time counts
  --while-writing  during all rounds, ten posts a second are created
  --profile        profile Typecase into .bench/profile
  --lists-only     only the times of other lists
`;

interface Options {
  posts: number;
  rounds: number;
  seconds: number;
  warmUp: number;
  only: string;
  main: string;
  schemas: string;
  profile: boolean;
  listsOnly: boolean;
  database: string;
  whileWriting: boolean;
}

/** Runs the benchmark with the arguments of the command line. */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  const file = join(FOLDER, `posts-${options.posts}.sqlite`);
  const { database } = options;
  if (database)
    await fill(environment(database, options), join(FOLDER, markOf(database, options.posts)), options.posts);
  else await fill(environment(`sqlite:${file}?synchronous=normal`, options), file, options.posts);
  // A copy, because writes change it: each run begins with the same rows.
  const url = database || `sqlite:${copied(file)}`;
  const processes = database ? DATABASE_PROCESSES : [];
  const servers: RunningServer[] = [];
  try {
    const typecase = await startServer('Typecase', typecaseArguments(options), environment(url, options), processes);
    servers.push(typecase);
    if (!options.listsOnly) {
      const program = join(import.meta.dirname, 'hand-written.js');
      const variables = { DATABASE_URL: url, PUBLIC_URL };
      const handWritten = await startServer('hand-written', [program], variables, processes);
      servers.push(handWritten);
      const comparisons = await compare(typecase, handWritten, options);
      print(`\n${comparisonTable(comparisons)}\n\n${comparisons[0] ? verdict(comparisons[0]) : ''}`);
    }
    print(`\nOther lists of Typecase, one request at a time\n${aligned(await otherLists(typecase))}`);
  } finally {
    for (const server of servers) await server.stop();
  }
  if (options.profile) print(`\nProfile: ${join(FOLDER, 'profile')}`);
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      posts: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '4' },
      seconds: { type: 'string', default: '5' },
      'warm-up': { type: 'string', default: '8' },
      only: { type: 'string', default: '' },
      main: { type: 'string', default: join(ROOT, 'dist/main.js') },
      schemas: { type: 'string', default: join(ROOT, 'schemas') },
      profile: { type: 'boolean', default: false },
      'lists-only': { type: 'boolean', default: false },
      database: { type: 'string', default: '' },
      'while-writing': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(HELP);
    process.exit(0);
  }
  return {
    posts: positive('posts', values.posts),
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    warmUp: positive('warm-up', values['warm-up']),
    only: values.only,
    main: values.main,
    schemas: values.schemas,
    profile: values.profile,
    listsOnly: values['lists-only'],
    database: values.database,
    whileWriting: values['while-writing'],
  };
}

/** Name of the file that records what a database was filled with. */
function markOf(database: string, posts: number): string {
  return `${createHash('sha256').update(database).digest('hex').slice(0, 12)}-${posts}`;
}

/** A copy of a SQLite file, for runs that write. */
export function copied(file: string): string {
  const copy = `${file}.copy`;
  for (const ending of ['-wal', '-shm']) rmSync(copy + ending, { force: true });
  copyFileSync(file, copy, constants.COPYFILE_FICLONE);
  // Synced, because the system would otherwise write the copy to the disk during the measurements.
  const descriptor = openSync(copy, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
  return copy;
}

function positive(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  print(`--${name} must be a whole number above 0.\n\n${HELP}`);
  process.exit(1);
}

/** Environment variables of the measured server. */
export function environment(databaseUrl: string, { schemas }: Pick<Options, 'schemas'>): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    SCHEMAS_DIR: schemas,
    ROLES_FILE: join(ROOT, 'roles.json'),
    MEDIA_DIR: join(FOLDER, 'media'),
    PUBLIC_URL,
    ADMIN_PASSWORD: PASSWORD,
    RATE_LIMIT: 'none',
    TOKEN_SECRET: 'a secret that only the bench knows',
  };
}

function typecaseArguments({ main, profile }: Options): string[] {
  return profile ? ['--cpu-prof', `--cpu-prof-dir=${join(FOLDER, 'profile')}`, main] : [main];
}

async function compare(typecase: RunningServer, handWritten: RunningServer, options: Options): Promise<Comparison[]> {
  const corpus = {
    posts: options.posts,
    authorization: AUTHORIZATION,
    ...(await randomItems(typecase, options.posts)),
    cursors: await cursorsOf(typecase),
  };
  const lists = [`${LIST}?per_page=10`, LIST, `${LIST}?per_page=10&page=2`, `${LIST}?page=7&per_page=100`];
  const searched = [`${LIST}?search=${RARE_WORD}`];
  const filtered = [`${LIST}?categories=2`, `${LIST}?categories=3&tags=70`, `${LIST}?tags=200&page=2&per_page=5`];
  const asked = [`${LIST}?author[eq]=7&date[gte]=2020-01-01T00:00:00`, `${LIST}?expand=categories&page=3`];
  const items = corpus.items.slice(0, 50).map((id) => `${LIST}/${id}`);
  await requireSameResponses(typecase, handWritten, [...lists, ...filtered, ...searched, ...asked, ...items]);
  const comparisons: Comparison[] = [];
  const kinds = kindsOf(corpus);
  const create = kinds.find(({ name }) => name === 'create')!;
  for (const { name, shot } of inOrder(kinds, options.database)) {
    if (!name.includes(options.only)) continue;
    const measured: [Measured[], Measured[]] = [[], []];
    const run = (server: RunningServer, seconds: number) =>
      options.whileWriting
        ? whileWriting(server, create, () => load(server, shot, seconds))
        : load(server, shot, seconds);
    for (const server of [typecase, handWritten]) await run(server, options.warmUp);
    for (let round = 1; round <= options.rounds; round += 1) {
      measured[0].push(await run(typecase, options.seconds));
      measured[1].push(await run(handWritten, options.seconds));
      const ratio = cpuRatio(measured[0].at(-1)!, measured[1].at(-1)!);
      print(`${name}, round ${round} of ${options.rounds}: CPU ratio ${ratio?.toFixed(2) ?? 'unknown'}`);
    }
    comparisons.push({ name, typecase: together(measured[0]), handWritten: together(measured[1]) });
  }
  return comparisons;
}

/**
 * Order of measurements: reads, then writes, which change the data, then scans, which continue after clients time out.
 */
function inOrder(kinds: readonly Kind[], database: string): Kind[] {
  const place = ({ writes, scansMysql }: Kind): number =>
    scansMysql && /^(mysql|mariadb):/.test(database) ? 2 : writes ? 1 : 0;
  return kinds.toSorted((a, b) => place(a) - place(b));
}

/** Measures while posts are created on the same server. */
async function whileWriting(
  server: RunningServer,
  { shot }: Kind,
  measure: () => Promise<Measured>,
): Promise<Measured> {
  let sent = 0;
  const waiting = new Set<Promise<unknown>>();
  const writer = setInterval(() => {
    const { path, ...request } = shot((sent += 1));
    const text: Promise<unknown> = fetch(server.origin + path, request).then((response) => response.text());
    waiting.add(text);
    void text.finally(() => waiting.delete(text));
  }, WRITER_PAUSE_MS);
  try {
    return await measure();
  } finally {
    clearInterval(writer);
    await Promise.all(waiting);
  }
}

function verdict({ name, typecase, handWritten }: Comparison): string {
  const ratio = cpuRatio(typecase, handWritten);
  if (ratio === undefined) return 'This system does not tell the processor time of a process: compare requests/s.';
  return `${name}: ${ratio.toFixed(2)} times the processor time of the hand-written server.`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
