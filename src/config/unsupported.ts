// Settings that have no effect, which every start reports.
import { PERMALINK_PARTS } from '../model/site/site-settings.js';
import type { Config } from './settings.js';

/** One line for each setting whose value has no effect. */
export function unservedSettings(config: Config): string[] {
  const { database, hsts, publicUrl, site } = config;
  const embedded = database.url.startsWith('sqlite:');
  return [
    ...unreadParameters('DATABASE_URL', database.url),
    ...database.replicaUrls.flatMap((url) => unreadParameters('DATABASE_REPLICA_URLS', url)),
    ...(embedded && database.pool !== 10 ? ['DATABASE_POOL has no effect on SQLite'] : []),
    ...(hsts === 'include-subdomains' && !publicUrl.startsWith('https:')
      ? ['HSTS has no effect unless PUBLIC_URL is https']
      : []),
    ...unknownParts(site.permalinkStructure),
    ...idleParts(config),
  ];
}

/** Settings of parts that other settings switch off. */
function idleParts({ mediaUrl, privateMediaDir, imagesOnDemand, events, workers, timeouts }: Config): string[] {
  const { boxes, formats } = imagesOnDemand;
  const changed = ([value, standard]: readonly [unknown, unknown]) => value !== standard;
  const found = [
    [
      mediaUrl.startsWith('s3:'),
      [privateMediaDir, 'data/media-private'],
      'PRIVATE_MEDIA_DIR',
      'files are kept in a bucket',
    ],
    [boxes.length === 0, [formats.join(), 'image/webp'], 'IMAGE_ON_DEMAND_FORMATS', 'IMAGE_ON_DEMAND is off'],
    [!events.live, [events.connections, 2_000], 'LIVE_CONNECTIONS', 'LIVE_UPDATES is off'],
    [workers === 1, [timeouts.worker, 60_000], 'WORKER_TIMEOUT', 'WORKERS is 1'],
  ] as const;
  return found.flatMap(([idle, values, name, reason]) =>
    idle && changed(values) ? [`${name} has no effect: ${reason}`] : [],
  );
}

/** Placeholders that are not replaced in the URLs of items. */
function unknownParts(structure: string): string[] {
  const unknown = (structure.match(/%[a-z_]+%/g) ?? []).filter((part) => !PERMALINK_PARTS.includes(part.slice(1, -1)));
  const known = PERMALINK_PARTS.map((name) => `%${name}%`).join(', ');
  return unknown.map((part) => `SITE_PERMALINK_STRUCTURE: ${part} has no effect: it is none of ${known}`);
}

/** Parameters of the URL of a server that are not read: a misspelt one may leave the connection unencrypted. */
function unreadParameters(variable: string, url: string): string[] {
  if (url.startsWith('sqlite:')) return [];
  const given = new URLSearchParams(url.split('?', 2)[1]);
  const encrypted = given.has('sslmode') && given.get('sslmode') !== 'disable';
  const unread = [...given.keys()].filter((name) => name !== 'sslmode' && (name !== 'sslrootcert' || !encrypted));
  const hint = encrypted ? '' : '; the connection is not encrypted without sslmode=require or verify-full';
  return [...new Set(unread)].map((name) => `${variable}: the parameter "${name}" has no effect${hint}`);
}
