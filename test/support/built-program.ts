// The compiled modules of src/ without checking types, made once per version of them, and children that run them.
// Used by the suites that need real processes.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { bundleProgram } from './bundled-program.js';

/** The top of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Below node_modules, where Node finds the packages. The real path, because a program compares its own path with it. */
const BUILD_CACHE = join(realpathSync(join(ROOT, 'node_modules')), '.cache/typecase-built');
/** Builds older than this are deleted, in milliseconds. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** Timeout for a server to become ready. */
const TIMEOUT_MS = 240_000;

/** Data that the program reads besides its modules. */
const DATA = ['examples/sample', 'examples/starter'];

/** Folder of the bundle within the build. */
const BUNDLED = 'bundled';
/** Folder of the program in the form of packages and images. */
const SHIPPED = 'shipped';

/** Further inputs of the hash of a build. */
const BUILD_INPUTS = [
  'package-lock.json',
  'scripts/bundle.mjs',
  'scripts/compile-grammar.mjs',
  'test/support/built-program.ts',
  'test/support/bundled-program.ts',
  'test/support/load-bundle.mjs',
  'test/support/use-bundle.mjs',
];

/** The folder of the same program as a bundle (bundled-program.ts). */
export function bundledProgram(): string {
  return join(builtProgram(), BUNDLED);
}

/** The folder `dist` of the same program in the form of packages and images (scripts/bundle.mjs). */
export function shippedProgram(): string {
  return join(builtProgram(), SHIPPED);
}

interface Source {
  name: string;
  text: string;
}

let folder: string | undefined;

/** The folder with `dist/main.js` and `dist/cli.js` of the current src/. */
export function builtProgram(): string {
  return (folder ??= build());
}

function build(): string {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs|js|css|svg)$/.test(name))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(ROOT, 'src', name), 'utf8') }));
  const data = filesBelow(DATA);
  const inputs = BUILD_INPUTS.map((name) => readFileSync(join(ROOT, name), 'utf8'));
  const hash = createHash('sha256')
    .update(JSON.stringify([sources, data, inputs, process.version]))
    .digest('hex')
    .slice(0, 16);
  const destination = join(BUILD_CACHE, hash);
  const lock = `${destination}.lock`;
  mkdirSync(BUILD_CACHE, { recursive: true });
  while (!existsSync(destination)) {
    // Test processes begin at the same time: one of them builds.
    if (isTaken(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    else
      try {
        if (!existsSync(destination)) buildInto(destination, sources);
      } finally {
        // Also after a failed build: the next test would otherwise wait for this process.
        rmSync(lock, { force: true });
      }
  }
  return destination;
}

/** Acquires a lock unless another running process holds it; returns whether one does. */
function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return false;
  } catch {
    return isAlive(lock) || (rmSync(lock, { force: true }), true);
  }
}

function isAlive(lock: string): boolean {
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch {
    return false;
  }
}

