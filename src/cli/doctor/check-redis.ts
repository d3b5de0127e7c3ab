// Checks Redis, if rate limits are counted there.
import { RedisCounters } from '../../auth/rate-limit/redis-counters.js';
import { type Finding, findingsAbout } from './finding.js';

/** Whether the server at a URL responds; reads an unused counter. */
export async function checkRedis(url: string): Promise<Finding> {
  const { ok, fail } = findingsAbout('redis');
  const counters = new RedisCounters(url, 'typecase-doctor:');
  try {
    await counters.connect();
    await counters.add('none', 0, 1);
    return ok('responds');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`it does not respond (${reason}): limits are counted per process, or in the database, until it does`);
  } finally {
    counters.close();
  }
}
