// Rate limit counters in Redis (REDIS_URL): one script per addition, keys that expire.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { RateCounter } from '../../model/store.js';
import type { Counters } from './memory-counters.js';

/** Timeouts in milliseconds: of one command, and of connecting. */
const COMMAND_MS = 500;
const CONNECT_MS = 2_000;
const MAX_BACKOFF_MS = 5_000;

// KEYS: the counter. ARGV: the increment, the window in milliseconds. Returns the count and the milliseconds left.
const ADD_SCRIPT = `
local left = redis.call('PTTL', KEYS[1])
local by = tonumber(ARGV[1])
local n = by
if left > 0 then n = by + tonumber(redis.call('GET', KEYS[1])) else left = tonumber(ARGV[2]) end
if n < 0 then n = 0 end
if by ~= 0 then redis.call('SET', KEYS[1], string.format('%d', n), 'PX', left) end
return {n, left}`;

interface Scripted {
  addToCounter(key: string, by: number, ms: number): Promise<[count: number, left: number]>;
}

/** Counters shared by all processes with the same Redis and prefix. */
export class RedisCounters implements Counters {
  private readonly redis: Redis & Scripted;
  private reason: Error | undefined;

  /** Starts to connect; reconnects by itself after failures. */
  constructor(url: string, prefix: string) {
    this.redis = new Redis(url, {
      keyPrefix: prefix,
      lazyConnect: true,
      // The fallback counts while Redis is away: a queued command would count the caller twice.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
      connectTimeout: CONNECT_MS,
      retryStrategy: (tries) => Math.min(tries * 200, MAX_BACKOFF_MS),
      // After a failover the old primary is read-only: reconnect.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
      scripts: { addToCounter: { lua: ADD_SCRIPT, numberOfKeys: 1 } },
    }) as Redis & Scripted;
    // Commands fail too, but without the reason.
    this.redis.on('error', (error: Error) => (this.reason = error));
    this.redis.on('ready', () => (this.reason = undefined));
  }

  /** Resolves when Redis has responded or failed for the first time, or after a timeout. */
  async connect(): Promise<void> {
    const connecting = this.redis.connect().catch(() => undefined);
    await Promise.race([connecting, sleep(CONNECT_MS + COMMAND_MS, undefined, { ref: false })]);
  }

  async add(key: string, by: number, seconds: number): Promise<RateCounter> {
    const [count, left] = await this.command(() => this.redis.addToCounter(key, by, seconds * 1000));
    return { count, reset: Math.max(1, Math.ceil(left / 1000)) };
  }

  async forget(key: string): Promise<void> {
    await this.command(() => this.redis.del(key));
  }

  close(): void {
    this.redis.disconnect();
  }

  private async command<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw this.reason ?? error;
    }
  }
}
