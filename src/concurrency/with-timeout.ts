// A time limit for a promise.
import { setTimeout as sleep } from 'node:timers/promises';

const LATE = Symbol('late');

/**
 * The result of `work`; rejects with the error of `late` when it has not settled after `ms`. A result that comes later is
 * ignored.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const controller = new AbortController();
  const end = sleep(ms, LATE, { signal: controller.signal }).catch(() => LATE);
  try {
    const first = await Promise.race([work, end]);
    if (first === LATE) throw late();
    return first as T;
  } finally {
    controller.abort();
    work.catch(() => undefined);
  }
}
