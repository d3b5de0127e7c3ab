// The environment: defaults, every kind of value, and mistakes, reported in plain words without secrets.
import { describe, expect, it } from '@jest/globals';
import { availableParallelism } from 'node:os';
import { readConfig } from '../../../src/config/config.js';
import { StartupError, formatProblem } from '../../../src/errors/problem.js';

type Environment = Record<string, string>;

function problems(env: Environment): string[] {
  try {
    readConfig(env, false);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as StartupError).problems.map(formatProblem);
  }
}

describe('defaults', () => {
  it('are those of the reference', () => {
    expect(readConfig({}, false)).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      siteUrl: 'http://127.0.0.1:3000',
      apiRoot: '',
      apiNamespace: 'cms/v2',
      database: { url: 'sqlite:data/typecase.sqlite', replicaUrls: [], pool: 10, migrate: 'auto', accept: [] },
      schemasDir: 'schemas',
      extensionsDir: 'extensions',
      events: {
        live: false,
        connections: 2_000,
        keepDays: 7,
        webhooks: { retry: 5_000, attempts: 10, timeout: 10_000, allowHosts: [] },
      },
      rolesFile: 'roles.json',
      mediaUrl: 'file:data/media',
      pages: true,
      compression: true,
      responseCache: true,
      mcp: false,
      metrics: true,
      privateMediaDir: 'data/media-private',
      fileAddressLifetime: 900_000,
      imageSizes: {
        thumbnail: { width: 150, height: 150, crop: true },
        medium: { width: 300, height: 300 },
        medium_large: { width: 768 },
        large: { width: 1024, height: 1024 },
      },
      imagesOnDemand: {
        boxes: [{ width: 320 }, { width: 640 }, { width: 960 }, { width: 1280 }, { width: 1920 }],
        formats: ['image/webp'],
      },
      admin: { username: 'admin', email: 'admin@example.org' },
      basicAccountPassword: true,
      passwordHash: { memoryCost: 19_456, timeCost: 2 },
      rateLimit: { mode: 'on' },
      trustProxy: false,
      corsOrigins: '*',
      hsts: 'on',
      workers: 1,
      log: { level: 'info', format: 'json' },
      limits: {
        body: 1048576,
        contentBody: 8388608,
        untrustedBody: 262144,
        bodyMemory: 33554432,
        upload: 67108864,
        response: 16777216,
        responseMemory: 50331648,
      },
      timeouts: { shutdown: 10000, request: 30000, worker: 60000 },
      site: {
        title: 'Typecase',
        description: '',
        timezone: 'UTC',
        locale: 'en_US',
        locales: ['', 'en_US'],
        defaultCategory: 1,
        defaultRole: 'subscriber',
        defaultCommentStatus: 'open',
        defaultPingStatus: 'open',
        requireNameEmail: true,
        commentRegistration: false,
        allowAnonymousComments: false,
        commentModeration: false,
        commentPreviouslyApproved: true,
        commentMaxLinks: 2,
        moderationWords: [],
        disallowedWords: [],
        closeCommentsForOldPosts: false,
        closeCommentsDaysOld: 14,
        showAvatars: true,
        avatarUrl: 'https://secure.gravatar.com/avatar/',
        avatarDefault: 'mm',
        permalinkStructure: '/%year%/%monthnum%/%day%/%postname%/',
        trash: true,
        trashRetentionDays: 0,
        passwordMinLength: 8,
      },
    });
  });

  it('apply to empty variables too, and the settings are frozen', () => {
    const config = readConfig({ PORT: '', HOST: ' ', SITE_TITLE: '', ADMIN_PASSWORD: '' }, false);
    expect(config).toEqual(readConfig({}, false));
    expect(Object.isFrozen(config) && Object.isFrozen(config.site) && Object.isFrozen(config.site.locales)).toBe(true);
  });

  it('select the readable log format on a terminal, except in production', () => {
    expect(readConfig({}, true).log.format).toBe('pretty');
    expect(readConfig({ NODE_ENV: 'production' }, true).log.format).toBe('json');
    expect(readConfig({ NODE_ENV: 'production', LOG_FORMAT: 'pretty' }, false).log.format).toBe('pretty');
  });
});

