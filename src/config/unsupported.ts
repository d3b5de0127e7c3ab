// Settings that are parsed but not supported: reported at every start.
import type { Config } from './config.js';
import { invalidValue } from './variables.js';
import { BootError } from '../errors/problem.js';

/** Throws for settings that would lose data or could never work. */
export function assertSupported({ mediaUrl }: Config): void {
  if (!mediaUrl.startsWith('s3:')) return;
  const problem = invalidValue('MEDIA_URL', 'files cannot be kept in S3 yet');
  throw new BootError([{ ...problem, hint: 'use file:<path>, or MEDIA_DIR' }]);
}

/** One line for each setting whose value has no effect. */
export function unservedSettings({ database, hsts, publicUrl }: Config): string[] {
  const embedded = database.url.startsWith('sqlite:');
  return [
    ...(embedded && database.pool !== 10 ? ['DATABASE_POOL has no effect on SQLite'] : []),
    ...(hsts === 'include-subdomains' && !publicUrl.startsWith('https:')
      ? ['HSTS has no effect unless PUBLIC_URL is https']
      : []),
  ];
}
