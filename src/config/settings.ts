// The settings of the operator.
import type { RateLimit } from './parsers.js';
import type { Accepted } from '../model/accepted.js';
import type { SiteSettings } from '../model/site/site-settings.js';
import type { ImageSize } from '../model/site/file-storage.js';

/** The settings of the operator. Sizes are bytes, durations milliseconds. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute URL of this server, no trailing slash. */
  readonly publicUrl: string;
  /** Absolute URL of the public site, no trailing slash. */
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
    /** Checks of the database that this start skips. */
    accept: readonly Accepted[];
  };
  readonly schemasDir: string;
  /** Folder of the extensions; it need not exist. */
  readonly extensionsDir: string;
  /** File with the roles and their capabilities. */
  readonly rolesFile: string;
  readonly mediaUrl: string;
  /** Folder of private files, which is not served statically. */
  readonly privateMediaDir: string;
  /** Longest validity of the URL of such a file, in milliseconds. */
  readonly fileAddressLifetime: number;
  /** Resized copies of uploaded images, by name. */
  readonly imageSizes: Readonly<Record<string, ImageSize>>;
  /** Boxes and media types of the copies that readers may request. */
  readonly imagesOnDemand: { boxes: readonly ImageSize[]; formats: readonly string[] };
  /** The first administrator; without a password one is generated. */
  readonly admin: { username: string; password?: string; email: string };
  readonly basicAccountPassword: boolean;
  /** Cost of new hashes of account passwords: memory in KiB and passes of argon2id. */
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
  /** Compressed responses. */
  readonly compression: boolean;
  /** Cached responses to anonymous reads. */
  readonly responseCache: boolean;
  /** Tools for agents at `/mcp`. */
  readonly mcp: boolean;
  /** Whether `/metrics` is served; a text is the token that it requires. */
  readonly metrics: boolean | string;
  /** The collector of traces, and the name of the service; absent: no traces. */
  readonly tracing?: { url: string; service: string };
  /** Events: how they reach webhooks, and whether clients may follow them. */
  readonly events: {
    live: boolean;
    /** Maximum number of streams per process. */
    connections: number;
    keepDays: number;
    webhooks: {
      /** Pause after the first failed attempt. */
      retry: number;
      attempts: number;
      timeout: number;
      /** Hosts that may receive webhooks without a public IP address: `name` or `name:port`. */
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
  readonly timeouts: { shutdown: number; request: number; worker: number };
  readonly site: Readonly<SiteSettings>;
}

/** Values of `LOG_LEVEL`. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
