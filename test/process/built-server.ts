// Real server processes for the suites of this folder: src/ is transformed once into a temporary folder, each server is a child on a port of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { transformSync } from '@swc/core';

/** Longest wait for a server to be ready, in milliseconds. */
const PATIENCE = 60_000;

/** The program as `npm run build` would leave it, without checking types. */
export interface Built {
  /** Holds `dist/main.js` and `dist/cli.js`. */
  readonly folder: string;
  remove(): void;
}

/** Transforms src/ into a folder of its own. */
export function buildSources(): Built {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-built-'));
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const target = join(folder, 'dist', name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, compiled(join('src', name)));
  }
  cpSync('package.json', join(folder, 'package.json'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function compiled(file: string): string {
  const parser = { syntax: 'typescript', decorators: true } as const;
  const transform = { legacyDecorator: true, decoratorMetadata: true };
  const jsc = { target: 'es2022', parser, transform } as const;
  return transformSync(readFileSync(file, 'utf8'), { filename: file, jsc, module: { type: 'es6' } }).code;
}

/** What a program prints, and how it ended. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

/** A child process that runs a program of `built`; `ended` never rejects. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** What it printed so far. */
  output(): string;
  /** SIGKILL unless told otherwise; resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<Ended>;
}

/** Starts `dist/<program>` with nothing in its environment but `environment`. */
export function run(built: Built, program: string, args: string[], environment: Record<string, string>): Running {
  const env = { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: join(built.folder, 'cache'), ...environment };
  const child = spawn(process.execPath, [join(built.folder, 'dist', program), ...args], { env });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const ended = outcome(child).then(({ code, signal }) => ({ code, signal, output: printed }));
  return {
    pid: child.pid!,
    ended,
    output: () => printed,
    kill: (signal = 'SIGKILL') => {
      child.kill(signal);
      return ended;
    },
  };
}

async function outcome(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const [code, signal] = await once(child, 'close');
  return { code, signal };
}

/** A server that answers on `port`. */
export interface Server extends Running {
  readonly port: number;
}

/** Starts a server and waits until it is ready. Throws what it printed when it ends instead. */
export async function startServer(built: Built, environment: Record<string, string>, port?: number): Promise<Server> {
  const own = port ?? (await freePort());
  const server = run(built, 'main.js', [], { ...environment, PORT: String(own) });
  let over = false;
  void server.ended.then(() => (over = true));
  for (const end = Date.now() + PATIENCE; !(await isReady(own)); await sleep(10)) {
    if (over || Date.now() > end) throw new Error(`The server did not start: ${(await server.kill()).output}`);
  }
  return { ...server, port: own };
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    async (answer) => (await answer.arrayBuffer(), answer.ok),
    () => false,
  );
}

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
