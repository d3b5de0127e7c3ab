// Disconnects clients that read their responses too slowly: after a timeout always, sooner while others wait for
// memory.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { InFlight } from './in-flight.js';
import { limits } from '../limits.js';
import { contextOf } from '../request/request-context.js';
import type { ResponseMemory } from '../memory/response-memory.js';

type WatchedSocket = Socket & { _handle?: { writeQueueSize?: number } | null };

/** Send progress of a client; times in milliseconds. */
interface Progress {
  begun: number;
  first: number;
  taken: number;
  since: number;
}

/** Whether a response has a share of the memory for large ones. */
function holdsMemory(response: ServerResponse): boolean {
  return (contextOf(response.req).output?.holds ?? 0) > 0;
}

/** Checks the responses being sent at intervals. */
export class SlowReaders {
  private readonly known = new WeakMap<ServerResponse, Progress>();

  constructor(
    private readonly inFlight: InFlight,
    private readonly memory: ResponseMemory,
  ) {}

  /** Closes stalled connections; while others wait also the slowest one. */
  sweep(now = performance.now()): void {
    const isPressed = this.memory.isPressed;
    let slowest: { response: ServerResponse; rate: number } | undefined;
    for (const response of this.sending()) {
      const { begun, first, taken, since } = this.progress(response, now);
      // Ending others, such as downloads of files, would leave no more memory to those that wait.
      const pressed = isPressed && holdsMemory(response);
      const timeout = pressed ? limits.stalledUnderPressure : limits.stalled;
      if (now - since >= timeout) response.destroy();
      else if (pressed && now - begun >= limits.stalledUnderPressure) {
        const rate = (taken - first) / ((now - begun) / 1_000);
        if (rate < (slowest?.rate ?? limits.slowestUnderPressure)) slowest = { response, rate };
      }
    }
    slowest?.response.destroy();
  }

  /**
   * Closes the longest stalled connections until there is room for what was queued. The last one stays: a response may be larger than
   * all of the memory, when it is made alone.
   */
  relieve(now = performance.now()): void {
    let excess = this.memory.excess;
    if (excess === 0) return;
    const sending = [...this.sending()]
      .filter(holdsMemory)
      .map((response) => ({ response, since: this.progress(response, now).since }));
    for (const { response } of sending.sort((a, b) => a.since - b.since).slice(0, -1)) {
      if (excess <= 0) return;
      excess -= contextOf(response.req).output!.holds;
      response.destroy();
    }
  }

  /** Responses with bytes that their clients have not read. */
  private *sending(): Generator<ServerResponse> {
    for (const response of this.inFlight.begun()) {
      if (response.req.socket.writableLength > 0) yield response;
      else this.known.delete(response);
    }
  }

  private progress(response: ServerResponse, now: number): Progress {
    const socket: WatchedSocket = response.req.socket;
    // The handle's queue shrinks while a write progresses; the stream's only when the write completes.
    const taken = socket.bytesWritten - (socket._handle?.writeQueueSize ?? socket.writableLength);
    const before = this.known.get(response);
    if (!before) this.known.set(response, { begun: now, first: taken, taken, since: now });
    else if (before.taken !== taken) Object.assign(before, { taken, since: now });
    return this.known.get(response)!;
  }
}
