// Settings without an effect: reported at every start.
import type { Config } from './settings.js';

/** One line for each setting whose value has no effect. */
export function unservedSettings({ database, hsts, publicUrl }: Config): string[] {
  const embedded = database.url.startsWith('sqlite:');
  return [
    ...unreadParameters('DATABASE_URL', database.url),
    ...database.replicaUrls.flatMap((url) => unreadParameters('DATABASE_REPLICA_URLS', url)),
    ...(embedded && database.pool !== 10 ? ['DATABASE_POOL has no effect on SQLite'] : []),
    ...(hsts === 'include-subdomains' && !publicUrl.startsWith('https:')
      ? ['HSTS has no effect unless PUBLIC_URL is https']
      : []),
  ];
}

/** Parameters of the address of a server that are not read: a misspelt one may leave the connection unencrypted. */
function unreadParameters(variable: string, url: string): string[] {
  if (url.startsWith('sqlite:')) return [];
  const given = new URLSearchParams(url.split('?', 2)[1]);
  const encrypted = given.has('sslmode') && given.get('sslmode') !== 'disable';
  const unread = [...given.keys()].filter((name) => name !== 'sslmode' && (name !== 'sslrootcert' || !encrypted));
  const hint = encrypted ? '' : '; the connection is not encrypted without sslmode=require or verify-full';
  return [...new Set(unread)].map((name) => `${variable}: the parameter "${name}" has no effect${hint}`);
}
