// The database and its replicas.
import * as urls from './url-parsers.js';
import * as read from './parsers.js';
import type { Variables } from './variables.js';
import { ACCEPTABLE } from '../model/accepted.js';
import type { Config } from './settings.js';

/** `DATABASE_URL` and what belongs to it. */
export function databaseSettings(variables: Variables): Config['database'] {
  const server = 'mysql://user:password@host:port/name or postgres://user:password@host:port/name';
  return {
    url: variables.get(
      'DATABASE_URL',
      'sqlite:data/typecase.sqlite',
      `sqlite:<path> (with ?synchronous=normal or full), ${server} (special characters of a password as %40)`,
      urls.databaseUrl,
      urls.masked,
    ),
    replicaUrls: variables.get('DATABASE_REPLICA_URLS', [], `a list of ${server}`, urls.databaseUrls, urls.masked),
    pool: variables.whole('DATABASE_POOL', 10, 1, 1000),
    migrate: variables.oneOf('DATABASE_MIGRATE', 'auto', 'auto', 'check', 'off'),
    accept: variables.get('DATABASE_ACCEPT', [], `a list of ${ACCEPTABLE.join(', ')}`, read.wordsOf(ACCEPTABLE)),
  };
}

/** System databases by engine: tables in them are lost by an upgrade, or copied into every new database. */
const OF_SERVER: Record<string, readonly string[]> = {
  mysql: ['mysql', 'information_schema', 'performance_schema', 'sys'],
  postgres: ['template0', 'template1'],
};

/** The name of the database of a URL if it is a system database. */
export function serversOwn(url: string): string | undefined {
  const name = decodeURIComponent(/^\w+:\/\/[^/]+\/([^/?]+)/.exec(url)?.[1] ?? '');
  return OF_SERVER[engineOf(url)]?.includes(name.toLowerCase()) ? name : undefined;
}

/** The engine that the URL of a database names: `sqlite`, `mysql` or `postgres`. */
export function engineOf(url: string): string {
  const scheme = url.slice(0, url.indexOf(':'));
  return { mariadb: 'mysql', postgresql: 'postgres' }[scheme] ?? scheme;
}
