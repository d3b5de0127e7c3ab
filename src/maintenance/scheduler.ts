// Periodic tasks, independent of requests: tasks of traits, such as publishing scheduled items when they are due, and
// cleanup after crashes.
import type { TaskModel } from '../model/faces.js';
import { ResourceError } from '../errors/resource-error.js';
import { deleteExpired } from '../engine/replays/idempotency.js';
import type { ContentWriter } from '../engine/content-writer.js';
import { sweepFiles } from './sweep-files.js';

/** Milliseconds between runs. A due task runs within two intervals. */
const INTERVAL_MS = 1000;
/** Runs between two sweeps of the traits, idempotent responses, expired counters and files. */
const SWEEP_EVERY = 600;
/** Runs between a failed sweep and its repetition: the cause of the failure may last for a while. */
const RETRY_AFTER = 30;

/**
 * Runs the `due` or the `sweep` tasks of every resource, one after the other. With `onError`, a failed task does not stop
 * the others, unless the database is unavailable; without it, the first error is thrown.
 */
export async function runTasks(writer: ContentWriter, when: TaskModel['when'], onError?: OnError): Promise<void> {
  const tasks = [...writer.models.byName.values()].flatMap((model) => [...model.tasks.values()]);
  await all(
    tasks.filter((task) => task.when === when).map((task) => () => task.run(writer)),
    onError,
  );
}

type OnError = (error: unknown) => void;

async function all(work: readonly (() => unknown)[], onError?: OnError): Promise<void> {
  for (const step of work) {
    try {
      await step();
    } catch (error) {
      // While the database is unavailable, each of the other tasks would wait for it in vain.
      if (!onError || (error instanceof ResourceError && error.code === 'rest_unavailable')) throw error;
      onError(error);
    }
  }
}

/** Running periodic tasks. */
export interface Schedule {
  /** Starts no further task; resolves once the running ones have ended. */
  stop(): Promise<void>;
}

/** Runs the tasks now and then every `intervalMs`; `sweep` is run with the sweeps of the traits. */
export function startSchedule(
  writer: ContentWriter,
  sweep: () => Promise<unknown>,
  onError: (error: unknown) => void,
  intervalMs = INTERVAL_MS,
): Schedule {
  let running = false;
  let last: Promise<void> = Promise.resolve();
  let untilSweep = 0;
  const sweeps = [
    () => deleteExpired(writer.store, writer.site.now()),
    () => writer.store.rateCounters?.sweep(),
    () => runTasks(writer, 'sweep', onError),
    () => sweepFiles(writer),
    sweep,
  ];
  const runOnce = async () => {
    running = true;
    try {
      await runTasks(writer, 'due', onError);
      if (untilSweep-- > 0) return;
      untilSweep = RETRY_AFTER;
      await all(sweeps, onError);
      untilSweep = SWEEP_EVERY;
    } catch (error) {
      onError(error);
    } finally {
      running = false;
    }
  };
  const begin = () => {
    if (!running) last = runOnce();
  };
  const timer = setInterval(begin, intervalMs);
  timer.unref();
  begin();
  return {
    stop() {
      clearInterval(timer);
      return last;
    },
  };
}
