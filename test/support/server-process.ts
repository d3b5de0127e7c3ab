// Real servers as child processes on free loopback ports. Used by the suites of test/process/.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { basic } from './actors.js';
import { ADMINISTRATOR, CHEAP_HASHES } from './start-test-site.js';
import { freePort, ROOT, run, type Running } from './built-program.js';
import { sender, type Send } from './send.js';

/** Timeout of every wait, in milliseconds; long, because the machine may be busy. */
const TIMEOUT_MS = 240_000;

/** A server in a separate process. */
export interface ServerProcess {
  readonly pid: number;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Its output so far: standard output and standard error. */
  output(): string;
  /** Sends a request on a new connection. */
  readonly send: Send;
  /** Resolves once `/readyz` returns 200. Throws with its output when the process ends instead. */
  ready(): Promise<void>;
  /** Sends a signal; resolves with the exit code, null when the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves with the exit code when it ends by itself. */
  ended: Promise<number | null>;
}

/** Several servers and the folder they write to. */
export interface ServerProcesses {
  readonly folder: string;
  /** Starts one more on the same folder; it may not be ready yet. `command` is a script of dist/ with its arguments. */
  start(environment?: Record<string, string>, command?: readonly string[]): Promise<ServerProcess>;
  /** Ends all running servers, and removes the folder. */
  close(): Promise<void>;
}

/** Headers of the administrator of every server that `serverProcesses` starts. */
export const AS_ADMINISTRATOR = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);

/**
 * Servers of the shipped schemas that share one database, one secret and one folder. `environment` applies to all of
 * them.
 */
export function serverProcesses(databaseUrl: string, environment: Record<string, string> = {}): ServerProcesses {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-process-'));
  const started: ChildServer[] = [];
  return {
    folder,
    async start(more = {}, command = ['main.js']) {
      const port = await freePort();
      const shared = { ...defaults(folder, databaseUrl), ...environment, PORT: String(port), ...more };
      const server = new ChildServer(port, shared, folder, command);
      started.push(server);
      return server;
    },
    async close() {
      await Promise.all(started.map((server) => server.end('SIGTERM')));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Resolves when the primary has logged `times` times that all workers serve: at the start, and after each replacement.
 */
export async function allServe(server: ServerProcess, times = 1): Promise<void> {
  const hasEnded = server.ended.then(() => true);
  await until(
    async () =>
      (await Promise.race([hasEnded, false])) || (server.output().match(/all workers serve/g) ?? []).length >= times,
    Boolean,
  );
}

/** Process ids of the workers of a server. */
export function workersOf({ pid }: ServerProcess): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/).map(Number)).flatMap(([id, of]) => (of === pid ? [id!] : []));
}

/** Resident memory of a server in bytes: current or peak. */
export function memoryOf({ pid }: ServerProcess, line: 'VmRSS' | 'VmHWM'): number {
  const [, kib] = new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kib) * 1024;
}

/** Repeats `read` until `done` accepts its result. Throws with the last value when that takes four minutes. */
export async function until<T>(read: () => Promise<T> | T, done: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    if (performance.now() > deadline) throw new Error(`Never so: ${JSON.stringify(value)}`);
    await sleep(20);
  }
}

class ChildServer implements ServerProcess {
  readonly url: string;
  readonly send: Send;
  readonly ended: Promise<number | null>;
  private readonly child: Running;
  private hasEnded = false;

  constructor(port: number, environment: Record<string, string>, cwd: string, [script, ...args]: readonly string[]) {
    this.url = `http://127.0.0.1:${port}`;
    this.send = sender(port, '/cms/v2');
    this.child = run(`dist/${script}`, args, environment, cwd);
    // Workers of a primary that was killed keep the streams open.
    this.ended = this.child.exited.finally(() => (this.hasEnded = true));
  }

  get pid(): number {
    return this.child.pid;
  }

  output(): string {
    return this.child.output();
  }

  async ready(): Promise<void> {
    const status = () =>
      this.send('GET', '//readyz').then(
        (response) => response.status,
        () => 0,
      );
    await until(async () => this.hasEnded || (await status()) === 200, Boolean);
    if (this.hasEnded) throw new Error(`The server ended: ${this.output()}`);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.hasEnded) void this.child.kill(signal);
    return this.ended;
  }
}

function defaults(folder: string, databaseUrl: string): Record<string, string> {
  return {
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    DATABASE_URL: databaseUrl,
    // Several processes with the default pool would need as many connections as database servers accept.
    DATABASE_POOL: '4',
    MEDIA_DIR: join(folder, 'media'),
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    ADMIN_USERNAME: ADMINISTRATOR.username,
    ADMIN_PASSWORD: ADMINISTRATOR.password,
    ...CHEAP_HASHES,
    TOKEN_SECRET: 'a secret that only tests know',
  };
}
