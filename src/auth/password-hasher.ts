// Slow hashes of account passwords, computed off the event loop with bounded concurrency.
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { ResourceError } from '../errors/resource-error.js';
import { FairQueue, type Turn } from '../concurrency/fair-queue.js';

/** Cost of new hashes, and limits of concurrent ones. */
export interface HasherOptions {
  /** Memory in KiB and passes of new hashes; existing ones keep theirs. Default: the library's, as OWASP recommends. */
  cost?: { memoryCost: number; timeCost: number };
  /** Hashes computed at a time. */
  cores?: number;
  /** Capacity of the queue; when it is full, a request is rejected or evicts one of lower priority. */
  queue?: number;
}

const MAX_BYTES = 4096;
// The file system, DNS and databases share libuv's four threads.
const MAX_CONCURRENCY = 3;
/** Capacity of the queue: fits a first attempt from each of a thousand networks. */
const MAX_QUEUED = 1024;
/** Queue capacity of one client. */
const MAX_QUEUED_PER_CLIENT = 64;
/** Priority of passwords that authenticated callers set. */
const WRITES: Turn = { lane: 0, client: 'writes' };
const ANONYMOUS: Turn = { lane: 1, client: '' };

/** argon2id; the cost is stored in the hash. */
export class PasswordHasher {
  private readonly queue: FairQueue;
  private readonly cost: HasherOptions['cost'];
  private dummy: Promise<string> | undefined;

  constructor({ cost, cores, queue = MAX_QUEUED }: HasherOptions = {}) {
    this.cost = cost;
    const atOnce = cores ?? Math.min(availableParallelism(), MAX_CONCURRENCY);
    this.queue = new FairQueue({ atOnce, places: queue, share: MAX_QUEUED_PER_CLIENT }, busy);
  }

  /** Computes the hash to store. Throws for passwords over 4,096 bytes, and 503 when the queue is full. */
  async hash(password: string): Promise<string> {
    if (isTooLong(password)) throw new ResourceError('rest_user_invalid_password', { status: 400 });
    return this.queue.run(WRITES, () => hash(password, this.cost));
  }

  /**
   * Whether the password is right. Without a usable hash the same time is spent and the result is false. `turn` is the
   * priority of the caller. Throws 503 when the queue is full.
   */
  async verify(stored: string | undefined, password: string, turn = ANONYMOUS): Promise<boolean> {
    // Depends only on the input, so the timing reveals nothing about accounts.
    if (isTooLong(password)) return false;
    const usable = stored?.startsWith('$argon2id$') ? stored : undefined;
    const against = usable ?? (await this.dummyHash());
    return this.queue.run(
      turn,
      async () => (await verify(against, password).catch(() => false)) && usable !== undefined,
    );
  }

  private dummyHash(): Promise<string> {
    // A failure, such as a lack of memory, must not stay.
    this.dummy ??= hash('nobody', this.cost).catch((error: unknown) => {
      this.dummy = undefined;
      throw error;
    });
    return this.dummy;
  }
}

function busy(): ResourceError {
  return new ResourceError('rest_unavailable', {
    message: 'Too many passwords are being checked. Try again in a second.',
    headers: { 'Retry-After': '1' },
  });
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > MAX_BYTES;
}
