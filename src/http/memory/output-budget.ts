// The share of response memory that one response holds, from the first row loaded for it until its last byte is sent.
import { ResourceError } from '../../errors/resource-error.js';
import type { OutputBudget } from '../../model/operation.js';
import type { ResponseMemory, Waiter } from './response-memory.js';

/** Responses made of fewer stored bytes are not counted until they are queued, and are serialized at once. */
export const LARGE = 256 * 1024;
/**
 * While a response is made, memory holds its texts (two bytes a character), its JSON, and garbage not yet collected.
 */
const COPIES = 6;
/**
 * A write also holds the request and its parsed form, passes each text to the worker pool and to the driver, and gets it
 * back with its rendered form: a body counts as this many stored bytes.
 */
const BODY_COPIES = 4;
/** Largest share of the memory for one response while it is made, so that others can be sent meanwhile. */
const MAX_SHARE = 0.75;

/** Where the output of a request is registered. */
export interface OutputHolder {
  output: Output | undefined;
  /** Account or network of the caller: clients take turns when they wait for memory. */
  readonly client: string;
  /** Whether the connection has closed. */
  readonly closed: boolean;
}

/** Released when the response closes; work that continues after that is aborted. */
export class Output implements OutputBudget {
  /** Stored bytes counted so far. */
  bytes = 0;
  private held = 0;
  private released = false;
  private waiter: Waiter | undefined;
  /** Pending while the process has no memory for it. */
  private admission: Promise<void> | undefined;

  /** `limit`: bytes the response may have. */
  constructor(
    private readonly memory: ResponseMemory,
    readonly limit: number,
    private readonly single: boolean,
    private readonly client: string,
  ) {}

  /** Starts an output for a request, replacing an earlier one. */
  static begin(memory: ResponseMemory, context: OutputHolder, limit = Infinity, single = true): Output {
    context.output?.release();
    const output = new Output(memory, limit, single, context.client);
    context.output = output;
    if (context.closed) output.release();
    return output;
  }

  /** Lets one response hold what another one has held that becomes part of it. */
  static move(from: OutputHolder, to: OutputHolder): void {
    to.output?.release();
    to.output = from.output;
    from.output = undefined;
    if (to.closed) to.output?.release();
  }

  /** Whether the data is too large for one short time slice. */
  get isLarge(): boolean {
    return this.bytes > LARGE;
  }

  take(bytes: number): Promise<void> | undefined {
    if (this.released) throw clientLeft();
    this.bytes += bytes;
    this.check(this.bytes);
    if (!this.isLarge) return undefined;
    // Several statements of a response run at the same time: they wait together.
    if (this.admission) return this.admission.then(() => this.grow());
    // Acquire everything or nothing: waiting while holding some memory could deadlock several responses.
    if (this.held > 0) this.grow();
    else if (this.memory.take(this.wanted)) this.held = this.wanted;
    else {
      this.admission = this.wait(this.wanted).finally(() => (this.admission = undefined));
      return this.admission;
    }
    return undefined;
  }

  /** Throws 413 when the response would exceed its limit. */
  check(bytes: number): void {
    if (bytes > this.limit) throw responseTooLarge(this.limit, this.single);
  }

  /** Sets the number of bytes held. */
  hold(bytes: number): void {
    if (this.released) return;
    const more = bytes - this.held;
    this.held = bytes;
    if (more !== 0) this.memory.add(more);
  }

  /** Returns bytes that have been sent. */
  releaseSent(bytes: number): void {
    if (this.held > 0) this.hold(Math.max(0, this.held - bytes));
  }

  /** Bytes currently held. */
  get holds(): number {
    return this.held;
  }

  /** Releases everything for good. */
  release(): void {
    this.hold(0);
    this.released = true;
    this.waiter?.leave(clientLeft());
  }

  private get wanted(): number {
    return Math.min(this.bytes * COPIES, this.memory.capacity * MAX_SHARE);
  }

  private grow(): void {
    if (this.released) throw clientLeft();
    this.hold(Math.max(this.held, this.wanted));
  }

  private async wait(wanted: number): Promise<void> {
    this.waiter = this.memory.wait(wanted, this.client);
    await this.waiter.admitted;
    this.waiter = undefined;
    if (!this.released) this.held = wanted;
    else {
      this.memory.add(-wanted);
      throw clientLeft();
    }
  }
}

/**
 * Reserves memory for the work on a large body; waits while the process has none. Small bodies need none.
 * @throws ResourceError 503 when none is freed in time
 */
export async function reserveForBody(memory: ResponseMemory, context: OutputHolder, bytes: number): Promise<void> {
  if (bytes > LARGE) await Output.begin(memory, context).take(bytes * BODY_COPIES);
}

// Aborts the work for a response whose client has disconnected.
function clientLeft(): ResourceError {
  return new ResourceError('rest_request_timeout', { status: 408, message: 'The client has left.' });
}

function responseTooLarge(limit: number, single: boolean): ResourceError {
  const remedy = single ? 'fewer fields (_fields)' : 'fewer items (per_page), fewer fields (_fields), or a single item';
  return new ResourceError('rest_response_too_large', {
    status: 413,
    message: `The response would be larger than the ${limit} bytes allowed here. Request ${remedy}.`,
    data: { status: 413, limit },
  });
}
