// Client of a SQLite connection in a worker thread or child process, so that the event loop never waits for it; or on
// this thread, for commands, which serve no requests, and for short transactions.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Bound, RunResult } from '../sql/connection.js';
import { StatementRunner } from './statement-runner.mjs';

/** How the remote connection is opened. */
export interface Opening {
  file: string;
  /** `full` survives power loss; `normal` may then lose the last commits, never the file. */
  synchronous: 'full' | 'normal';
  readOnly: boolean;
  /** Busy timeout of a statement, in milliseconds. */
  busyMs: number;
  /** Size of its page cache. */
  cacheKiB: number;
  /** Pages of the WAL from which a commit checkpoints it, 0 for never; default: that of SQLite. */
  checkpointPages?: number;
  /** Sizes of the prepared statement caches, for reads and for writes. */
  statements: number;
}

/** A request: rows of a reading statement, the result of a writing one, nothing (BEGIN, DDL), or to close. */
export type Request = readonly [kind: 'rows' | 'run' | 'exec' | 'close', sql: string, params: readonly Bound[]];

/** One response per request, in order. */
export interface Reply {
  /** Duration of the statement in milliseconds. */
  ms: number;
  /** Whether a transaction is open now. */
  open: boolean;
  rows?: Bound[][];
  ran?: RunResult;
  error?: { message: string; name: string; code?: string };
  /** More rows follow in the next message. */
  more?: boolean;
}

/** Error code of a connection whose thread or process has ended. */
const ENDED = 'SQLITE_CONNECTION_ENDED';

/** Whether an error means that the thread or process has ended. */
export function hasEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === ENDED;
}

interface Channel {
  post(request: Request): void;
  /** Whether it keeps this process alive (ref or unref). */
  setRef(keepAlive: boolean): void;
  /** Kills it immediately; absent where that is not possible. */
  kill?(): void;
}

interface PendingRequest {
  resolve(reply: Reply): void;
  reject(error: Error): void;
  parts: Bound[][][];
}

const RUNNER = new URL('./runner.mjs', import.meta.url);

/** Sends requests one after the other. */
export class Remote {
  /** Whether a transaction was open after the last response. */
  inTransaction = false;
  /** Whether the thread or process has ended. */
  ended = false;
  private closing = false;
  private readonly waiting: PendingRequest[] = [];

  /** Resolves when the thread or process has ended, or could not be started. */
  private readonly exited: Promise<unknown>;

  private constructor(
    private readonly channel: Channel,
    exited: Promise<unknown>,
  ) {
    // `once` rejects with its errors. `end` reports them to the requests, and nobody may be waiting here.
    this.exited = exited.catch(() => undefined);
  }

  /** A connection in a thread: messages are cheap, but a running statement cannot be stopped. */
  static async inThread(opening: Opening): Promise<Remote> {
    const worker = new Worker(RUNNER, { workerData: opening, name: 'sqlite' });
    const setRef = (keepAlive: boolean): void => void (keepAlive ? worker.ref() : worker.unref());
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    const remote = new Remote({ post: (request) => worker.postMessage(request), setRef }, once(worker, 'exit'));
    worker.on('message', (reply: Reply) => remote.receive(reply));
    worker.on('error', (error) => remote.end(error.message));
    worker.on('exit', () => remote.end('its thread ended'));
    return remote.open();
  }

  /** A connection on this thread: it needs no messages, but a statement blocks everything else. */
  static async onThisThread(opening: Opening): Promise<Remote> {
    let end!: () => void;
    const exited = new Promise<void>((resolve) => (end = resolve));
    const runner = new StatementRunner(
      opening,
      (reply) => remote.receive(reply),
      () => undefined,
    );
    const post = (request: Request): void => {
      runner.serve(request);
      if (runner.driver) return;
      remote.end('it was closed before');
      end();
    };
    const remote: Remote = new Remote({ post, setRef: () => undefined }, exited);
    return remote;
  }

  /** A connection in a child process: messages cost more, but a running statement can be killed. */
  static async inProcess(opening: Opening): Promise<Remote> {
    const child = fork(fileURLToPath(RUNNER), [JSON.stringify(opening)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
      // Empty: it needs no secrets, and cluster variables would make it act as a cluster worker.
      env: {},
    });
    const remote = new Remote(channelOf(child), once(child, 'exit'));
    child.on('message', (reply) => remote.receive(reply as Reply));
    child.on('error', (error) => remote.end(error.message));
    child.on('exit', () => remote.end('its process ended'));
    return remote.open();
  }

  /**
   * Sends a request. Throws the driver's errors with their codes, and one that `hasEnded` recognizes when the remote
   * end dies.
   */
  request(...request: Request): Promise<Reply> {
    if (this.ended || this.closing) return Promise.reject(endedError('it was closed before'));
    return this.wait(() => this.channel.post(request));
  }

  /** Closes the connection, rolling back an open transaction, and waits until its thread or process has ended. */
  async close(): Promise<void> {
    const closed = this.request('close', '', []);
    // libsql aborts the process when a closed connection is used.
    this.closing = true;
    await closed.catch(() => undefined);
    // Otherwise this process might end before the thread.
    if (!this.ended) this.channel.setRef(true);
    await this.exited;
  }

  /** Kills it immediately; child processes only. */
  kill(): void {
    this.channel.kill?.();
  }

  private async open(): Promise<this> {
    try {
      await this.wait(() => undefined);
      return this;
    } catch (error) {
      this.kill();
      throw error;
    }
  }

  private wait(begin: () => void): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject, parts: [] });
      if (this.waiting.length === 1) this.channel.setRef(true);
      begin();
    });
  }

  private receive(reply: Reply): void {
    const [first] = this.waiting;
    if (!first) return;
    if (reply.more) return void first.parts.push(reply.rows!);
    this.waiting.shift();
    this.inTransaction = reply.open;
    if (this.waiting.length === 0) this.channel.setRef(false);
    if (reply.error) return first.reject(Object.assign(new Error(reply.error.message), reply.error));
    first.resolve(first.parts.length === 0 ? reply : { ...reply, rows: first.parts.concat([reply.rows!]).flat() });
  }

  private end(why: string): void {
    this.ended = true;
    this.inTransaction = false;
    for (const { reject } of this.waiting.splice(0)) reject(endedError(why));
  }
}

function channelOf(child: ChildProcess): Channel {
  return {
    // The channel may be closed already: `exit` follows.
    post: (request) => void child.send(request, () => undefined),
    setRef(keepAlive) {
      if (keepAlive) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function endedError(why: string): Error {
  return Object.assign(new Error(`The database connection is gone: ${why}`), { code: ENDED });
}
