// Reads the environment into frozen settings; all mistakes are reported together.
import * as read from './parsers.js';
import { eventSettings, tracingSettings } from './event-settings.js';
import { mediaSettings } from './media-settings.js';
import type { RateLimit } from './parsers.js';
import { siteSettings } from './site-settings.js';
import { misspelt, invalidValue, Variables, type Environment } from './variables.js';
import { BootError, type Problem } from '../errors/problem.js';
import { ACCEPTABLE, type Accepted } from '../model/accepted.js';
import { DEFAULT_LIMITS } from '../model/default-limits.js';
import { PAGES_FOLDER, RESERVED } from '../model/functions/paths.js';
import type { SiteSettings } from '../model/site/site-settings.js';
import type { ImageSize } from '../model/site/file-storage.js';

/** The settings of the operator. Sizes are bytes, durations milliseconds. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute address of this server, no trailing slash. */
  readonly publicUrl: string;
  /** Absolute address of the public site, no trailing slash. */
  readonly siteUrl: string;
  /** '' or '/wp-json'. */
  readonly apiRoot: string;
  /** 'cms/v2'. */
  readonly apiNamespace: string;
  readonly database: {
    url: string;
    replicaUrls: readonly string[];
    pool: number;
    migrate: 'auto' | 'check' | 'off';
    /** Questions about the database that are answered for this start. */
    accept: readonly Accepted[];
  };
  readonly schemasDir: string;
  /** Folder of the extensions; it need not exist. */
  readonly extensionsDir: string;
  /** File with the roles and their capabilities. */
  readonly rolesFile: string;
  readonly mediaUrl: string;
  /** Folder of the files behind rules, which nobody serves. */
  readonly privateMediaDir: string;
  /** Longest validity of the address of such a file, in milliseconds. */
  readonly fileAddressLifetime: number;
  /** Resized copies of uploaded images, by name. */
  readonly imageSizes: Readonly<Record<string, ImageSize>>;
  /** Boxes and media types of the copies that readers may ask for. */
  readonly imagesOnDemand: { boxes: readonly ImageSize[]; formats: readonly string[] };
  /** The first administrator; without a password one is generated. */
  readonly admin: { username: string; password?: string; email: string };
  readonly basicAccountPassword: boolean;
  /** Cost of new hashes of account passwords: argon2id with so much memory in KiB and so many passes. */
  readonly passwordHash: { memoryCost: number; timeCost: number };
  /** Generated and stored beside the data when absent. */
  readonly tokenSecret?: string;
  readonly rateLimit: RateLimit;
  readonly trustProxy: false | number | readonly string[];
  readonly corsOrigins: '*' | readonly string[];
  /** `Strict-Transport-Security`, with an https `publicUrl` only. */
  readonly hsts: 'off' | 'on' | 'include-subdomains';
  /** Pages for browsers. */
  readonly pages: boolean;
  /** Tools for agents at `/mcp`. */
  readonly mcp: boolean;
  /** Whether `/metrics` is served; a text is the token that it asks for. */
  readonly metrics: boolean | string;
  /** Where traces go, and under which name; absent: there are none. */
  readonly tracing?: { url: string; service: string };
  /** Events: how they reach webhooks, and whether clients may follow them. */
  readonly events: {
    live: boolean;
    /** Most streams of a process. */
    connections: number;
    keepDays: number;
    webhooks: {
      /** Pause after the first failed attempt. */
      retry: number;
      attempts: number;
      timeout: number;
      /** Hosts that may be told without a public address: `name` or `name:port`. */
      allowHosts: readonly string[];
    };
  };
  readonly redisUrl?: string;
  readonly workers: number;
  readonly log: { level: LogLevel; format: 'json' | 'pretty' };
  readonly limits: {
    body: number;
    contentBody: number;
    untrustedBody: number;
    bodyMemory: number;
    upload: number;
    response: number;
    responseMemory: number;
  };
  readonly timeouts: { shutdown: number; request: number };
  readonly site: Readonly<SiteSettings>;
}

type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** The parameters that OWASP recommends for argon2id. */
export const RECOMMENDED_COST = { memoryCost: 19_456, timeCost: 2 } as const;

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Reads the environment. Throws one BootError with every mistake. `terminal`: the output is a TTY. */
export function readConfig(env: Environment = process.env, terminal = process.stdout.isTTY === true): Config {
  const variables = new Variables(env);
  const config = { ...addresses(variables), ...operation(variables, env, terminal), site: siteSettings(variables) };
  const problems = [...variables.problems, ...clashes(config, env), ...misspelt(env, variables.names)];
  if (problems.length > 0) throw new BootError(problems);
  return frozen(config);
}

/** Names of all variables. */
export function variableNames(): ReadonlySet<string> {
  const variables = new Variables({});
  addresses(variables);
  operation(variables, {}, false);
  siteSettings(variables);
  return variables.names;
}

function addresses(variables: Variables) {
  const host = variables.get('HOST', '127.0.0.1', 'a host name or address', read.host);
  const port = variables.whole('PORT', 3000, 0, 65_535);
  const here = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = variables.get('PUBLIC_URL', here, read.ADDRESS, read.webAddress);
  const siteUrl = variables.get('SITE_URL', publicUrl, read.ADDRESS, read.webAddress);
  const root = variables.get('API_ROOT', '', 'a path such as /wp-json', read.segments);
  const apiNamespace = variables.get('API_NAMESPACE', 'cms/v2', 'a path such as cms/v2', read.segments) || 'cms/v2';
  return { host, port, publicUrl, siteUrl, apiRoot: root === '' ? '' : `/${root}`, apiNamespace };
}

