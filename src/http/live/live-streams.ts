// The open event streams of one process. New events are read once for all of them, and checked once for each caller.
import { CoalescingJob } from '../../concurrency/coalescing-job.js';
import { RoundRobinQueue } from '../../concurrency/round-robin.js';
import type { Actor } from '../../model/actor.js';
import type { SiteEvent } from '../../model/audit.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { Log } from '../request/logger.js';
import type { ApiResponse } from '../response/write-response.js';
import { visibleEvents, type VisibleEvent, type ReadParts } from './visible-events.js';
import type { Positions } from './position.js';

/** Events read at once. */
const BATCH = 200;
/** Milliseconds between heartbeats on a stream. */
const HEARTBEAT_MS = 20_000;
/** Milliseconds between two checks of the credentials of a stream without events. */
const RECHECK_MS = 30_000;
/** Bytes that a client may leave unread. */
const MAX_UNREAD = 256 * 1024;
/** Milliseconds after which events are read again when that has failed. */
const READ_RETRY_MS = 1_000;
/** Callers that are identified at once: for some of them a slow hash is computed. */
const MAX_CONCURRENT = 8;
/** Milliseconds after which a client connects again. */
const RETRY_MS = 2_000;

/** The log of events. */
export interface LiveLog {
  /** Id of the last event; 0 before the first. */
  last(): Promise<number>;
  /** Id of the oldest stored event; 0 without any. */
  first(): Promise<number>;
  /** Events after a position, in their order. */
  after(position: number, limit: number): Promise<SiteEvent[]>;
  /** Calls `watch` whenever there are new events; returns a function that ends that. */
  watch(watch: (last: number) => void): () => void;
}

/** What a client requested. */
export interface StreamRequest {
  /** Names of resources; empty: all. */
  resources: ReadonlySet<string>;
  /** Ids of items; empty: all. */
  ids: ReadonlySet<number>;
  /** Where the client was before; absent: it begins now. */
  position?: number;
  response: ApiResponse;
  actor: Actor;
  /** Account or network of the caller. */
  client: string;
  /** Text of the credentials: equal for streams of one caller. */
  credentials: string;
  /** Resolves the credentials again; rejects when they are no longer valid. */
  identify(): Promise<Actor> | Actor;
}

interface Stream extends StreamRequest {
  position: number;
}

/** What the streams of a process are made with. */
export interface StreamParts {
  log: LiveLog;
  reads: ReadParts;
  positions: Positions;
  logger: Pick<Log, 'error'>;
  /** Most streams at a time. */
  most: number;
}

/** Sends events to the open streams of one process. */
export class LiveStreams {
  private readonly streams = new Set<Stream>();
  private heartbeat: NodeJS.Timeout | undefined;
  private failed: NodeJS.Timeout | undefined;
  private unwatch: (() => void) | undefined;
  private readonly sending = new CoalescingJob(() => this.sendEvents());
  /** Id of the last event that was read from the log. */
  private latest = 0;
  /** Streams that are being opened. */
  private opening = 0;
  private rechecked = performance.now();
  private closed = true;

  constructor(private readonly parts: StreamParts) {}

  /** Accepts streams from now on. */
  begin(): void {
    if (!this.closed) return;
    this.closed = false;
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
    this.heartbeat.unref();
    this.unwatch = this.parts.log.watch((last) => {
      this.latest = last;
      this.wake();
    });
  }

  /** Number of open streams. */
  get size(): number {
    return this.streams.size;
  }

  /**
   * Begins a stream; it ends with its connection.
   * @throws ResourceError 503 when there are too many
   */
  async open(request: StreamRequest): Promise<void> {
    // The last fifth is reserved for callers with an account.
    const limit = request.actor.id > 0 ? this.parts.most : Math.floor(this.parts.most * 0.8);
    if (this.closed || (this.streams.size + this.opening >= limit && !this.makeRoom(request)))
      throw new ResourceError('rest_unavailable', { headers: { 'Retry-After': '10' } });
    this.opening += 1;
    try {
      await this.openNow(request);
    } finally {
      this.opening -= 1;
    }
  }

  /**
   * Ends the newest stream of the client with the most, if that has more than the requesting one will have: one client
   * must not take all places, and anonymous clients none from accounts. False when there is no such stream.
   */
  private makeRoom({ client, actor }: StreamRequest): boolean {
    const clients = new RoundRobinQueue<Stream>();
    for (const stream of this.streams) if (actor.id > 0 || stream.actor.id === 0) clients.add(stream.client, stream);
    const newest = clients.takeFromBusiest(clients.sizeOf(client) + 1);
    if (!newest) return false;
    newest.response.end();
    this.streams.delete(newest);
    return true;
  }

  private async openNow(request: StreamRequest): Promise<void> {
    const { log, positions } = this.parts;
    const last = await log.last();
    const requested = request.position;
    const first = requested === undefined ? 0 : await log.first();
    // Events that the client has not received were deleted, or the position is of another log.
    const isUnknown = requested !== undefined && (requested > last || requested < first - 1);
    const position = requested === undefined || isUnknown ? last : requested;
    const { response } = request;
    if (response.destroyed) return;
    // The server stops, or its schemas are replaced.
    if (this.closed) throw new ResourceError('rest_unavailable', { headers: { 'Retry-After': '1' } });
    const stream: Stream = { ...request, position };
    response.writeHead(200, STREAM_HEADERS);
    const name = isUnknown ? 'reset' : 'ready';
    response.write(`retry: ${RETRY_MS}\nid: ${positions.seal(position)}\nevent: ${name}\ndata: {}\n\n`);
    this.streams.add(stream);
    response.once('close', () => this.streams.delete(stream));
    // Events that came while the stream was being opened were not sent to it.
    if (position < Math.max(last, this.latest)) this.wake();
  }

