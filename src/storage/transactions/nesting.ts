// Detects a transaction that is begun inside the work of another one: it would wait for the locks of the outer one
// forever.
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Number of transactions that are checked: mistakes of extensions show up early, and a check adds a twentieth of the
 * cost.
 */
const MAX_CHECKED = 500;

/** The detection of nested transactions; one instance per store. */
export class TransactionNesting {
  private readonly inside = new AsyncLocalStorage<{ open: boolean }>();
  private checked = 0;
  private running = 0;

  /** @throws Error when it is called by the work of a transaction that is watched */
  assertNotNested(): void {
    if (this.inside.getStore()?.open)
      throw new Error('A transaction inside a transaction: pass the outer one down instead');
  }

  /** Runs the work of a transaction, watched if it is one of the first. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return (this.checked += 1) > MAX_CHECKED ? work() : this.watch(work);
  }

  /** Runs the work of a transaction, watched. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    const state = { open: true };
    this.running += 1;
    try {
      return await this.inside.run(state, work);
    } finally {
      state.open = false;
      this.running -= 1;
      // An active AsyncLocalStorage slows down every promise of the process.
      if (this.running === 0) this.inside.disable();
    }
  }
}
