// Memory for the large rows that a write loads. Inside a transaction nothing may wait for memory, because requests that
// hold memory may wait for the transaction: a row larger than what is reserved aborts the transaction, memory is
// reserved, and the transaction runs again.
import type { OutputBudget } from '../../model/operation.js';

/** Stored bytes that one attempt may load without a reservation. */
const UNRESERVED = 1024 * 1024;
/** A write loads its item before and after the change, and once more to store its response. */
const LOADS = 3;

/** Aborts a transaction that needs more memory than is reserved. */
export class MemoryMissing extends Error {
  constructor(readonly bytes: number) {
    super('Memory has to be reserved before the transaction.');
    this.name = 'MemoryMissing';
  }
}

/** The budget of the attempts of one write. */
export class WriteMemory implements OutputBudget {
  /** Stored bytes that the current attempt has loaded. */
  bytes = 0;
  private reserved: number;

  /** `output` may hold memory already, for its `bytes`. */
  constructor(private readonly output: OutputBudget) {
    this.reserved = Math.max(UNRESERVED, LOADS * output.bytes);
  }

  /** Whether something large was sent or loaded: else what is written is not large either. */
  get isLarge(): boolean {
    return this.bytes > 0 || this.output.bytes > 0;
  }

  /** Starts an attempt. */
  restart(): void {
    this.bytes = 0;
  }

  /** @throws MemoryMissing when the attempt needs more than is reserved */
  take(bytes: number): undefined {
    this.bytes += bytes;
    if (this.bytes > this.reserved) throw new MemoryMissing(this.bytes);
  }

  /**
   * Reserves memory for the next attempt; waits while the process has none.
   * @throws ResourceError 503 when none is freed
   */
  async reserve(bytes: number): Promise<void> {
    this.reserved = LOADS * bytes;
    await this.output.take(bytes);
  }
}