function operation(variables: Variables, env: Environment, terminal: boolean) {
  return {
    tokenSecret: tokenSecret(variables),
    database: database(variables),
    schemasDir: variables.text('SCHEMAS_DIR', 'schemas'),
    extensionsDir: variables.text('EXTENSIONS_DIR', 'extensions'),
    rolesFile: variables.text('ROLES_FILE', 'roles.json'),
    ...mediaSettings(variables),
    ...access(variables),
    pages: variables.flag('PAGES', true),
    mcp: variables.flag('MCP', false),
    metrics: variables.get<boolean | string>(
      'METRICS',
      true,
      'on, off, or a token of 8 to 200 letters, digits and -._~+/=',
      read.flagOrToken,
      () => '(not shown)',
    ),
    ...tracingSettings(variables),
    events: eventSettings(variables),
    redisUrl: variables.get<string | undefined>(
      'REDIS_URL',
      undefined,
      'a redis:// or rediss:// address',
      read.redisUrl,
      read.masked,
    ),
    workers: variables.get('WORKERS', 1, 'auto or a whole number from 1 to 256', read.workers),
    log: log(variables, env, terminal),
    limits: sizes(variables),
    timeouts: {
      shutdown: variables.get('SHUTDOWN_TIMEOUT', 10_000, read.DURATION, read.duration),
      request: variables.get('REQUEST_TIMEOUT', 30_000, read.DURATION, read.duration),
    },
  };
}

function database(variables: Variables): Config['database'] {
  const server = 'mysql://user:password@host:port/name or postgres://user:password@host:port/name';
  return {
    url: variables.get(
      'DATABASE_URL',
      'sqlite:data/typecase.sqlite',
      `sqlite:<path> (with ?synchronous=normal or full), ${server}`,
      read.databaseUrl,
      read.masked,
    ),
    replicaUrls: variables.get('DATABASE_REPLICA_URLS', [], `a list of ${server}`, read.databaseUrls, read.masked),
    pool: variables.whole('DATABASE_POOL', 10, 1, 1000),
    migrate: variables.oneOf('DATABASE_MIGRATE', 'auto', 'auto', 'check', 'off'),
    accept: variables.get('DATABASE_ACCEPT', [], `a list of ${ACCEPTABLE.join(', ')}`, read.wordsOf(ACCEPTABLE)),
  };
}

/** Who gets in: accounts, secrets, limits, and what is believed of a request. */
function access(variables: Variables) {
  return {
    admin: {
      username: variables.get('ADMIN_USERNAME', 'admin', 'a name of at most 60 characters', read.matching(/^.{1,60}$/)),
      password: variables.secret('ADMIN_PASSWORD'),
      email: variables.get('ADMIN_EMAIL', 'admin@example.org', 'an email address', read.matching(/^[^\s@]+@[^\s@]+$/)),
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
      'off, a number of proxies, or their addresses',
      read.proxies,
    ),
    corsOrigins: variables.get<Config['corsOrigins']>(
      'CORS_ORIGINS',
      '*',
      '* or a list of origins such as https://example.org',
      (text) => (text === '*' ? text : read.listOf(read.origin)(text)),
    ),
    hsts: variables.oneOf<Config['hsts']>('HSTS', 'on', 'off', 'on', 'include-subdomains'),
  };
}

function tokenSecret(variables: Variables): string | undefined {
  const secret = variables.secret('TOKEN_SECRET');
  if (secret !== undefined && secret.length < 16)
    variables.problems.push(invalidValue('TOKEN_SECRET', 'the value (not shown) is shorter than 16 characters'));
  return secret;
}

function log(variables: Variables, env: Environment, terminal: boolean): Config['log'] {
  const format = terminal && env['NODE_ENV'] !== 'production' ? 'pretty' : 'json';
  return {
    level: variables.oneOf<LogLevel>('LOG_LEVEL', 'info', ...LEVELS),
    format: variables.oneOf<Config['log']['format']>('LOG_FORMAT', format, 'json', 'pretty'),
  };
}

function sizes(variables: Variables): Config['limits'] {
  const size = (name: string, limit: keyof Config['limits']) =>
    variables.get(name, DEFAULT_LIMITS[limit], 'a size such as 512kb, 1mb or 1gb', read.bytes);
  return {
    body: size('BODY_LIMIT', 'body'),
    contentBody: size('CONTENT_BODY_LIMIT', 'contentBody'),
    untrustedBody: size('UNTRUSTED_BODY_LIMIT', 'untrustedBody'),
    bodyMemory: size('BODY_MEMORY', 'bodyMemory'),
    upload: size('UPLOAD_LIMIT', 'upload'),
    response: size('RESPONSE_LIMIT', 'response'),
    responseMemory: size('RESPONSE_MEMORY', 'responseMemory'),
  };
}

function clashes(config: Omit<Config, 'site'>, env: Environment): Problem[] {
  const problems: Problem[] = [];
  for (const [name, path] of [
    ['API_ROOT', config.apiRoot.slice(1)],
    ['API_NAMESPACE', config.apiNamespace],
  ] as const) {
    const [first = ''] = path.split('/');
    const reserved = first === PAGES_FOLDER ? [PAGES_FOLDER] : RESERVED;
    if (reserved.includes(first))
      problems.push(invalidValue(name, `"${env[name]}" begins with a path of the engine: ${reserved.join(', ')}`));
  }
  const engine = engineOf(config.database.url);
  if (config.database.replicaUrls.some((url) => engineOf(url) !== engine)) {
    problems.push(invalidValue('DATABASE_REPLICA_URLS', `replicas must be of the engine of DATABASE_URL, ${engine}`));
  }
  return problems;
}

function engineOf(url: string): string {
  const scheme = url.slice(0, url.indexOf(':'));
  return { mariadb: 'mysql', postgresql: 'postgres' }[scheme] ?? scheme;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}
