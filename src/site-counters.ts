// Chooses where a site counts: in memory while it is one process, in the database when there may be several, in Redis when one is given.
// Called by start-site.ts.
import { type Counters, MemoryCounters } from './auth/counters.js';
import { RedisCounters } from './auth/redis-counters.js';
import type { Secret } from './auth/secret.js';
import { FallbackCounters, type FallbackNews, GatheringCounters, StoreCounters } from './auth/shared-counters.js';
import type { Config } from './config.js';
import type { Log } from './http/logger.js';
import type { Store } from './model/store.js';

/** Where the limits of a site count. */
export interface SiteCounters {
  /** Exact over all processes: failed logins. */
  exact: Counters;
  /** Over all processes too, nearly: requests. */
  gathered: Counters;
  close(): void;
}

type Settings = Pick<Config, 'redisUrl' | 'workers' | 'database'>;

/** The counters of a site; with Redis they are there once it has answered or failed. */
export async function siteCounters(
  config: Settings,
  { store, secret }: { store: Store; secret: Secret },
  log: Pick<Log, 'warn' | 'info'>,
): Promise<SiteCounters> {
  const memory = new MemoryCounters();
  const embedded = config.database.url.startsWith('sqlite:');
  const several = store.tallies && (!embedded || config.workers > 1);
  const own = several
    ? new FallbackCounters(new StoreCounters(store.tallies), memory, newsOf('the database', log))
    : memory;
  if (config.redisUrl === undefined) {
    return { exact: own, gathered: several ? new GatheringCounters(own) : own, close: () => undefined };
  }
  const redis = new RedisCounters(config.redisUrl, prefixOf(config, secret));
  await redis.connect();
  const exact = new FallbackCounters(redis, own, newsOf('Redis', log));
  return { exact, gathered: new GatheringCounters(exact), close: () => redis.close() };
}

function newsOf(place: string, log: Pick<Log, 'warn' | 'info'>): FallbackNews {
  return {
    failed: (error) =>
      log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        `limits are not counted in ${place}`,
      ),
    recovered: () => log.info(`limits are counted in ${place} again`),
  };
}

// Processes of one site share their secret and their database, whatever else differs in how they reach them.
function prefixOf({ database }: Settings, secret: Secret): string {
  const [name] = database.url.split('?');
  return `typecase:${secret.fingerprint('counters', name!.slice(name!.lastIndexOf('/') + 1)).slice(0, 16)}:`;
}
