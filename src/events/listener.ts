// Delivers events to the listeners of a site.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer } from './consumers.js';
import { typeOf } from './event.js';
import type { SiteEvent } from '../model/audit.js';

/** Attempts to deliver an event before it is skipped. */
const ATTEMPTS = 8;
/** Pause after the first failure, in milliseconds; doubled after each further one. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** Code that receives events. */
export interface Listener {
  name: string;
  /** Types: `order.created`, `order.*`, `*.deleted`, `*`. */
  on: readonly string[];
  run(event: SiteEvent, signal: AbortSignal): unknown;
}

/** Whether the type of an event is listed: `*` stands for any resource, or any action. */
export function isMeant(on: readonly string[], event: SiteEvent): boolean {
  const { resource, action } = event;
  return ['*', `${resource}.*`, `*.${action}`, typeOf(event)].some((type) => on.includes(type));
}

/** The consumer that calls one listener, an event at a time. `onFailure` is called for each failure. */
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
        if (!(await deliver(event, signal))) return done;
        // One event at a time: once confirmed, it is not delivered again.
        return done + 1;
      }
      return events.length;
    },
  };

  /** False when the work was stopped before the event was delivered. */
  async function deliver(event: SiteEvent, signal: AbortSignal): Promise<boolean> {
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