  /** Accepts no more streams, and ends all of them: clients reconnect, and resume where they were. */
  close(): void {
    this.closed = true;
    this.unwatch?.();
    clearInterval(this.heartbeat);
    clearTimeout(this.failed);
    this.failed = undefined;
    for (const stream of this.streams) stream.response.end();
    this.streams.clear();
  }

  private wake(): void {
    this.sending.request();
  }

  private wakeAfterFailure(): void {
    this.failed = undefined;
    this.wake();
  }

  private async sendEvents(): Promise<void> {
    const failures = new Map<Stream | undefined, unknown>();
    try {
      while (!this.closed && (await this.advance(failures)));
    } catch (error) {
      failures.set(undefined, error);
    }
    const [error] = failures.values();
    if (failures.size === 0) return;
    this.parts.logger.error({ err: error }, 'live updates cannot be sent');
    // The log notifies of these events only once.
    this.failed ??= setTimeout(() => this.wakeAfterFailure(), READ_RETRY_MS).unref();
  }

  /**
   * Sends the next events to those streams that are the furthest behind. False when all are up to date. Streams whose
   * caller cannot be identified now are put into `failures`, and do not delay others.
   */
  private async advance(failures: Map<Stream | undefined, unknown>): Promise<boolean> {
    const streams = [...this.streams].filter((stream) => !failures.has(stream));
    if (streams.length === 0) return false;
    const from = Math.min(...streams.map(({ position }) => position));
    const events = await this.parts.log.after(from, BATCH);
    if (events.length === 0) return false;
    const to = events.at(-1)!.id;
    // Streams that are ahead have received these.
    const waiting = byCaller(streams.filter(({ position }) => position < to));
    const judged: Judged = new Map();
    const work = async () => {
      for (let group = waiting.shift(); group; group = waiting.shift()) {
        try {
          await this.sendTo(group, events, judged);
        } catch (error) {
          for (const stream of group) failures.set(stream, error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, waiting.length) }, work));
    return true;
  }

  /** Sends events to the streams of one caller. */
  private async sendTo(streams: readonly Stream[], events: readonly SiteEvent[], judged: Judged): Promise<void> {
    const actor = await this.identify(streams);
    if (!actor) return;
    const wanted = events.filter((event) => streams.some((stream) => isWanted(stream, event)));
    const rights = JSON.stringify([actor.id, actor.roles, actor.scope]);
    const key = `${rights} ${wanted.map(({ id }) => id).join()}`;
    const seen = judged.get(key) ?? visibleEvents(actor, wanted, this.parts.reads);
    judged.set(key, seen);
    const visible = await seen;
    for (const stream of streams) this.send(stream, events, visible);
  }

  /**
   * The caller of some streams with their current rights; ends the streams if the credentials are no longer valid.
   * Throws when that cannot be found out now.
   */
  private async identify(streams: readonly Stream[]): Promise<Actor | undefined> {
    try {
      return await streams[0]!.identify();
    } catch (error) {
      if (!(error instanceof ResourceError) || error.statusFor(false) >= 500) throw error;
      for (const stream of streams) {
        // It may have been ended while the credentials were checked.
        if (!stream.response.writableEnded) stream.response.end('event: end\ndata: {}\n\n');
        this.streams.delete(stream);
      }
      return undefined;
    }
  }

  private send(stream: Stream, events: readonly SiteEvent[], visible: ReadonlyMap<number, VisibleEvent>): void {
    const { response } = stream;
    let text = '';
    for (const event of events) {
      if (event.id <= stream.position) continue;
      stream.position = event.id;
      const seen = isWanted(stream, event) ? visible.get(event.id) : undefined;
      if (seen)
        text += `id: ${this.parts.positions.seal(event.id)}\nevent: ${seen.type}\ndata: ${JSON.stringify(seen)}\n\n`;
    }
    // Ended while its events were checked: writing to it would be an error that nobody catches.
    if (text === '' || response.writableEnded) return;
    // A client that does not read may reconnect later.
    if (response.writableLength > MAX_UNREAD) response.destroy();
    else response.write(text);
  }

  private beat(): void {
    for (const { response } of this.streams) {
      if (response.writableLength > MAX_UNREAD) response.destroy();
      else response.write(':\n\n');
    }
    if (performance.now() - this.rechecked < RECHECK_MS) return;
    this.rechecked = performance.now();
    void this.recheck().catch((error: unknown) =>
      this.parts.logger.error({ err: error }, 'live updates cannot be checked'),
    );
  }

  /** Ends the streams of callers whose credentials are no longer valid. Throws when that of some cannot be found out now. */
  private async recheck(): Promise<void> {
    const failures: unknown[] = [];
    for (const streams of byCaller(this.streams))
      await this.identify(streams).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}

/** Headers of a stream of events. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=UTF-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** What callers get to see of a batch of events, by their rights and filters. */
type Judged = Map<string, Promise<ReadonlyMap<number, VisibleEvent>>>;

/** The streams of each caller. */
function byCaller(streams: Iterable<Stream>): Stream[][] {
  const callers = new Map<string, Stream[]>();
  for (const stream of streams) {
    const known = callers.get(stream.credentials);
    if (known) known.push(stream);
    else callers.set(stream.credentials, [stream]);
  }
  return [...callers.values()];
}

function isWanted({ resources, ids }: StreamRequest, { resource, item }: SiteEvent): boolean {
  return (resources.size === 0 || resources.has(resource)) && (ids.size === 0 || ids.has(item));
}
