// What several requests ask for in the same turn of the event loop, done once for all of them.
import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Work by key. It begins at the end of the turn, so that a result is never older than a request that shares it. */
export class OncePerTurn<V> {
  /** Work that has not begun. */
  private readonly waiting = new Map<string, Promise<V>>();

  /** The result, or the failure, of `work`, or of other work of the same key in this turn. */
  run(key: string, work: () => Promise<V>): Promise<V> {
    const known = this.waiting.get(key);
    if (known) return known;
    const result = this.begin(key, work);
    this.waiting.set(key, result);
    return result;
  }

  private async begin(key: string, work: () => Promise<V>): Promise<V> {
    await endOfTurn();
    this.waiting.delete(key);
    return work();
  }
}
