// Settings of an embedded site: an object in place of environment variables, validated by the same code.
import { readConfig, variableNames, type Config } from './config.js';
import { BootError, type Problem } from '../errors/problem.js';
import { nearest } from '../text/nearest-name.js';

/** `1048576` or `'1mb'`. */
type Size = number | string;
/** `'500ms'`, `'30s'`, `'2m'`. */
type Duration = string;

/**
 * The environment variables of docs/configuration.md as members: `DATABASE_URL` is `databaseUrl`. Defaults and allowed
 * values are the same; switches are booleans, lists are arrays. The environment itself is not read.
 */
export interface TypecaseOptions {
  /** Address of the site as clients see it; its path is where a module is mounted unless `mount` says otherwise. */
  publicUrl?: string;
  siteUrl?: string;
  apiRoot?: string;
  apiNamespace?: string;
  schemasDir?: string;
  extensionsDir?: string;
  rolesFile?: string;
  databaseUrl?: string;
  databaseReplicaUrls?: readonly string[];
  databasePool?: number;
  databaseMigrate?: 'auto' | 'check' | 'off';
  databaseAccept?: readonly ('leftovers' | 'values' | 'other-site')[];
  mediaUrl?: string;
  mediaDir?: string;
  privateMediaDir?: string;
  fileAddressLifetime?: Duration;
  /** `false`, or sizes such as `'thumbnail=150x150-crop'`. */
  imageSizes?: false | readonly string[];
  /** `false`, or boxes such as `'640x'`. */
  imageOnDemand?: false | readonly string[];
  imageOnDemandFormats?: false | readonly ('webp' | 'avif' | 'jpeg' | 'png')[];
  adminUsername?: string;
  adminPassword?: string;
  adminEmail?: string;
  authBasicAccountPassword?: boolean;
  hashMemoryCost?: number;
  hashTimeCost?: number;
  /** One for all sites of a process. */
  passwordMinLength?: number;
  tokenSecret?: string;
  /** `true`, `false`, `'none'` or `'<requests>/<seconds>'`. */
  rateLimit?: boolean | string;
  trustProxy?: false | number | readonly string[];
  corsOrigins?: '*' | readonly string[];
  hsts?: boolean | 'include-subdomains';
  /** `/metrics`: on, off, or the token that it asks for. */
  metrics?: boolean | string;
  pages?: boolean;
  mcp?: boolean;
  liveUpdates?: boolean;
  liveConnections?: number;
  eventsKeepDays?: number;
  webhookRetry?: Duration;
  webhookAttempts?: number;
  webhookTimeout?: Duration;
  webhookAllowHosts?: readonly string[];
  redisUrl?: string;
  logLevel?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  logFormat?: 'json' | 'pretty';
  bodyLimit?: Size;
  contentBodyLimit?: Size;
  untrustedBodyLimit?: Size;
  bodyMemory?: Size;
  uploadLimit?: Size;
  responseLimit?: Size;
  responseMemory?: Size;
  requestTimeout?: Duration;
  siteTitle?: string;
  siteDescription?: string;
  siteTimezone?: string;
  siteLocale?: string;
  siteLocales?: readonly string[];
  siteDefaultRole?: string;
  siteDefaultCategory?: number;
  siteDefaultCommentStatus?: 'open' | 'closed';
  siteDefaultPingStatus?: 'open' | 'closed';
  siteRequireNameEmail?: boolean;
  siteCommentRegistration?: boolean;
  siteAllowAnonymousComments?: boolean;
  siteCommentModeration?: boolean;
  siteCommentPreviouslyApproved?: boolean;
  siteCommentMaxLinks?: number;
  siteModerationWords?: readonly string[];
  siteDisallowedWords?: readonly string[];
  siteCloseCommentsForOldPosts?: boolean;
  siteCloseCommentsDaysOld?: number;
  siteShowAvatars?: boolean;
  siteAvatarUrl?: string;
  siteAvatarDefault?: string;
  sitePermalinkStructure?: string;
  siteTrash?: boolean;
  siteTrashRetentionDays?: number;
}

/** Variables of the process that `npm start` runs; an embedded site listens and ends with its host. */
export const PROCESS_VARIABLES: readonly string[] = [
  'HOST',
  'PORT',
  'WORKERS',
  'SHUTDOWN_TIMEOUT',
  // The host has its own traces.
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_SDK_DISABLED',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_EXPORTER',
];

/**
 * Validates options.
 * @throws BootError with every mistake, with the messages of the variables and the names of the options
 */
export function configOf(options: TypecaseOptions): Config {
  const names = new Set([...variableNames()].filter((name) => !PROCESS_VARIABLES.includes(name)));
  const members = new Map([...names].map((name) => [memberName(name), name]));
  const problems: Problem[] = [];
  const environment: Record<string, string> = {};
  for (const [member, value] of Object.entries(options)) {
    const name = members.get(member);
    if (name === undefined) problems.push(unknown(member, members));
    else if (value !== undefined) {
      const text = textOf(value);
      if (text === undefined) problems.push(problem(member, 'is no text, number, boolean or list of texts'));
      else environment[name] = text;
    }
  }
  try {
    const config = readConfig(environment, false);
    if (problems.length === 0) return config;
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    problems.push(...error.problems.map((each) => renamed(each, names)));
  }
  throw new BootError(problems);
}

/** `DATABASE_URL` as a member: `databaseUrl`. */
export function memberName(variable: string): string {
  return variable.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(',') : undefined;
}

function unknown(member: string, members: ReadonlyMap<string, string>): Problem {
  const near = nearest(member, members.keys());
  return {
    ...problem(member, 'there is no such option'),
    ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
  };
}

function problem(member: string, message: string): Problem {
  return { file: 'options', path: member, message };
}

function renamed({ path, message, hint, ...rest }: Problem, names: ReadonlySet<string>): Problem {
  const rename = (text: string) =>
    text.replaceAll(/\b[A-Z][A-Z_]+\b/g, (word) => (names.has(word) ? memberName(word) : word));
  return {
    ...rest,
    file: 'options',
    ...(path === undefined ? {} : { path: rename(path) }),
    message: rename(message),
    ...(hint === undefined ? {} : { hint: rename(hint) }),
  };
}
