// Access: accounts, secrets, rate limits, trusted proxies, CORS.
import * as urls from './url-parsers.js';
import * as read from './parsers.js';
import type { RateLimit } from './parsers.js';
import { invalidValue, type Variables } from './variables.js';
import type { Config } from './settings.js';

/** The parameters that OWASP recommends for argon2id. */
export const RECOMMENDED_COST = { memoryCost: 19_456, timeCost: 2 } as const;

/** Settings of access: accounts, secrets, rate limits, trusted proxies, CORS. */
export function accessSettings(variables: Variables) {
  return {
    admin: {
      username: variables.get('ADMIN_USERNAME', 'admin', 'a name of at most 60 characters', read.matching(/^.{1,60}$/)),
      password: variables.secret('ADMIN_PASSWORD'),
      email: variables.get('ADMIN_EMAIL', 'admin@example.org', 'an e-mail address', read.matching(/^[^\s@]+@[^\s@]+$/)),
    },
    basicAccountPassword: variables.flag('AUTH_BASIC_ACCOUNT_PASSWORD', true),
    passwordHash: {
      memoryCost: variables.whole('HASH_MEMORY_COST', RECOMMENDED_COST.memoryCost, 8, 4 * 1024 ** 2),
      timeCost: variables.whole('HASH_TIME_COST', RECOMMENDED_COST.timeCost, 1, 1000),
    },
    rateLimit: variables.get<RateLimit>(
      'RATE_LIMIT',
      { mode: 'on' },
      'on, off, none or <requests>/<seconds>',
      read.rateLimit,
    ),
    trustProxy: variables.get<Config['trustProxy']>(
      'TRUST_PROXY',
      false,
      'off, a number of proxies, or their IP addresses',
      urls.proxies,
    ),
    corsOrigins: variables.get<Config['corsOrigins']>(
      'CORS_ORIGINS',
      '*',
      '* or a list of origins such as https://example.org',
      (text) => (text === '*' ? text : read.listOf(urls.origin)(text)),
    ),
    hsts: variables.oneOf<Config['hsts']>('HSTS', 'on', 'off', 'on', 'include-subdomains'),
  };
}

/** `TOKEN_SECRET`; undefined where the server makes its own. */
export function tokenSecret(variables: Variables): string | undefined {
  const secret = variables.secret('TOKEN_SECRET');
  if (secret !== undefined && secret.length < 16)
    variables.problems.push(invalidValue('TOKEN_SECRET', 'the value (not shown) is shorter than 16 characters'));
  return secret;
}
