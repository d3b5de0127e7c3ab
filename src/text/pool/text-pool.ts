// Runs text functions in worker threads, so that a large text does not block the event loop. The number of threads, the
// queued texts, the time of one job and the size of its result are limited. Threads start with the first job and end
// after an idle timeout.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { FairQueue } from '../../concurrency/fair-queue.js';
import { TASKS } from './tasks.js';

/** Why a job was aborted: it exceeded its time or memory (`costly`), or the queue was full (`busy`). */
export class TextLimitError extends Error {
  constructor(readonly reason: 'costly' | 'busy') {
    super(reason === 'costly' ? 'The text takes too long to process.' : 'Too many large texts are being processed.');
    this.name = 'TextLimitError';
  }
}

/** Limits of a pool. */
export interface TextPoolOptions {
  /** Compiled entry file of the threads; where it does not exist, jobs run on the calling thread. */
  file: string;
  threads: number;
  /** Timeout of one job, in milliseconds, without its time in the queue. */
  jobMs: number;
  /** Maximum number of characters of all jobs that run or wait. */
  queuedCharacters: number;
  /** Maximum number of characters of one result. */
  resultCharacters: number;
}

const DEFAULTS: TextPoolOptions = {
  file: fileURLToPath(new URL('./text-worker.js', import.meta.url)),
  threads: Math.min(2, Math.max(1, availableParallelism() - 1)),
  jobMs: 10_000,
  queuedCharacters: 64 * 2 ** 20,
  resultCharacters: 32 * 2 ** 20,
};
/** Milliseconds without a job after which a thread ends. */
const IDLE_MS = 30_000;
/** Memory limit of one thread, in MiB: several times what the largest text needs. */
const MEMORY_MIB = 256;

const NAMES = new Map([...TASKS].map(([name, work]) => [work, name]));

/** Runs functions on long texts in worker threads, so that they do not block the event loop; clients take turns. */
export class TextPool {
  readonly #options: TextPoolOptions;
  readonly #queue: FairQueue;
  #pool: Promise<Piscina> | undefined;
  #queued = 0;
  #closed = false;

  constructor(options: Partial<TextPoolOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    const bounds = { atOnce: this.#options.threads, places: Infinity, share: Infinity };
    this.#queue = new FairQueue(bounds, () => new TextLimitError('busy'));
  }

  /**
   * The result of a function of tasks.ts.
   * @throws TextLimitError when the job exceeds a limit
   */
  run<A extends string[], R>(work: (...texts: A) => R, ...texts: A): Promise<R> {
    return this.runFor('', work, ...texts);
  }

  /** The same for a client: those with jobs that wait take turns. */
  async runFor<A extends string[], R>(client: string, work: (...texts: A) => R, ...texts: A): Promise<R> {
    const name = NAMES.get(work);
    if (name === undefined || !existsSync(this.#options.file)) return work(...texts);
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    if (this.#queued + size > this.#options.queuedCharacters) throw new TextLimitError('busy');
    this.#queued += size;
    try {
      return (await this.#queue.run({ lane: 0, client }, () => this.#bounded(name, texts))) as R;
    } finally {
      this.#queued -= size;
    }
  }

  /**
   * Runs calls together in one job. Returns their results in order: undefined where a function is none of tasks.ts, where it
   * failed, and for all of a job that exceeds a limit.
   */
  async runMany(calls: readonly { work: (...texts: any) => unknown; texts: string[] }[]): Promise<unknown[]> {
    const jobs = calls.map(({ work, texts }) => {
      const name = NAMES.get(work);
      return name === undefined ? undefined : { name, texts };
    });
    if (!existsSync(this.#options.file) || jobs.every((job) => job === undefined)) return [];
    try {
      return (await this.#queue.run({ lane: 0, client: '' }, () => this.#timed({ jobs }, 'runMany'))) as unknown[];
    } catch {
      return [];
    }
  }

  /** Ends the threads; running jobs are aborted. */
  async close(): Promise<void> {
    this.#closed = true;
    const pool = await this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  async #bounded(name: string, texts: string[]): Promise<unknown> {
    try {
      return await this.#timed({ name, texts });
    } catch (error) {
      throw isLimit(error) ? new TextLimitError('costly') : error;
    }
  }

  async #timed(job: object, task = 'default'): Promise<unknown> {
    if (this.#closed) throw new TextLimitError('busy');
    const pool = await (this.#pool ??= start(this.#options));
    const { jobMs, resultCharacters } = this.#options;
    return pool.run({ ...job, resultCharacters }, { name: task, signal: AbortSignal.timeout(jobMs) });
  }
}

async function start({ file, threads }: TextPoolOptions): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: file,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB, maxYoungGenerationSizeMb: 16 },
    // Workers need no configuration: no environment variables are passed on.
    env: {},
  });
}

/**
 * Whether time, memory or stack was exhausted; a pattern overflows the stack on a repetition over millions of
 * characters.
 */
function isLimit(error: unknown): boolean {
  const { name, code } = (error ?? {}) as NodeJS.ErrnoException;
  return name === 'AbortError' || name === 'RangeError' || code === 'ERR_WORKER_OUT_OF_MEMORY';
}
