// `npm run bench -- load [posts] [--database <url>]`: how long `typecase load` takes for handwritten lines, in a new
// SQLite file or an empty database of a server. Each post has an author, categories, tags, a date and a slug.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { AUTHORS, CATEGORIES, named, posts, TAGS } from './data-set.js';
import { DATABASE_PROCESSES, environment, FOLDER, ROOT } from './main.js';
import { cpuSecondsOf } from './servers.js';

/** Printed by the command at its end. */
const USAGE = /usage (\d+) (\d+)/;
const TELL_USAGE =
  'data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();' +
  'process.stderr.write(`usage ${user+system} ${process.resourceUsage().maxRSS}\\n`)})';

/** Runs the benchmark with the arguments after `load`. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { database: { type: 'string', default: '' }, profile: { type: 'boolean', default: false } },
  });
  const count = Number(positionals[0] ?? 10_000);
  const source = await lines(count);
  const file = join(FOLDER, 'load.sqlite');
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
  const url = values.database || `sqlite:${file}`;
  const database = cpuSecondsOf(values.database ? DATABASE_PROCESSES : []);
  const start = performance.now();
  const { cpu, peak } = await load(source, url, values.profile);
  const wall = performance.now() - start;
  const each = (ms: number) => (ms / count).toFixed(3);
  const server = cpuSecondsOf(values.database ? DATABASE_PROCESSES : []) - database;
  process.stdout.write(
    `${count} posts (${(statSync(join(source, 'post.jsonl')).size / 1e6).toFixed(0)} MB): ${(wall / 1000).toFixed(1)} s; each ` +
      `${each(wall)} ms on the clock, ${each(cpu * 1000)} ms of processor time` +
      `${values.database ? `, ${each(server * 1000)} ms of the database` : ''}; ${(peak / 1024).toFixed(0)} MiB at most\n`,
  );
}

/** The folder with the files to load, which are created once. */
async function lines(count: number): Promise<string> {
  const folder = join(FOLDER, `lines-${count}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const write = (name: string, items: Iterable<object>) =>
    pipeline(texts(items), createWriteStream(join(unfinished, `${name}.jsonl`)));
  await write(
    'user',
    named('author', AUTHORS).map(({ name, slug }, at) => {
      const email = `${slug}@example.org`;
      return { id: at + 1, username: slug, name, slug, email, roles: ['author'] };
    }),
  );
  await write('category', numbered(named('category', CATEGORIES), 1));
  await write('tag', numbered(named('tag', TAGS), 1 + CATEGORIES));
  await write('post', postLines(count));
  renameSync(unfinished, folder);
  return folder;
}

function numbered(items: readonly object[], first: number): object[] {
  return items.map((item, at) => ({ id: first + at, ...item }));
}

function* postLines(count: number): Generator<object> {
  for (const { author, categories, tags, ...rest } of posts(count))
    yield {
      ...rest,
      author: 1 + author,
      categories: categories.map((at) => 1 + at),
      tags: tags.map((at) => 1 + CATEGORIES + at),
    };
}

function* texts(items: Iterable<object>): Generator<string> {
  for (const item of items) yield `${JSON.stringify(item)}\n`;
}

async function load(source: string, url: string, profile: boolean): Promise<{ cpu: number; peak: number }> {
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${join(FOLDER, 'profile')}`] : [];
  const command = [...profiling, '--import', TELL_USAGE, join(ROOT, 'dist/cli.js'), 'load', source];
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env['PATH'], ...environment(url, { schemas: join(ROOT, 'schemas') }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'close')) as [number];
  const [, micros, kib] = USAGE.exec(said) ?? [];
  if (code !== 0) throw new Error(`load ended with ${code}: ${said}`);
  return { cpu: Number(micros) / 1e6, peak: Number(kib) };
}
