// Tells code of the site of events.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer } from './consumers.js';
import { typeOf } from './event.js';
import type { SiteEvent } from '../model/audit.js';

/** Times that an event is told before it is passed over. */
const ATTEMPTS = 8;
/** Pause after the first failure, in milliseconds; doubled after each further one. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** Code that is told. */
export interface Listener {
  name: string;
  /** Types: `order.created`, `order.*`, `*.deleted`, `*`. */
  on: readonly string[];
  run(event: SiteEvent, signal: AbortSignal): unknown;
}

/** Whether a type is one of those: `*` stands for any resource, or any action. */
export function isMeant(on: readonly string[], event: SiteEvent): boolean {
  const { resource, action } = event;
  return ['*', `${resource}.*`, `*.${action}`, typeOf(event)].some((type) => on.includes(type));
}

/** The consumer that tells one listener, an event at a time. `onFailure` is told of each failure. */
export function listenerConsumer(
  listener: Listener,
  onFailure: (event: SiteEvent, error: unknown, last: boolean) => void,
  firstPause = FIRST_PAUSE_MS,
): Consumer {
  return {
    name: `listener ${listener.name}`,
    async handle(events, signal) {
      for (const [done, event] of events.entries()) {
        if (signal.aborted) return done;
        if (!isMeant(listener.on, event)) continue;
        if (!(await told(event, signal))) return done;
        // What is noted is not told again: one event at a time.
        return done + 1;
      }
      return events.length;
    },
  };

  /** False when the work was stopped before the event was told. */
  async function told(event: SiteEvent, signal: AbortSignal): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        await listener.run(event, signal);
        return true;
      } catch (error) {
        onFailure(event, error, attempt === ATTEMPTS);
        if (attempt === ATTEMPTS) return true;
      }
      const pause = Math.min(firstPause * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return false;
    }
  }
}
