// Reads the environment into frozen settings; all mistakes are reported together.
import * as urls from './url-parsers.js';
import * as read from './parsers.js';
import { eventSettings, tracingSettings } from './event-settings.js';
import { mediaSettings } from './media-settings.js';
import { siteSettings } from './site-settings.js';
import { misspelt, invalidValue, Variables, type Environment } from './variables.js';
import { StartupError, type Problem } from '../errors/problem.js';
import { ENGINE_PATHS, PAGES_FOLDER, ROOT_PATHS } from '../model/functions/paths.js';
import type { Config, LogLevel } from './settings.js';
import { tokenSecret, accessSettings } from './access-settings.js';
import { databaseSettings, engineOf, serversOwn } from './database-settings.js';
import { DEFAULT_LIMITS } from '../model/default-limits.js';
import { nestedFolders } from './check-folders.js';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Reads the environment. Throws one StartupError with every mistake. `terminal`: the output is a TTY. */
export function readConfig(env: Environment = process.env, terminal = process.stdout.isTTY === true): Config {
  const variables = new Variables(env);
  const config = { ...locations(variables), ...operation(variables, env, terminal), site: siteSettings(variables) };
  const problems = [
    ...variables.problems,
    ...clashes(config, env),
    ...nestedFolders(config),
    ...misspelt(env, variables.names),
  ];
  if (problems.length > 0) throw new StartupError(problems);
  return frozen(config);
}

/** Names of all variables. */
export function variableNames(): ReadonlySet<string> {
  return unset().names;
}

/** Names of the variables whose default is neither off nor an empty list. */
export function defaultedNames(): ReadonlySet<string> {
  return unset().defaulted;
}

function unset(): Variables {
  const variables = new Variables({});
  locations(variables);
  operation(variables, {}, false);
  siteSettings(variables);
  return variables;
}

function locations(variables: Variables) {
  const host = variables.get('HOST', '127.0.0.1', 'a host name or IP address', urls.host);
  const port = variables.whole('PORT', 3000, 0, 65_535);
  const here = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = variables.get('PUBLIC_URL', here, urls.HTTP_URL, urls.httpUrl);
  const siteUrl = variables.get('SITE_URL', publicUrl, urls.HTTP_URL, urls.httpUrl);
  const root = variables.get('API_ROOT', '', 'a path such as /wp-json', urls.segments);
  const apiNamespace = variables.get('API_NAMESPACE', 'cms/v2', 'a path such as cms/v2', urls.segments) || 'cms/v2';
  return { host, port, publicUrl, siteUrl, apiRoot: root === '' ? '' : `/${root}`, apiNamespace };
}

function operation(variables: Variables, env: Environment, terminal: boolean) {
  return {
    tokenSecret: tokenSecret(variables),
    database: databaseSettings(variables),
    schemasDir: variables.text('SCHEMAS_DIR', 'schemas'),
    extensionsDir: variables.text('EXTENSIONS_DIR', 'extensions'),
    rolesFile: variables.text('ROLES_FILE', 'roles.json'),
    ...mediaSettings(variables),
    ...accessSettings(variables),
    pages: variables.flag('PAGES', true),
    compression: variables.flag('COMPRESSION', true),
    responseCache: variables.flag('RESPONSE_CACHE', true),
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
      'a redis:// or rediss:// URL',
      urls.redisUrl,
      urls.masked,
    ),
    workers: variables.get('WORKERS', 1, 'auto or a whole number from 1 to 256', read.workers),
    log: log(variables, env, terminal),
    limits: sizes(variables),
    timeouts: {
      shutdown: variables.get('SHUTDOWN_TIMEOUT', 10_000, read.DURATION, read.duration),
      request: variables.get('REQUEST_TIMEOUT', 30_000, read.DURATION, read.duration),
      worker: variables.get('WORKER_TIMEOUT', 60_000, read.DURATION, read.duration),
    },
  };
}

function log(variables: Variables, env: Environment, terminal: boolean): Config['log'] {
  const format = terminal && env['NODE_ENV'] !== 'production' ? 'pretty' : 'json';
  return {
    level: variables.oneOf<LogLevel>('LOG_LEVEL', 'info', ...LEVELS),
    format: variables.oneOf<Config['log']['format']>('LOG_FORMAT', format, 'json', 'pretty'),
  };
}

function clashes(config: Omit<Config, 'site'>, env: Environment): Problem[] {
  const problems: Problem[] = [];
  for (const [name, path, taken] of [
    ['API_ROOT', config.apiRoot.slice(1), ENGINE_PATHS],
    ['API_NAMESPACE', config.apiNamespace, [...ENGINE_PATHS, ...ROOT_PATHS]],
  ] as const) {
    const [first = ''] = path.split('/');
    const reserved = first === PAGES_FOLDER ? [PAGES_FOLDER] : taken;
    if (reserved.includes(first))
      problems.push(invalidValue(name, `"${env[name]}" begins with a path of the engine: ${reserved.join(', ')}`));
  }
  const engine = engineOf(config.database.url);
  if (config.database.replicaUrls.some((url) => engineOf(url) !== engine)) {
    problems.push(invalidValue('DATABASE_REPLICA_URLS', `replicas must be of the engine of DATABASE_URL, ${engine}`));
  }
  const own = serversOwn(config.database.url);
  if (own !== undefined) {
    const message = `"${own}" is a database of the server itself: create one for the site, and name that`;
    problems.push(invalidValue('DATABASE_URL', message));
  }
  return problems;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
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
