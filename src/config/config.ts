// Reads the environment into frozen settings; all mistakes are reported together.
import * as read from './parsers.js';
import { isS3Address } from './s3-location.js';
import type { RateLimit } from './parsers.js';
import { siteSettings } from './site-settings.js';
import { misspelt, invalidValue, Variables, type Environment } from './variables.js';
import { BootError, type Problem } from '../errors/problem.js';
import { ACCEPTABLE, type Accepted } from '../model/accepted.js';
import { DEFAULT_LIMITS } from '../model/default-limits.js';
import type { ImageSize, SiteSettings } from '../model/site.js';
import { PAGES_FOLDER, RESERVED } from '../model/paths.js';

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

const SIZE = 'a size such as 512kb, 1mb or 1gb';
const DURATION = 'a duration such as 500ms, 10s or 2m, at most 24h';
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
  const server = 'mysql://user:password@host:port/name or postgres://user:password@host:port/name';
  const tokenSecret = variables.secret('TOKEN_SECRET');
  if (tokenSecret !== undefined && tokenSecret.length < 16) {
    variables.problems.push(invalidValue('TOKEN_SECRET', 'the value (not shown) is shorter than 16 characters'));
  }
  return {
    database: {
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
    },
    schemasDir: variables.text('SCHEMAS_DIR', 'schemas'),
    extensionsDir: variables.text('EXTENSIONS_DIR', 'extensions'),
    rolesFile: variables.text('ROLES_FILE', 'roles.json'),
    ...media(variables),
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
    tokenSecret,
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
    pages: variables.flag('PAGES', true),
    mcp: variables.flag('MCP', false),
    metrics: variables.get<boolean | string>(
      'METRICS',
      true,
      'on, off, or a token of 8 to 200 letters, digits and -._~+/=',
      read.flagOrToken,
      () => '(not shown)',
    ),
    ...tracing(variables),
    events: events(variables),
    redisUrl: variables.get<string | undefined>(
      'REDIS_URL',
      undefined,
      'a redis:// or rediss:// address',
      read.redisUrl,
      read.masked,
    ),
    workers: variables.get('WORKERS', 1, 'auto or a whole number from 1 to 256', read.workers),
    log: {
      level: variables.oneOf<LogLevel>('LOG_LEVEL', 'info', ...LEVELS),
      format: variables.oneOf(
        'LOG_FORMAT',
        terminal && env['NODE_ENV'] !== 'production' ? 'pretty' : 'json',
        'json',
        'pretty',
      ),
    },
    limits: {
      body: variables.get('BODY_LIMIT', DEFAULT_LIMITS.body, SIZE, read.bytes),
      contentBody: variables.get('CONTENT_BODY_LIMIT', DEFAULT_LIMITS.contentBody, SIZE, read.bytes),
      untrustedBody: variables.get('UNTRUSTED_BODY_LIMIT', DEFAULT_LIMITS.untrustedBody, SIZE, read.bytes),
      bodyMemory: variables.get('BODY_MEMORY', DEFAULT_LIMITS.bodyMemory, SIZE, read.bytes),
      upload: variables.get('UPLOAD_LIMIT', DEFAULT_LIMITS.upload, SIZE, read.bytes),
      response: variables.get('RESPONSE_LIMIT', DEFAULT_LIMITS.response, SIZE, read.bytes),
      responseMemory: variables.get('RESPONSE_MEMORY', DEFAULT_LIMITS.responseMemory, SIZE, read.bytes),
    },
    timeouts: {
      shutdown: variables.get('SHUTDOWN_TIMEOUT', 10_000, DURATION, read.duration),
      request: variables.get('REQUEST_TIMEOUT', 30_000, DURATION, read.duration),
    },
  };
}

/** The standard variables of OpenTelemetry that turn traces on; the packages read those that shape them. */
function tracing(variables: Variables): Pick<Config, 'tracing'> {
  const address = (name: string) =>
    variables.get<string | undefined>(name, undefined, read.ADDRESS, (text) => read.webAddress(text));
  const base = address('OTEL_EXPORTER_OTLP_ENDPOINT');
  const own = address('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const exporter = variables.oneOf<string>('OTEL_TRACES_EXPORTER', '', 'otlp', 'none');
  const disabled = variables.flag('OTEL_SDK_DISABLED', false);
  const service = variables.text('OTEL_SERVICE_NAME', 'typecase');
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])
    variables.oneOf<string>(name, '', 'http/json', 'http/protobuf');
  if (disabled || exporter === 'none' || (exporter === '' && base === undefined && own === undefined)) return {};
  return { tracing: { url: own ?? `${base ?? OTLP_DEFAULT}/v1/traces`, service } };
}