function buildInto(destination: string, sources: readonly Source[]): void {
  for (const old of readdirSync(BUILD_CACHE)) {
    // Another test process may have removed it.
    const { mtimeMs = Infinity } = statSync(join(BUILD_CACHE, old), { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > MAX_AGE_MS) rmSync(join(BUILD_CACHE, old), { recursive: true, force: true });
  }
  const draft = mkdtempSync(join(BUILD_CACHE, 'draft-'));
  for (const { name, text } of sources) {
    const target = join(draft, 'dist', name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, name.endsWith('.ts') ? compile(name, text) : text);
  }
  cpSync(join(ROOT, 'package.json'), join(draft, 'package.json'));
  for (const folder of DATA) cpSync(join(ROOT, folder), join(draft, folder), { recursive: true });
  spawnSync(process.execPath, [join(ROOT, 'scripts/compile-grammar.mjs'), join(draft, 'dist')]);
  const { status, output } = spawnSync(
    process.execPath,
    [join(ROOT, 'scripts/bundle.mjs'), join(draft, 'dist'), join(draft, SHIPPED)],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The modules cannot be bundled: ${output.join('')}`);
  bundleProgram(draft, join(draft, BUNDLED));
  // A program that exits by itself writes Node's compile cache for the next ones; a killed one does not.
  spawnSync(process.execPath, [join(draft, 'dist/cli.js'), 'check', join(ROOT, 'schemas')], {
    env: environmentIn(draft),
  });
  try {
    renameSync(draft, destination);
  } catch {
    // Another test process was faster.
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Names and sizes of all files of some folders. */
function filesBelow(folders: readonly string[]): [string, number][] {
  return folders
    .flatMap((each) =>
      readdirSync(join(ROOT, each), { recursive: true, encoding: 'utf8' }).map((name) => join(each, name)),
    )
    .sort()
    .map((name) => [name, statSync(join(ROOT, name)).size]);
}

/** Environment of every child process. Test scripts find the modules of the bundle by BUNDLE (load-bundle.mjs). */
function environmentIn(program: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: join(program, 'cache'),
    NODE_NO_WARNINGS: '1',
    BUNDLE: join(program, BUNDLED, 'dist/load-bundle.mjs'),
  };
}

/**
 * Whether the bundle is used in this environment. Not with extensions: the packages that they import are those of the
 * build.
 */
function isBundled({ EXTENSIONS_DIR, UNBUNDLED }: Record<string, string>): boolean {
  return EXTENSIONS_DIR === undefined && UNBUNDLED === undefined;
}

function compile(filename: string, text: string): string {
  const parser = { syntax: 'typescript', decorators: true } as const;
  const transform = { legacyDecorator: true, decoratorMetadata: true };
  return transformSync(text, { filename, jsc: { target: 'es2022', parser, transform }, module: { type: 'es6' } }).code;
}

/** How a program ended, with its complete output in order, and its standard error alone. */
export interface ExitResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
  errors: string;
}

/** A child process; `ended` never rejects. */
export interface Running {
  readonly pid: number;
  /**
   * Resolves with the exit code, null after a signal; its own child processes may still hold its output streams open.
   */
  readonly exited: Promise<number | null>;
  readonly ended: Promise<ExitResult>;
  /** What it printed so far. */
  output(): string;
  /** Default: SIGKILL. Resolves when the process has ended. */
  kill(signal?: NodeJS.Signals): Promise<ExitResult>;
}

/**
 * Starts a script with only `environment` as its environment. `dist/main.js` and other entry files are those of the
 * built program, from its bundle unless UNBUNDLED is set.
 */
export function run(
  script: string,
  args: string[],
  environment: Record<string, string>,
  cwd: string = process.cwd(),
): Running {
  const program = builtProgram();
  const { UNBUNDLED: _, ...own } = environment;
  const env = { ...environmentIn(program), ...own };
  const place = isBundled(environment) ? bundledProgram() : program;
  const child = spawn(process.execPath, [resolve(place, script), ...args], {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    errors += text;
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output: printed, errors }));
  return {
    pid: child.pid!,
    exited,
    ended,
    output: () => printed,
    kill: (signal = 'SIGKILL') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** A server that listens on `port`. */
export interface Server extends Running {
  readonly port: number;
}

/** Starts a server and waits until it is ready. Throws what it printed when it ends instead. */
export async function startServer(environment: Record<string, string>, port?: number): Promise<Server> {
  const own = port ?? (await freePort());
  const server = run('dist/main.js', [], { ...environment, PORT: String(own) });
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  for (const end = Date.now() + TIMEOUT_MS; !(await isReady(own)); await sleep(25)) {
    if (hasEnded || Date.now() > end) throw new Error(`The server did not start: ${(await server.kill()).output}`);
  }
  return { ...server, port: own };
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );
}

/** Below the ephemeral ports of the system, so that no other process takes one between two starts of a server. */
const PORTS = { from: 10_240, count: 22_000 };
let attempts = 0;

/** A free port that this process has not returned recently. */
export async function freePort(): Promise<number> {
  for (;;) {
    // Other test processes begin at other ports.
    const port = PORTS.from + ((process.pid * 631 + (attempts += 1)) % PORTS.count);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
