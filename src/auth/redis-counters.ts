// Counters in Redis, for REDIS_URL: one script per addition, keys that go by themselves. Made by site-counters.ts, which lets others
// stand in while Redis is away.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Tally } from '../model/store.js';
import type { Counters } from './counters.js';

/** Milliseconds: of one command, and of making a connection. */
const COMMAND_MS = 500;
const CONNECT_MS = 2_000;
const LONGEST_PAUSE = 5_000;

// KEYS: the counter. ARGV: what is added, milliseconds it counts. Answers the number and the milliseconds it has left.
const TALLY = `
local left = redis.call('PTTL', KEYS[1])
local by = tonumber(ARGV[1])
local n = by
if left > 0 then n = by + tonumber(redis.call('GET', KEYS[1])) else left = tonumber(ARGV[2]) end
if n < 0 then n = 0 end
if by ~= 0 then redis.call('SET', KEYS[1], string.format('%d', n), 'PX', left) end
return {n, left}`;

interface Scripted {
  tally(key: string, by: number, ms: number): Promise<[count: number, left: number]>;
}

/** Counters of everybody who uses the same Redis and the same prefix. */
export class RedisCounters implements Counters {
  private readonly redis: Redis & Scripted;
  private reason: Error | undefined;

  /** `connect` begins; from then on it connects again by itself whenever nobody answers. */
  constructor(url: string, prefix: string) {
    this.redis = new Redis(url, {
      keyPrefix: prefix,
      lazyConnect: true,
      // A caller who is counted elsewhere meanwhile must not be counted once more when Redis is back.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
      connectTimeout: CONNECT_MS,
      retryStrategy: (tries) => Math.min(tries * 200, LONGEST_PAUSE),
      // After a failover the old primary takes no writes.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
      scripts: { tally: { lua: TALLY, numberOfKeys: 1 } },
    }) as Redis & Scripted;
    // Commands tell too, but not why.
    this.redis.on('error', (error: Error) => (this.reason = error));
    this.redis.on('ready', () => (this.reason = undefined));
  }

  /** Resolves when Redis has answered or failed for the first time, or takes too long for that. */
  async connect(): Promise<void> {
    const connecting = this.redis.connect().catch(() => undefined);
    await Promise.race([connecting, sleep(CONNECT_MS + COMMAND_MS, undefined, { ref: false })]);
  }

  async add(key: string, by: number, seconds: number): Promise<Tally> {
    const [count, left] = await this.command(() => this.redis.tally(key, by, seconds * 1000));
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
