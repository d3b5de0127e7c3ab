// Deduplicates work that several requests need in the same turn of the event loop.
import { setImmediate as endOfTurn } from 'node:timers/promises';

interface Waiting<V, A> {
  result: Promise<V>;
  args: A[];
}

/**
 * Shares work between calls with the same key. The work begins at the end of the turn, so that a result is never older
 * than a call that shares it.
 */
export class OncePerTurn<V, A = undefined> {
  /** Work that has not begun. */
  private readonly waiting = new Map<string, Waiting<V, A>>();

  /**
   * The result of `work`, or of the work of an earlier call with the same key in this turn. `work` receives the
   * arguments of all calls. Rejects for all of them when it fails.
   */
  run(key: string, argument: A, work: (args: readonly A[]) => Promise<V>): Promise<V> {
    const known = this.waiting.get(key);
    if (known) {
      known.args.push(argument);
      return known.result;
    }
    const args = [argument];
    const result = this.begin(key, () => work(args));
    this.waiting.set(key, { result, args });
    return result;
  }

  private async begin(key: string, work: () => Promise<V>): Promise<V> {
    await endOfTurn();
    this.waiting.delete(key);
    return work();
  }
}
