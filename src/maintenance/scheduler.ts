// Periodic tasks, independent of requests: what the traits of the resources do, such as publishing scheduled items when
// due, and what cleans up after crashes.
import type { TaskModel } from '../model/faces.js';
import { forgetOld } from '../engine/replays/idempotency.js';
import type { ContentWriter } from '../engine/content-writer.js';
import { sweepFiles } from './sweep-files.js';

/** Milliseconds between runs; what is due is done within two of them. */
const INTERVAL_MS = 1000;
/** Runs between two sweeps of the traits, idempotent responses, expired counters and files. */
const SWEEP_EVERY = 600;

/** Runs the `due` or the `sweep` tasks of every resource, one after the other. */
export async function runTasks(writer: ContentWriter, when: TaskModel['when']): Promise<void> {
  for (const model of writer.models.byName.values())
    for (const task of model.tasks.values()) if (task.when === when) await task.run(writer);
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
): Schedule {
  let running = false;
  let last: Promise<void> = Promise.resolve();
  let runs = 0;
  const runOnce = async () => {
    running = true;
    try {
      await runTasks(writer, 'due');
      if (runs++ % SWEEP_EVERY === 0) {
        await forgetOld(writer.store, writer.site.now());
        await writer.store.rateCounters?.sweep();
        await runTasks(writer, 'sweep');
        await sweepFiles(writer);
        await sweep();
      }
    } catch (error) {
      onError(error);
    } finally {
      running = false;
    }
  };
  const begin = () => {
    if (!running) last = runOnce();
  };
  const timer = setInterval(begin, INTERVAL_MS);
  timer.unref();
  begin();
  return {
    stop() {
      clearInterval(timer);
      return last;
    },
  };
}
