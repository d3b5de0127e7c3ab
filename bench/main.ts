// `npm run bench`: fills a database, runs Typecase and the hand-written server on it in turns, prints the cost of
// each.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { random } from './data-set.js';
import { fill } from './fill.js';
import { load, together, type Measured } from './load.js';
import { otherLists } from './other-lists.js';
import { aligned, comparisonTable, cpuRatio, type Comparison } from './report.js';
import { requireSameAnswers } from './same-answers.js';
import { startServer, type RunningServer } from './servers.js';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.bench');
const PUBLIC_URL = 'http://bench.example';
const LIST = '/cms/v2/posts';
const RANDOM_ITEMS = 500;
/** Until then V8 is still compiling. */
const WARM_UP_SECONDS = 8;
/** Largest allowed cost of a list of ten, as a multiple of the hand-written server's. */
const LIMIT = 1.5;

const HELP = `npm run bench -- [options]
  --posts <n>      posts in the database (100000)
  --rounds <n>     rounds of each server and kind of request (4)
  --seconds <n>    seconds of a round (5)
  --main <file>    the built server to measure (dist/main.js)
  --schemas <dir>  its schemas (schemas)
  --profile        profile Typecase into .bench/profile
  --lists-only     only the times of other lists
`;

interface Options {
  posts: number;
  rounds: number;
  seconds: number;
  main: string;
  schemas: string;
  profile: boolean;
  listsOnly: boolean;
}

/** Runs the benchmark with the arguments of the command line. */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  const file = join(FOLDER, `posts-${options.posts}.sqlite`);
  await fill(environment(`sqlite:${file}?synchronous=normal`, options), file, options.posts);
  const servers: RunningServer[] = [];
  try {
    const typecase = await startServer('Typecase', typecaseArguments(options), environment(`sqlite:${file}`, options));
    servers.push(typecase);
    if (!options.listsOnly) {
      const handWritten = await startServer('hand-written', [join(import.meta.dirname, 'hand-written.js')], {
        DATABASE: file,
        PUBLIC_URL,
      });
      servers.push(handWritten);
      const comparisons = await compare(typecase, handWritten, options);
      print(`\n${comparisonTable(comparisons)}\n\n${verdict(comparisons[0]!)}`);
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
      main: { type: 'string', default: join(ROOT, 'dist/main.js') },
      schemas: { type: 'string', default: join(ROOT, 'schemas') },
      profile: { type: 'boolean', default: false },
      'lists-only': { type: 'boolean', default: false },
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
    main: values.main,
    schemas: values.schemas,
    profile: values.profile,
    listsOnly: values['lists-only'],
  };
}

function positive(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  print(`--${name} must be a whole number above 0.\n\n${HELP}`);
  process.exit(1);
}

function environment(databaseUrl: string, { schemas }: Options): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    SCHEMAS_DIR: schemas,
    ROLES_FILE: join(ROOT, 'roles.json'),
    MEDIA_DIR: join(FOLDER, 'media'),
    PUBLIC_URL,
    ADMIN_PASSWORD: 'only-for-the-bench',
  };
}

function typecaseArguments({ main, profile }: Options): string[] {
  return profile ? ['--cpu-prof', `--cpu-prof-dir=${join(FOLDER, 'profile')}`, main] : [main];
}

async function compare(typecase: RunningServer, handWritten: RunningServer, options: Options): Promise<Comparison[]> {
  const items = await randomItems(typecase, options.posts);
  const lists = [`${LIST}?per_page=10`, LIST, `${LIST}?per_page=10&page=2`, `${LIST}?page=7&per_page=100`];
  await requireSameAnswers(typecase, handWritten, [...lists, ...items.slice(0, 50)]);
  const kinds: [string, string[]][] = [
    ['list of ten', [`${LIST}?per_page=10`]],
    ['list, nothing asked', [LIST]],
    ['item', items],
  ];
  const comparisons: Comparison[] = [];
  for (const [name, paths] of kinds) {
    const measured: [Measured[], Measured[]] = [[], []];
    for (const server of [typecase, handWritten]) await load(server, paths, WARM_UP_SECONDS);
    for (let round = 1; round <= options.rounds; round += 1) {
      measured[0].push(await load(typecase, paths, options.seconds));
      measured[1].push(await load(handWritten, paths, options.seconds));
      const ratio = cpuRatio(measured[0].at(-1)!, measured[1].at(-1)!);
      print(`${name}, round ${round} of ${options.rounds}: CPU ratio ${ratio?.toFixed(2) ?? 'unknown'}`);
    }
    comparisons.push({ name, typecase: together(measured[0]), handWritten: together(measured[1]) });
  }
  return comparisons;
}

/** Addresses of published posts, the same ones in every run. */
async function randomItems(server: RunningServer, posts: number): Promise<string[]> {
  const next = random(posts);
  const items: string[] = [];
  while (items.length < RANDOM_ITEMS) {
    const path = `${LIST}/${1 + Math.floor(next() * posts)}`;
    const response = await fetch(server.origin + path);
    await response.text();
    if (response.ok) items.push(path);
  }
  return items;
}

function verdict({ name, typecase, handWritten }: Comparison): string {
  const ratio = cpuRatio(typecase, handWritten);
  if (ratio === undefined) return 'This system does not tell the processor time of a process: compare requests/s.';
  return `A ${name} costs ${ratio.toFixed(2)} times the hand-written server; at most ${LIMIT} is the goal.`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
