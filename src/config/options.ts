// Settings of an embedded site: an object in place of environment variables, validated by the same code.

/** `1048576` or `'1mb'`. */
type Size = number | string;
/** `'500ms'`, `'30s'`, `'2m'`. */
type Duration = string;

/**
 * The environment variables of docs/configuration.md as members: `DATABASE_URL` is `databaseUrl`. Defaults and allowed
 * values are the same; switches are booleans, lists are arrays. The environment itself is not read.
 */
export interface TypecaseOptions {
  /** URL of the site as clients see it; its path is where a module is mounted unless `mount` says otherwise. */
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
  /** The same for all sites of a process. */
  passwordMinLength?: number;
  tokenSecret?: string;
  /** `true`, `false`, `'none'` or `'<requests>/<seconds>'`. */
  rateLimit?: boolean | string;
  trustProxy?: false | number | readonly string[];
  corsOrigins?: '*' | readonly string[];
  hsts?: boolean | 'include-subdomains';
  /** `/metrics`: on, off, or the token that it requires. */
  metrics?: boolean | string;
  pages?: boolean;
  compression?: boolean;
  responseCache?: boolean;
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

/** Variables of the server process, which an embedded site does not have: it listens and ends with its host. */
export const PROCESS_VARIABLES: readonly string[] = [
  'HOST',
  'PORT',
  'WORKERS',
  'SHUTDOWN_TIMEOUT',
  'WORKER_TIMEOUT',
  // The host application has its own traces.
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_SDK_DISABLED',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_EXPORTER',
];
