// Chooses the rate limit storage: memory for a single process, the database when there may be several, Redis when
// configured.
import { type Counters, MemoryCounters } from '../auth/rate-limit/memory-counters.js';
import { operatorReason } from '../errors/resource-error.js';
import type { Secret } from '../auth/secret.js';
import {
  FallbackCounters,
  type FallbackListener,
  GatheringCounters,
  StoreCounters,
} from '../auth/rate-limit/shared-counters.js';
import type { Log } from '../http/request/logger.js';
import type { Store } from '../model/store.js';
import type { Config } from '../config/settings.js';

/** The rate limit counters of a site. */
export interface SiteCounters {
  /** Exact over all processes: for failed logins. */
  exact: Counters;
  /** Approximate over all processes: for requests. */
  gathered: Counters;
  close(): void;
}

type Settings = Pick<Config, 'redisUrl' | 'workers' | 'database'>;

/** Creates the counters of a site; with Redis, resolves once it has responded or failed. */
export async function siteCounters(
  config: Settings,
  { store, secret }: { store: Store; secret: Secret },
  log: Pick<Log, 'warn' | 'info'>,
  memory: MemoryCounters = new MemoryCounters(),
): Promise<SiteCounters> {
  const embedded = config.database.url.startsWith('sqlite:');
  const several = store.rateCounters && (!embedded || config.workers > 1);
  const own = several
    ? new FallbackCounters(new StoreCounters(store.rateCounters), memory, newsOf('the database', log))
    : memory;
  if (config.redisUrl === undefined) {
    return { exact: own, gathered: several ? new GatheringCounters(own) : own, close: () => undefined };
  }
  const { RedisCounters } = await import('../auth/rate-limit/redis-counters.js');
  const redis = new RedisCounters(config.redisUrl, prefixOf(config, secret));
  await redis.connect();
  const exact = new FallbackCounters(redis, own, newsOf('Redis', log));
  return { exact, gathered: new GatheringCounters(exact), close: () => redis.close() };
}

function newsOf(place: string, log: Pick<Log, 'warn' | 'info'>): FallbackListener {
  return {
    failed: (error) => log.warn({ reason: operatorReason(error) }, `limits are not counted in ${place}`),
    recovered: () => log.info(`limits are counted in ${place} again`),
  };
}

// Key prefix: the processes of one site share their secret and database, even if they reach them differently.
function prefixOf({ database }: Settings, secret: Secret): string {
  const [name] = database.url.split('?');
  return `typecase:${secret.fingerprint('counters', name!.slice(name!.lastIndexOf('/') + 1)).slice(0, 16)}:`;
}
