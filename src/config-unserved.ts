// Settings that are understood and not served yet: said at every start, so that nobody relies on them. Called by start-site.
import type { Config } from './config.js';
import { refused } from './config-variables.js';
import { BootError } from './errors/problem.js';

/** Refuses what would lose data or never work. */
export function refuseUnserved({ mediaUrl }: Config): void {
  if (!mediaUrl.startsWith('s3:')) return;
  const problem = refused('MEDIA_URL', 'files cannot be kept in S3 yet');
  throw new BootError([{ ...problem, hint: 'use file:<path>, or MEDIA_DIR' }]);
}

/** One line for each setting whose value has no effect. */
export function unservedSettings({ database }: Config): string[] {
  const embedded = database.url.startsWith('sqlite:');
  return embedded && database.pool !== 10 ? ['DATABASE_POOL has no effect on SQLite'] : [];
}