/** Where collectors listen. */
const OTLP_DEFAULT = 'http://localhost:4318';

function events(variables: Variables): Config['events'] {
  const host = read.matching(/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/);
  return {
    live: variables.flag('LIVE_UPDATES', false),
    connections: variables.whole('LIVE_CONNECTIONS', 2_000, 1, 100_000),
    keepDays: variables.whole('EVENTS_KEEP_DAYS', 7, 1, 365),
    webhooks: {
      retry: variables.get('WEBHOOK_RETRY', 5_000, DURATION, read.duration),
      attempts: variables.whole('WEBHOOK_ATTEMPTS', 10, 1, 100),
      timeout: variables.get('WEBHOOK_TIMEOUT', 10_000, DURATION, read.duration),
      allowHosts: variables.get(
        'WEBHOOK_ALLOW_HOSTS',
        [],
        'a list of hosts such as hooks.local or 127.0.0.1:8080',
        read.listOf(host),
      ),
    },
  };
}

/** Sizes that clients of WordPress look for. */
const IMAGE_SIZES = {
  thumbnail: { width: 150, height: 150, crop: true },
  medium: { width: 300, height: 300 },
  medium_large: { width: 768 },
  large: { width: 1024, height: 1024 },
};

/** What copies can be written in. */
const FORMATS = ['webp', 'avif', 'jpeg', 'png'];
/** Widths of screens. */
const ON_DEMAND = [320, 640, 960, 1280, 1920].map((width) => ({ width }));

type MediaConfig = Pick<
  Config,
  'mediaUrl' | 'privateMediaDir' | 'fileAddressLifetime' | 'imageSizes' | 'imagesOnDemand'
>;

function media(variables: Variables): MediaConfig {
  const url = mediaUrl(variables);
  const folder = url.startsWith('file:') ? url.slice('file:'.length) : 'data/media';
  const beside = `${folder.replace(/[\\/]+$/, '')}-private`;
  const lifetime = variables.get('FILE_ADDRESS_LIFETIME', 15 * 60_000, DURATION, read.duration);
  if (lifetime < 2_000)
    variables.problems.push(invalidValue('FILE_ADDRESS_LIFETIME', 'addresses need at least 2s to be used'));
  return {
    mediaUrl: url,
    privateMediaDir: variables.text('PRIVATE_MEDIA_DIR', beside),
    fileAddressLifetime: lifetime,
    imageSizes: variables.get<Config['imageSizes']>(
      'IMAGE_SIZES',
      IMAGE_SIZES,
      'off, or a list such as thumbnail=150x150-crop, medium=300x300, wide=1200x',
      read.imageSizes,
    ),
    imagesOnDemand: {
      boxes: variables.get<Config['imagesOnDemand']['boxes']>(
        'IMAGE_ON_DEMAND',
        ON_DEMAND,
        'off, or a list such as 320x, 640x, 400x300',
        read.imageBoxes,
      ),
      formats: variables
        .get('IMAGE_ON_DEMAND_FORMATS', ['webp'], `a list of ${FORMATS.join(', ')}, or off`, (text) =>
          read.flag(text) === false ? [] : read.wordsOf(FORMATS)(text),
        )
        .map((format) => `image/${format}`),
    },
  };
}

function mediaUrl(variables: Variables): string {
  const directory = variables.get<string | undefined>('MEDIA_DIR', undefined, 'a folder', read.anyText);
  const allowed = 'file:<path> or s3://bucket/prefix?endpoint=…&region=…';
  const parse = (text: string) => {
    const found = read.mediaUrl(text);
    return found?.startsWith('s3:') && !isS3Address(found) ? undefined : found;
  };
  const url = variables.get<string | undefined>('MEDIA_URL', undefined, allowed, parse, read.masked);
  const short = directory === undefined ? undefined : `file:${directory}`;
  if (url !== undefined && short !== undefined && url !== short) {
    variables.problems.push(
      invalidValue('MEDIA_DIR', `"${directory}" says something else than MEDIA_URL; give only one of them`),
    );
  }
  return url ?? short ?? 'file:data/media';
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
