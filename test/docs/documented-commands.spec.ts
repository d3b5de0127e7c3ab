// The commands of the documentation do what their pages say: each page is run from its first line to its last, as a reader would, in a
// project that holds nothing of the other pages.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, test } from '@jest/globals';
import { CHEAP_HASHES } from '../support/start-test-site.js';
import { builtProgram, bundledProgram, freePort, ROOT } from '../support/built-program.js';
import { FACTOR } from '../support/runs.js';
import { scriptOf } from './page-script.js';

/** Longest time of a page, in milliseconds: what waits for ever is ended, and what it printed is shown. */
const TIMEOUT_MS = 240_000;

/** What commands may need that are not run. */
const ELSEWHERE = [
  'Docker',
  'a browser',
  'a database server',
  'a WordPress site',
  'a running server',
  'a collector of traces',
  'the sources',
];

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/shop/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join('docs', name)),
];
const SCRIPTS = PAGES.map((page) => ({ page, ...scriptOf(readFileSync(join(ROOT, page), 'utf8')) }));
const RUN = SCRIPTS.filter(({ text }) => text.trim() !== '');

/** All pages have the same project, one after the other: a program knows its project by its own path. */
const PROJECT = mkdtempSync(join(tmpdir(), 'typecase-docs-'));
/** Files that stay from one page to the next: the program, built and bundled, and the socket of its host. */
const PRESERVED = ['dist', 'built', 'bundled', 'node_modules', 'host'];
const SOCKET = join(PROJECT, 'host');
/** The program as it is built, in processes of their own, as a reader runs it: with TEST_RUNS=1 that is so on all pages. */
const WITHOUT_HOST = (page: string) => page === 'README.md' || FACTOR >= 1;

/** Which of them `dist` is. */
let dist = 'built';
let host: ChildProcess;
/** What servers of the host have printed during the page. */
let printed = '';
beforeAll(async () => {
  // Copied, because a program knows its project by its own path.
  cpSync(join(builtProgram(), 'dist'), join(PROJECT, 'dist'), { recursive: true });
  cpSync(join(bundledProgram(), 'dist'), join(PROJECT, 'bundled'), { recursive: true });
  useDist('bundled');
  cpSync(join(ROOT, 'package.json'), join(PROJECT, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(PROJECT, 'node_modules'));
  const program = [join(ROOT, 'test/docs/program-host.mjs'), pathToFileURL(join(PROJECT, 'dist/')).href, SOCKET];
  // It ends when its standard input does, however this process ends.
  host = spawn(process.execPath, program, { stdio: 'pipe', env: { NODE_NO_WARNINGS: '1' } });
  for (const stream of [host.stdout!, host.stderr!])
    stream.setEncoding('utf8').on('data', (part: string) => (printed += part));
  while (!existsSync(SOCKET)) {
    expect({ code: host.exitCode, printed }).toEqual({ code: null, printed: '' });
    await sleep(50);
  }
});
afterAll(async () => {
  if (host.kill()) await once(host, 'exit');
  rmSync(PROJECT, { recursive: true, force: true });
});

function useDist(wanted: string): void {
  if (dist === wanted) return;
  renameSync(join(PROJECT, 'dist'), join(PROJECT, dist));
  renameSync(join(PROJECT, wanted), join(PROJECT, 'dist'));
  dist = wanted;
}

/** A clone of the project, built, with its packages installed, and nothing else. */
function newProject(page: string): string {
  useDist(WITHOUT_HOST(page) ? 'built' : 'bundled');
  for (const name of readdirSync(PROJECT))
    if (!PRESERVED.includes(name)) rmSync(join(PROJECT, name), { recursive: true, force: true });
  for (const name of ['schemas', 'docs', 'examples', 'roles.json', 'package.json'])
    cpSync(join(ROOT, name), join(PROJECT, name), { recursive: true });
  writeFileSync(join(PROJECT, 'cat.png'), PIXEL);
  return PROJECT;
}

/** The smallest image, for uploads. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

it.each(RUN)('$page', async ({ page, text, statuses }) => {
  const folder = newProject(page);
  const port = await freePort();
  const log = join(folder, 'statuses.log');
  const script = join(folder, 'page.sh');
  writeFileSync(script, text.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`));
  const { PATH = '', HOME = folder } = process.env;
  // Pages that start nothing are about a site that is there.
  const site = text.includes('npm start') ? '' : 'npm run cms -- migrate >/dev/null;';
  const child = spawn('bash', ['-c', `. "$READER"; ${site} . ./page.sh`], {
    cwd: folder,
    env: {
      PATH,
      HOME,
      PORT: String(port),
      STATUSES: log,
      HOST_SOCKET: WITHOUT_HOST(page) ? '' : SOCKET,
      READER: join(ROOT, 'test/docs/reader.sh'),
      NODE_NO_WARNINGS: '1',
      ...CHEAP_HASHES,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  let output = '';
  printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  const [code] = await once(child, 'close');
  const responses = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  const wrong = responses.filter((response) => {
    const [line, status] = response.split(' ').map(Number);
    const expected = statuses.get(line!);
    return expected === undefined ? !(status! < 400) : status !== expected;
  });
  // What was printed says which line it was.
  expect({
    code,
    wrong,
    hostEnded: host.exitCode,
    output: code === 0 && wrong.length === 0 ? '' : printed.slice(-4000) + output.slice(-4000),
  }).toEqual({
    code: 0,
    wrong: [],
    hostEnded: null,
    output: '',
  });
});

test('commands that are skipped need something that this machine may lack', () => {
  expect(
    SCRIPTS.flatMap(({ page, needs }) =>
      needs.filter((each) => !ELSEWHERE.includes(each)).map((each) => `${page}: ${each}`),
    ),
  ).toEqual([]);
});

test('blocks without a language contain no commands', () => {
  const commands = SCRIPTS.flatMap(({ page }) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(?:bash|shell)?\n((?:(?!```).*\n)*)```/gm)]
      .filter(([, block]) => /^(?:[A-Z_]+=\S+ )*(?:curl|npm|npx|node|docker|git)\b/m.test(block!))
      .map(([, block]) => `${page}: ${block!.split('\n')[0]}`),
  );
  expect(commands).toEqual([]);
});
