// Limits concurrent uploads, of all callers and per account.
import { limits } from '../limits.js';
import { unavailable } from '../http-errors.js';

/** The upload slots of one process. */
export class UploadPlaces {
  private readonly taken = new Map<number, number>();
  private all = 0;

  /** Runs `work` in a slot of an account; throws 503 when none is free. */
  async run<T>(account: number, work: () => Promise<T>): Promise<T> {
    const mine = this.taken.get(account) ?? 0;
    if (this.all >= limits.uploads || mine >= limits.uploadsOfOne)
      throw unavailable('Too many uploads are arriving at the moment. Send fewer at a time, or try again.', 5);
    this.all++;
    this.taken.set(account, mine + 1);
    try {
      return await work();
    } finally {
      this.all--;
      const left = this.taken.get(account)! - 1;
      if (left > 0) this.taken.set(account, left);
      else this.taken.delete(account);
    }
  }
}
