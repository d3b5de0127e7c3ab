// What several requests ask for in the same turn of the event loop, done once for all of them.
import { setImmediate as endOfTurn } from 'node:timers/promises';

interface Waiting<V, A> {
  result: Promise<V>;
  askers: A[];
}

/**
 * Work by key, for those who ask for it. It begins at the end of the turn, so that a result is never older than a request
 * that shares it.
 */
export class OncePerTurn<V, A = undefined> {
  /** Work that has not begun. */
  private readonly waiting = new Map<string, Waiting<V, A>>();

  /** The result, or the failure, of `work`, or of other work of the same key in this turn. All who asked for it get it. */
  run(key: string, asker: A, work: (askers: readonly A[]) => Promise<V>): Promise<V> {
    const known = this.waiting.get(key);
    if (known) {
      known.askers.push(asker);
      return known.result;
    }
    const askers = [asker];
    const result = this.begin(key, () => work(askers));
    this.waiting.set(key, { result, askers });
    return result;
  }

  private async begin(key: string, work: () => Promise<V>): Promise<V> {
    await endOfTurn();
    this.waiting.delete(key);
    return work();
  }
}
