// Checks for settings that work, but are weaker than they could be.
import { availableParallelism } from 'node:os';
import { databaseFile } from '../../config/folders.js';
import { unservedSettings } from '../../config/unsupported.js';
import { type Finding, findingsAbout } from './finding.js';
import type { Config } from '../../config/settings.js';
import { RECOMMENDED_COST } from '../../config/access-settings.js';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|\[::1\]|localhost)$/;
const { ok, warn } = findingsAbout('configuration');

/** Everything about the settings that an operator should know. */
export function checkSettings(config: Config, processors = availableParallelism()): Finding[] {
  const weak = [
    ...unservedSettings(config),
    ...transport(config),
    ...accounts(config),
    ...durability(config),
    ...monitoring(config),
    ...(config.workers > processors
      ? [`WORKERS=${config.workers} is more than the ${processors} processors of this machine: use auto`]
      : []),
  ];
  return weak.length === 0 ? [ok('no weak settings')] : weak.map(warn);
}

function transport({ host, publicUrl, trustProxy, database }: Config): string[] {
  const { protocol, hostname } = new URL(publicUrl);
  const remote = !LOOPBACK.test(hostname) || !LOOPBACK.test(host);
  const found = [];
  if (protocol === 'http:' && remote)
    found.push('passwords and tokens travel unencrypted: put a proxy with TLS in front and set PUBLIC_URL to https');
  if (protocol === 'https:' && trustProxy === false)
    found.push('TRUST_PROXY is off: behind a proxy all callers count as one for the limits');
  if (
    !databaseFile({ database }) &&
    isRemote(database.url) &&
    !/[?&]sslmode=(?:require|verify-full)/.test(database.url)
  )
    found.push('the connection to the database is not encrypted: add ?sslmode=verify-full to DATABASE_URL');
  return found;
}

function isRemote(url: string): boolean {
  const [, hosts = ''] = /^\w+:\/\/(?:[^@/]*@)?([^/]+)/.exec(url) ?? [];
  return hosts.split(',').some((host) => !LOOPBACK.test(host.replace(/:\d+$/, '')));
}

function accounts(config: Config): string[] {
  const { admin, rateLimit, basicAccountPassword, passwordHash, publicUrl, tokenSecret, database } = config;
  const found = [];
  if (admin.password !== undefined)
    found.push('ADMIN_PASSWORD is in the environment: only the first start reads it, remove it afterwards');
  if (passwordHash.memoryCost * passwordHash.timeCost < RECOMMENDED_COST.memoryCost * RECOMMENDED_COST.timeCost)
    found.push(
      'HASH_MEMORY_COST and HASH_TIME_COST are low: stolen password hashes are guessed faster, leave them out',
    );
  if (rateLimit.mode === 'none') found.push('RATE_LIMIT=none: nothing slows down those who guess passwords');
  if (basicAccountPassword && publicUrl.startsWith('https:'))
    found.push(
      'AUTH_BASIC_ACCOUNT_PASSWORD is on: programs may sign in with account passwords instead of application passwords',
    );
  if (tokenSecret === undefined && !databaseFile({ database }))
    found.push('TOKEN_SECRET is not set: each machine makes its own, and tokens of one are refused by the others');
  return found;
}

function monitoring({ host, metrics }: Config): string[] {
  if (metrics === true && !LOOPBACK.test(host))
    return ['METRICS=on: everybody who reaches the port may read /metrics, set a token or keep it behind the proxy'];
  return typeof metrics === 'string' && metrics.length < 16
    ? ['METRICS is a token of less than 16 characters, which can be guessed: set a longer one']
    : [];
}

function durability({ database: { url } }: Config): string[] {
  return /[?&]synchronous=normal/.test(url)
    ? ['synchronous=normal: the last writes may be lost when the machine loses power']
    : [];
}