describe('values', () => {
  it.each<[Environment, object]>([
    [
      { HOST: '::1', PORT: '8080' },
      { host: '::1', publicUrl: 'http://[::1]:8080', siteUrl: 'http://[::1]:8080' },
    ],
    [{ HOST: '[::]' }, { host: '::', publicUrl: 'http://[::]:3000' }],
    [{ PORT: '0' }, { port: 0 }],
    [
      { PUBLIC_URL: 'https://api.example.org//' },
      { publicUrl: 'https://api.example.org', siteUrl: 'https://api.example.org' },
    ],
    [
      { PUBLIC_URL: 'https://example.org/cms/', SITE_URL: 'http://example.org' },
      { publicUrl: 'https://example.org/cms', siteUrl: 'http://example.org' },
    ],
    [
      { API_ROOT: 'wp-json/', API_NAMESPACE: '/wp/v2/' },
      { apiRoot: '/wp-json', apiNamespace: 'wp/v2' },
    ],
    [
      { API_ROOT: '/', API_NAMESPACE: '/' },
      { apiRoot: '', apiNamespace: 'cms/v2' },
    ],
    [
      { DATABASE_URL: 'sqlite:/tmp/a b.sqlite?synchronous=normal' },
      { database: { url: 'sqlite:/tmp/a b.sqlite?synchronous=normal' } },
    ],
    [
      {
        DATABASE_URL: 'mysql://u:p@a:3306,b/db',
        DATABASE_REPLICA_URLS: 'mysql://u@c/db,mariadb://u@d,e/db',
        DATABASE_POOL: '4',
        DATABASE_MIGRATE: 'Check',
      },
      {
        database: {
          url: 'mysql://u:p@a:3306,b/db',
          replicaUrls: ['mysql://u@c/db', 'mariadb://u@d,e/db'],
          pool: 4,
          migrate: 'check',
        },
      },
    ],
    [{ MEDIA_DIR: '/srv/media' }, { mediaUrl: 'file:/srv/media' }],
    [{ MEDIA_DIR: 'data/..media', PRIVATE_MEDIA_DIR: 'data/media2' }, { privateMediaDir: 'data/media2' }],
    [
      { MEDIA_URL: 's3://bucket/prefix?endpoint=http://minio:9000&region=x' },
      { mediaUrl: 's3://bucket/prefix?endpoint=http://minio:9000&region=x' },
    ],
    [
      { ADMIN_USERNAME: 'root', ADMIN_PASSWORD: ' a b ', ADMIN_EMAIL: 'me@home' },
      { admin: { username: 'root', password: ' a b ', email: 'me@home' } },
    ],
    [{ AUTH_BASIC_ACCOUNT_PASSWORD: 'OFF' }, { basicAccountPassword: false }],
    [{ TOKEN_SECRET: '0123456789abcdef' }, { tokenSecret: '0123456789abcdef' }],
    [{ RATE_LIMIT: '100/60' }, { rateLimit: { mode: 'custom', requests: 100, seconds: 60 } }],
    [{ RATE_LIMIT: 'none' }, { rateLimit: { mode: 'none' } }],
    [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
    [{ TRUST_PROXY: 'off' }, { trustProxy: false }],
    [{ TRUST_PROXY: 'loopback, 10.0.0.0/8,fd00::/8' }, { trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8'] }],
    [{ CORS_ORIGINS: 'https://a.org/, http://b.org:8080' }, { corsOrigins: ['https://a.org', 'http://b.org:8080'] }],
    [{ CORS_ORIGINS: '*' }, { corsOrigins: '*' }],
    [{ HSTS: 'off' }, { hsts: 'off' }],
    [{ IMAGE_SIZES: 'off' }, { imageSizes: {} }],
    [
      { IMAGE_SIZES: 'small = 90x90-crop, wide=1200x,high=x900' },
      { imageSizes: { small: { width: 90, height: 90, crop: true }, wide: { width: 1200 }, high: { height: 900 } } },
    ],
    [
      { IMAGE_ON_DEMAND: '400x, 300x200', IMAGE_ON_DEMAND_FORMATS: 'AVIF,webp' },
      {
        imagesOnDemand: {
          boxes: [{ width: 400 }, { width: 300, height: 200 }],
          formats: ['image/avif', 'image/webp'],
        },
      },
    ],
    [{ IMAGE_ON_DEMAND: 'off', IMAGE_ON_DEMAND_FORMATS: 'off' }, { imagesOnDemand: { boxes: [], formats: [] } }],
    [{ METRICS: 'off' }, { metrics: false }],
    [{ METRICS: 'a-token-1' }, { metrics: 'a-token-1' }],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' },
      { tracing: { url: 'http://c:4318/v1/traces', service: 'typecase' } },
    ],
    [
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/t', OTEL_SERVICE_NAME: 'blog' },
      { tracing: { url: 'http://c/t', service: 'blog' } },
    ],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, { tracing: { url: 'http://localhost:4318/v1/traces', service: 'typecase' } }],
    [{ HSTS: 'Include-Subdomains' }, { hsts: 'include-subdomains' }],
    [{ REDIS_URL: 'rediss://:secret@cache:6379/1' }, { redisUrl: 'rediss://:secret@cache:6379/1' }],
    [{ WORKERS: 'auto' }, { workers: availableParallelism() }],
    [{ LOG_LEVEL: 'warn' }, { log: { level: 'warn' } }],
    [
      {
        BODY_LIMIT: '512KB',
        CONTENT_BODY_LIMIT: '1.5mb',
        UNTRUSTED_BODY_LIMIT: '64kb',
        BODY_MEMORY: '24mb',
        UPLOAD_LIMIT: '2 gb',
      },
      {
        limits: { body: 524288, contentBody: 1572864, untrustedBody: 65536, bodyMemory: 25165824, upload: 2147483648 },
      },
    ],
    [{ BODY_LIMIT: '1000' }, { limits: { body: 1000 } }],
    [
      { SHUTDOWN_TIMEOUT: '500ms', REQUEST_TIMEOUT: '2m', WORKER_TIMEOUT: '24h' },
      { timeouts: { shutdown: 500, request: 120000, worker: 86400000 } },
    ],
    [
      { SITE_TITLE: ' A site ', SITE_TIMEZONE: 'Europe/Paris' },
      { site: { title: 'A site', timezone: 'Europe/Paris' } },
    ],
    [{ SITE_TIMEZONE: '5.5' }, { site: { timezone: '5.5' } }],
    [{ SITE_TIMEZONE: 'UTC-3' }, { site: { timezone: '-03:00' } }],
    [{ SITE_TIMEZONE: '+5:30' }, { site: { timezone: '+05:30' } }],
    [
      { SITE_LOCALE: 'de_DE', SITE_LOCALES: 'fr_FR,pt_PT_ao90' },
      { site: { locale: 'de_DE', locales: ['', 'fr_FR', 'pt_PT_ao90', 'de_DE'] } },
    ],
    [{ SITE_TRASH: 'off', SITE_TRASH_RETENTION_DAYS: '30' }, { site: { trash: false, trashRetentionDays: 30 } }],
    [
      { SITE_COMMENT_MODERATION: 'true', SITE_ALLOW_ANONYMOUS_COMMENTS: '1', SITE_SHOW_AVATARS: 'no' },
      { site: { commentModeration: true, allowAnonymousComments: true, showAvatars: false } },
    ],
    [
      { SITE_MODERATION_WORDS: 'spam, two words\nthird' },
      { site: { moderationWords: ['spam', 'two words', 'third'] } },
    ],
    [
      { SITE_PERMALINK_STRUCTURE: '/%postname%/', SITE_DEFAULT_COMMENT_STATUS: 'closed' },
      { site: { permalinkStructure: '/%postname%/', defaultCommentStatus: 'closed' } },
    ],
    [{ HASH_MEMORY_COST: '65536', HASH_TIME_COST: '3' }, { passwordHash: { memoryCost: 65_536, timeCost: 3 } }],
    [{ PASSWORD_MIN_LENGTH: '12' }, { site: { passwordMinLength: 12 } }],
    [{ SITE_ID: '42', SITE_OF_THE_PLATFORM: 'x', PATH: '/bin' }, { port: 3000 }],
  ])('%j', (env, expected) => {
    expect(readConfig(env, false)).toMatchObject(expected);
  });
});

describe('mistakes', () => {
  it.each<[Environment, string]>([
    [{ PORT: '65536' }, 'environment PORT: "65536" is not a whole number from 0 to 65535'],
    [{ PORT: '80a' }, 'environment PORT: "80a" is not a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'environment PORT: "-1" is not a whole number from 0 to 65535'],
    [{ HOST: 'http://x' }, 'environment HOST: "http://x" is not a host name or IP address'],
    [
      { PUBLIC_URL: 'example.org' },
      'environment PUBLIC_URL: "example.org" is not an http:// or https:// URL without query or credentials',
    ],
    ...['https://example.org/?', 'https://example.org/a#', 'https://u@example.org'].map(
      (text): [Environment, string] => [
        { PUBLIC_URL: text },
        `environment PUBLIC_URL: "${text}" is not an http:// or https:// URL without query or credentials`,
      ],
    ),
    [
      { SITE_URL: 'ftp://example.org' },
      'environment SITE_URL: "ftp://example.org" is not an http:// or https:// URL without query or credentials',
    ],
    [{ API_ROOT: '/a//b' }, 'environment API_ROOT: "/a//b" is not a path such as /wp-json'],
    [
      { API_ROOT: '/docs/x' },
      'environment API_ROOT: "/docs/x" begins with a path of the engine: batch, auth, docs, uploads, livez, readyz, metrics, mcp, docs-json',
    ],
    [
      { API_ROOT: '/docs-json' },
      'environment API_ROOT: "/docs-json" begins with a path of the engine: batch, auth, docs, uploads, livez, readyz, metrics, mcp, docs-json',
    ],
    [
      { API_NAMESPACE: 'events' },
      'environment API_NAMESPACE: "events" begins with a path of the engine: batch, auth, docs, uploads, livez, readyz, metrics, mcp, docs-json, events',
    ],
    ...['small=0x0', 'small=x', 'small=10x-crop', 'full=10x', 'a=10x,a=20x', '10x', 'small=10x20000', 'a=1x1-x'].map(
      (text): [Environment, string] => [
        { IMAGE_SIZES: text },
        `environment IMAGE_SIZES: "${text}" is not off, or a list such as thumbnail=150x150-crop, medium=300x300, wide=1200x`,
      ],
    ),
    ...['x', '10', '10x10-crop', 'a=10x'].map((text): [Environment, string] => [
      { IMAGE_ON_DEMAND: text },
      `environment IMAGE_ON_DEMAND: "${text}" is not off, or a list such as 320x, 640x, 400x300`,
    ]),
    [
      { IMAGE_ON_DEMAND_FORMATS: 'gif' },
      'environment IMAGE_ON_DEMAND_FORMATS: "gif" is not a list of webp, avif, jpeg, png, or off',
    ],
    [{ API_NAMESPACE: 'cms v2' }, 'environment API_NAMESPACE: "cms v2" is not a path such as cms/v2'],
    [{ API_NAMESPACE: '../v2' }, 'environment API_NAMESPACE: "../v2" is not a path such as cms/v2'],
    [{ DATABASE_MIGRATE: 'yes' }, 'environment DATABASE_MIGRATE: "yes" is not one of auto, check, off'],
    [{ DATABASE_POOL: '0' }, 'environment DATABASE_POOL: "0" is not a whole number from 1 to 1000'],
    ...[
      'mysql://root@h/mysql',
      'mariadb://h/Information_Schema?sslmode=require',
      'mysql://a,b:1/s%79s',
      'postgres://h/template1',
    ].map((url): [Record<string, string>, string] => [
      { DATABASE_URL: url },
      `environment DATABASE_URL: "${decodeURIComponent(/[^/?]+(?=\?|$)/.exec(url)![0])}" is a database of the server itself: create one for the site, and name that`,
    ]),
    [
      { DATABASE_REPLICA_URLS: 'mysql://a/b' },
      'environment DATABASE_REPLICA_URLS: replicas must be of the engine of DATABASE_URL, sqlite',
    ],
    [
      { MEDIA_URL: 'http://x' },
      'environment MEDIA_URL: "http://x" is not file:<path> or s3://bucket/prefix?endpoint=…&region=…',
    ],
    [
      { MEDIA_URL: 'file:a', MEDIA_DIR: 'b' },
      'environment MEDIA_DIR: "b" says something else than MEDIA_URL; give only one of them',
    ],
    ...[
      [{ MEDIA_DIR: 'm', PRIVATE_MEDIA_DIR: 'm/private' }, '"m/private" and "m"'],
      [{ MEDIA_DIR: 'm/open', PRIVATE_MEDIA_DIR: 'm' }, '"m" and "m/open"'],
      [{ MEDIA_DIR: 'm', PRIVATE_MEDIA_DIR: './m' }, '"./m" and "m"'],
    ].map(([env, folders]): [Environment, string] => [
      env as Environment,
      `environment PRIVATE_MEDIA_DIR: ${folders as string}, the folder of public files, must not be the same or one inside the other`,
    ]),
    [{ ADMIN_EMAIL: 'me' }, 'environment ADMIN_EMAIL: "me" is not an e-mail address'],
    [
      { AUTH_BASIC_ACCOUNT_PASSWORD: 'maybe' },
      'environment AUTH_BASIC_ACCOUNT_PASSWORD: "maybe" is not on or off (or true, false, 1, 0, yes, no)',
    ],
    [{ RATE_LIMIT: '0/10' }, 'environment RATE_LIMIT: "0/10" is not on, off, none or <requests>/<seconds>'],
    [
      { TRUST_PROXY: '10.0.0.0/33' },
      'environment TRUST_PROXY: "10.0.0.0/33" is not off, a number of proxies, or their IP addresses',
    ],
    [
      { CORS_ORIGINS: 'https://a.org/path' },
      'environment CORS_ORIGINS: "https://a.org/path" is not * or a list of origins such as https://example.org',
    ],
    [
      { CORS_ORIGINS: 'https://a.org, https://*.a.org' },
      'environment CORS_ORIGINS: "https://a.org, https://*.a.org" is not * or a list of origins such as https://example.org',
    ],
    [{ WORKERS: 'many' }, 'environment WORKERS: "many" is not auto or a whole number from 1 to 256'],
    [
      { LOG_LEVEL: 'verbose' },
      'environment LOG_LEVEL: "verbose" is not one of trace, debug, info, warn, error, fatal, silent',
    ],
    [{ BODY_LIMIT: '1xb' }, 'environment BODY_LIMIT: "1xb" is not a size such as 512kb, 1mb or 1gb'],
    [{ BODY_LIMIT: '0' }, 'environment BODY_LIMIT: "0" is not a size such as 512kb, 1mb or 1gb'],
    [
      { REQUEST_TIMEOUT: '10' },
      'environment REQUEST_TIMEOUT: "10" is not a duration such as 500ms, 10s or 2m, at most 24h',
    ],
    [
      { SITE_TIMEZONE: 'Mars/Base' },
      'environment SITE_TIMEZONE: "Mars/Base" is not a zone such as Europe/Paris or an offset such as +02:00',
    ],
    [
      { SITE_TIMEZONE: '+25:00' },
      'environment SITE_TIMEZONE: "+25:00" is not a zone such as Europe/Paris or an offset such as +02:00',
    ],
    [{ SITE_LOCALE: 'english' }, 'environment SITE_LOCALE: "english" is not a locale such as en_US'],
    [{ SITE_DEFAULT_PING_STATUS: 'shut' }, 'environment SITE_DEFAULT_PING_STATUS: "shut" is not one of open, closed'],
    [
      { SITE_PERMALINK_STRUCTURE: '%postname%' },
      'environment SITE_PERMALINK_STRUCTURE: "%postname%" is not a path that begins with / such as /%year%/%postname%/',
    ],
    [
      { SITE_TRASH_RETENTION: '30' },
      'environment SITE_TRASH_RETENTION: there is no such setting (did you mean SITE_TRASH_RETENTION_DAYS?)',
    ],
    [
      { SITE_COMENT_MODERATION: 'on' },
      'environment SITE_COMENT_MODERATION: there is no such setting (did you mean SITE_COMMENT_MODERATION?)',
    ],
    [
      { SITE_PASSWORD_MIN_LENGTH: '9' },
      'environment SITE_PASSWORD_MIN_LENGTH: there is no such setting (did you mean PASSWORD_MIN_LENGTH?)',
    ],
    [{ SCHEMA_DIR: 'x' }, 'environment SCHEMA_DIR: there is no such setting (did you mean SCHEMAS_DIR?)'],
    [{ DATABASEURL: 'x' }, 'environment DATABASEURL: there is no such setting (did you mean DATABASE_URL?)'],
    [{ WORKER: '2' }, 'environment WORKER: there is no such setting (did you mean WORKERS?)'],
    [{ POTR: '80' }, 'environment POTR: there is no such setting (did you mean PORT?)'],
  ])('%j', (env, expected) => {
    expect(problems(env)).toEqual([expected]);
  });

  it.each<[Environment]>([
    [{ HOSTNAME: 'x', LOGNAME: 'x', PORTS: 'x', SORT: 'x', NODE_ENV: 'x', API_KEY: 'x', SMTP_HOST: 'x' }],
    [{ database_uri: 'x' }],
    // A platform that sets several names sets the right one too.
    [{ DATABASE_URL: 'sqlite:x', DATABASE_URI: 'x' }],
  ])('do not include variables of other programs: %j', (env) => {
    expect(problems(env)).toEqual([]);
  });

  it('are reported together', () => {
    expect(problems({ PORT: 'x', WORKERS: 'y', SITE_TRASH: 'z' }).map((line) => line.split(' ')[1])).toEqual([
      'PORT:',
      'WORKERS:',
      'SITE_TRASH:',
    ]);
  });

  it.each(['mysql://u:p%zz@h/db', 'postgres://h:99999/db', 'postgres://h:5432,i:0/db'])(
    'include those of database URLs: %s',
    (url) => {
      expect(problems({ DATABASE_URL: url })).toEqual([
        expect.stringMatching(
          /^environment DATABASE_URL: "[^"]+" is not sqlite:.*\(special characters of a password as %40\)$/,
        ),
      ]);
    },
  );

  it.each<[Environment]>([
    [{ TOKEN_SECRET: 'hunter2' }],
    [{ DATABASE_URL: 'mysql://root:hunter2@host' }],
    [{ DATABASE_URL: 'mysql://root:hu/@nter2-hunter2@host' }],
    [{ DATABASE_URL: 'mysql:root:hunter2@host/db' }],
    [{ DATABASE_URL: 'oracle://root:hunter2/db' }],
    [{ DATABASE_REPLICA_URLS: 'mysql://root:hunter2@a/b,oracle://root:hunter2@c/d' }],
    [{ REDIS_URL: 'http://:hunter2@cache' }],
    [{ REDIS_URL: 'redis://:hunter2@cache/first' }],
    [{ REDIS_URL: 'redis://:hunter2@:::' }],
    [{ MEDIA_URL: 'http://key:hunter2@bucket?secretAccessKey=hunter2' }],
  ])('never contain a secret: %j', (env) => {
    const lines = problems(env);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('hunter2');
  });

  it('do not concern the password of the administrator', () => {
    expect(problems({ ADMIN_PASSWORD: 'a' })).toEqual([]);
  });
});
