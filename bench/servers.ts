// Starts the two servers on loopback, waits until they are ready, reads their processor time, and stops them.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const HOST = '127.0.0.1';
const STARTUP_MS = 60_000;
const STOP_MS = 15_000;

/** A running server process. */
export interface RunningServer {
  name: string;
  origin: string;
  /** Seconds of user and system time so far; undefined on systems without /proc. */
  cpuSeconds(): number | undefined;
  /** Of them, those of the database server; 0 without one. */
  databaseSeconds(): number;
  /** Bytes of resident memory, now and at most so far; undefined on systems without /proc. */
  memory(): { now: number; peak: number } | undefined;
  stop(): Promise<void>;
}

/** Starts `node <args>` with a free port in its environment; resolves once it is ready. */
export async function startServer(
  name: string,
  args: string[],
  environment: Record<string, string>,
  /** Names of other processes that work only for this server: those of its database. */
  others: readonly string[] = [],
): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    // The caller's own environment must not change what is measured.
    env: { PATH: process.env['PATH'], ...environment, HOST, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://${HOST}:${port}`;
  try {
    await ready(`${origin}/readyz`, child, name);
  } catch (error) {
    await stop(child);
    throw error;
  }
  const pid = child.pid!;
  return {
    name,
    origin,
    cpuSeconds: () => (ticksPerSecond === 0 ? undefined : total([pid, ...childrenOf(pid)]) + cpuSecondsOf(others)),
    databaseSeconds: () => cpuSecondsOf(others),
    memory: () => memory(pid),
    stop: () => stop(child),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, HOST);
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function ready(url: string, child: ChildProcess, name: string): Promise<void> {
  for (const end = Date.now() + STARTUP_MS; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null)
      throw new Error(`The server "${name}" ended with ${child.exitCode} before it responded.`);
    const response = await fetch(url).catch(() => undefined);
    await response?.text();
    if (response?.ok) return;
  }
  throw new Error(`The server "${name}" does not respond.`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(late);
}

const ticksPerSecond =
  process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0;

function total(pids: readonly number[], members?: 2 | 4): number {
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid, members), 0);
}

/** Child processes of a server: long scans of SQLite run in one. */
function childrenOf(pid: number): number[] {
  if (ticksPerSecond === 0) return [];
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Seconds of processor time of all processes with these names and of their children that have ended. */
export function cpuSecondsOf(names: readonly string[]): number {
  return total(pidsOf(names), 4);
}

function pidsOf(names: readonly string[]): number[] {
  if (names.length === 0 || ticksPerSecond === 0) return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        return names.includes(readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** With four `members`, the time of its ended child processes counts too. 0 once the process has ended. */
function cpuSeconds(pid: number, members: 2 | 4 = 2): number {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // The second field, the name, is in brackets and may contain spaces; user and system time are fields 14 and 15.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 11 + members).reduce((sum, field) => sum + Number(field), 0);
  return ticks / ticksPerSecond;
}

function memory(pid: number): { now: number; peak: number } | undefined {
  if (ticksPerSecond === 0) return undefined;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { now: kib('VmRSS') * 1024, peak: kib('VmHWM') * 1024 };
}
