// Periodic tasks, independent of requests: what the traits of the resources do, such as publishing scheduled items when
// due, and what cleans up after crashes.
import type { TaskModel } from '../model/faces.js';
import { ResourceError } from '../errors/resource-error.js';
import { deleteExpired } from '../engine/replays/idempotency.js';
import type { ContentWriter } from '../engine/content-writer.js';
import { sweepFiles } from './sweep-files.js';

/** Milliseconds between runs; what is due is done within two of them. */
const INTERVAL_MS = 1000;
/** Runs between two sweeps of the traits, idempotent responses, expired counters and files. */
const SWEEP_EVERY = 600;
/** Runs after a sweep that the database cut short; more than one, because what it was refused for may take a while. */
const RETRY_AFTER = 30;

/**
 * Runs the `due` or the `sweep` tasks of every resource, one after the other: with `onError` all of them although some
 * fail.
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
      // While the database is away, the others would only wait for it in turn.
      if (!onError || (error instanceof ResourceError && error.code === 'rest_unavailable')) throw error;
      onError(error);
    }
  }
}

/** Periodic tasks that run. */
export interface Schedule {
  /** Begins no further task; resolves once the running ones have ended. */
  stop(): Promise<void>;
}

/** Runs the tasks now and every second from now on; `sweep` does further ones, as often as the sweeps of traits. */
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
