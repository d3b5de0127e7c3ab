// Settings without an effect: reported at every start.
import type { Config } from './settings.js';

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
