// Makes a running site of a configuration: models, store, files, accounts, application. Called by main, cli and tests.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { buildApp } from './app.js';
import { Accounts } from './auth/accounts.js';
import { ActorSource } from './auth/actor-source.js';
import { ApplicationPasswords } from './auth/application-passwords.js';
import { BasicVerifier } from './auth/credentials.js';
import { makeFirstAdministrator, type FirstAdministrator } from './auth/first-administrator.js';
import { PasswordHasher } from './auth/password-hasher.js';
import { loadRoles, type RoleSet } from './auth/roles.js';
import { loadSecret, type Secret } from './auth/secret.js';
import { LoginThrottle } from './auth/throttle.js';
import { Tokens } from './auth/tokens.js';
import { RequestLimits } from './auth/write-limit.js';
import type { Config } from './config.js';
import { refuseUnserved, unservedSettings } from './config-unserved.js';
import { ContentWriter } from './engine/content-writer.js';
import { deriveAnew, staleModels } from './engine/derived-columns.js';
import { IDEMPOTENCY } from './engine/idempotency.js';
import { startSchedule } from './engine/schedule.js';
import { plantSeeds } from './engine/seeds.js';
import { setPasswordMinLength } from './fields/password-rule.js';
import { LocalFileStore } from './files/local-store.js';
import { serveUploads } from './files/serve.js';
import { sweepLeftovers } from './files/sweep.js';
import { applicationPasswordsController } from './http/application-passwords.controller.js';
import { authControllerAt } from './http/auth.controller.js';
import { BootError } from './errors/problem.js';
import type { Log } from './http/logger.js';
import type { ModelSet } from './model/model.js';
import { FALSE } from './model/query.js';
import type { Site } from './model/site.js';
import type { Store } from './model/store.js';
import { compileSite } from './schema/compile-site.js';
import { siteCounters } from './site-counters.js';
import { allTables } from './site-tables.js';
import { openStore, type StoreOptions } from './storage/open-store.js';
import { shapeOf } from './storage/statement-shape.js';

/** No upload takes as long, in milliseconds. */
const LONGEST_UPLOAD = 24 * 60 * 60 * 1000;

/** Everything of a site but its HTTP side. */
export interface OpenSite {
  models: ModelSet;
  store: Store;
  site: Site;
  writer: ContentWriter;
  hasher: PasswordHasher;
  roles: RoleSet;
  accounts: Accounts | undefined;
  applicationPasswords: ApplicationPasswords;
  secret: Secret;
  /** Made at this start, because there was no account. */
  administrator: FirstAdministrator | undefined;
  close(): Promise<void>;
}

/** A site that answers requests once its application listens. */
export interface RunningSite extends OpenSite {
  app: NestExpressApplication;
  /** Readiness says no from now on. */
  stopping: boolean;
}

/** How a site is started. */
export interface StartOptions {
  /** Told each time the database did not answer. */
  waiting?: (() => void) | undefined;
  /** Whether this is the first process of its server, which does what one is enough for: looks for due items, remarks on settings. */
  first?: boolean;
}

/**
 * Opens the database of a site and makes what a first boot makes: tables, seeds, the first administrator; `bare`: tables alone.
 * `serving`: statements that take long are given up, as befits requests; commands have time.
 * @throws BootError with every problem of schemas, roles and database
 */
export async function openSite(
  config: Config,
  log: Pick<Log, 'warn'>,
  { bare = false, serving = false, first = true, waiting }: StartOptions & { bare?: boolean; serving?: boolean } = {},
): Promise<OpenSite> {
  refuseUnserved(config);
  if (first) for (const line of unservedSettings(config)) log.warn(line);
  const models = compileSite(config.schemasDir, config.site);
  const roles = loadRoles(config.rolesFile);
  setPasswordMinLength(config.site.passwordMinLength);
  const hasher = new PasswordHasher();
  const store = await openTables(config, models, log, { serving, first, waiting });
  try {
    await settleDerived(config, models, store, log);
  } catch (error) {
    await store.close();
    throw error;
  }
  const site = makeSite(config, hasher, roles);
  const writer = new ContentWriter(models, store, site);
  if (!bare) await plantSeeds(writer);
  const accounts = Accounts.of(models, store.reader);
  const administrator = bare
    ? undefined
    : await makeFirstAdministrator(accounts, writer, { hasher, roles }, config.admin);
  const secret = await loadSecret(config.tokenSecret, join(dataFolder(config), 'secret'));
  const applicationPasswords = new ApplicationPasswords(store, secret);
  const close = async () => {
    await applicationPasswords.settled();
    await store.close();
  };
  return { models, store, site, writer, hasher, roles, accounts, applicationPasswords, secret, administrator, close };
}

/** Opens a site and builds its application. */
export async function startSite(config: Config, log: Log, options: StartOptions = {}): Promise<RunningSite> {
  const open = await openSite(config, log, { ...options, serving: true });
  const { store, accounts, hasher, roles, secret, applicationPasswords } = open;
  const counters = await siteCounters(config, open, log);
  const { mode } = config.rateLimit;
  const throttle = mode === 'none' ? undefined : new LoginThrottle(counters.exact);
  const basic = new BasicVerifier({
    accounts,
    applicationPasswords,
    hasher,
    secret,
    throttle,
    accountPasswords: config.basicAccountPassword,
  });
  const tokens = new Tokens(accounts, store, secret);
  const actors = new ActorSource({ basic, bearer: tokens, roles, trustProxy: config.trustProxy !== false });
  const uploadDirectory = join(dataFolder(config), 'incoming');
  mkdirSync(uploadDirectory, { recursive: true });
  const running: RunningSite = { ...open, app: undefined as never, stopping: false };
  running.app = await buildApp({
    models: open.models,
    config,
    site: open.site,
    store,
    log,
    actors,
    ...(mode === 'none' || mode === 'off' ? {} : { counter: new RequestLimits(counters.gathered, config.rateLimit) }),
    uploadDirectory,
    readiness: () => readiness(running),
    controllers: [authControllerAt(config.apiRoot), ...accountControllers(open, config)],
    providers: [
      { provide: Tokens, useValue: tokens },
      { provide: BasicVerifier, useValue: basic },
      { provide: ActorSource, useValue: actors },
    ],
  });
  running.app.use('/uploads', serveUploads(mediaFolder(config)));
  const schedule =
    options.first === false
      ? undefined
      : startSchedule(
          open.writer,
          () => sweepFolders([uploadDirectory, mediaFolder(config)]),
          (error) => log.error(error),
        );
  running.close = async () => {
    schedule?.stop();
    await running.app.close();
    counters.close();
    await open.close();
  };
  return running;
}

/** Clears half-written files that a process left when it died. */
async function sweepFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await sweepLeftovers(folder, new Date(Date.now() - LONGEST_UPLOAD));
}

async function readiness({ stopping, store }: RunningSite): Promise<{ ready: boolean; reason?: string }> {
  if (stopping) return { ready: false, reason: 'The server is stopping.' };
  const answers = store.reader.first(IDEMPOTENCY.name, ['id'], FALSE).then(
    () => true,
    () => false,
  );
  return (await answers) ? { ready: true } : { ready: false, reason: 'The database does not answer.' };
}

/** Endpoints that only a site with accounts has. */
function accountControllers({ accounts, applicationPasswords, store, site }: OpenSite, config: Config): Type[] {
  if (!accounts) return [];
  const root = `${config.apiRoot}/${config.apiNamespace}`;
  return [
    applicationPasswordsController({ passwords: applicationPasswords, accounts: accounts.model, store, site, root }),
  ];
}

/** Items that were there before a field became sortable or searchable get what lists look at. */
async function settleDerived(config: Config, models: ModelSet, store: Store, log: Pick<Log, 'warn'>): Promise<void> {
  const { migrate } = config.database;
  if (migrate === 'auto')
    await deriveAnew(models, store, (resource) => log.warn({ resource }, 'working out sort keys and search texts'));
  if (migrate !== 'check') return;
  const problems = (await staleModels(models, store.reader)).map(({ name, schema }) => ({
    file: config.schemasDir,
    path: schema.name,
    message: `sort keys, search texts or rendered texts of the items of ${name} are not those of its schema`,
    hint: 'Run: typecase migrate',
  }));
  if (problems.length > 0) throw new BootError(problems);
}

function openTables(
  config: Config,
  models: ModelSet,
  log: Pick<Log, 'warn'>,
  { serving, first, waiting }: StartOptions & { serving: boolean },
): Promise<Store> {
  const tables = allTables(models);
  const { url, pool, migrate, replicaUrls } = config.database;
  const onWeak = (setting: string) =>
    log.warn({ setting }, 'the database may lose acknowledged writes when the power fails');
  const options: StoreOptions = {
    pool,
    migrate,
    replicas: serving ? replicaUrls : [],
    onReplica: (replica, reason) =>
      log.warn(
        { replica, reason },
        reason === undefined ? 'the replica serves' : 'the replica is left alone, its reads go to DATABASE_URL',
      ),
    ...(serving ? {} : { statementMs: 0 }),
    onSlow: (sql, ms) => log.warn({ sql: shapeOf(sql), ms: Math.round(ms) }, 'slow statement'),
    onWait: (reason) => {
      log.warn({ reason }, 'waiting for the database');
      waiting?.();
    },
    ...(first && { onWeak }),
  };
  return openStore(url, options, tables);
}

/** The folder of the embedded database: secrets and incoming files lie beside it. */
function dataFolder(config: Config): string {
  const [, path] = /^sqlite:([^?]*)/.exec(config.database.url) ?? [];
  return path ? dirname(path) : 'data';
}

function mediaFolder(config: Config): string {
  return config.mediaUrl.replace(/^file:/, '');
}

function makeSite(config: Config, hasher: PasswordHasher, roles: RoleSet): Site {
  const uploads = `${config.publicUrl}/uploads`;
  return {
    settings: config.site,
    apiRoot: `${config.publicUrl}${config.apiRoot}`,
    base: `${config.publicUrl}${config.apiRoot}/${config.apiNamespace}`,
    home: config.siteUrl,
    namespace: config.apiNamespace,
    uploads,
    files: new LocalFileStore(mediaFolder(config), uploads),
    now: () => Date.now(),
    hashPassword: (password) => hasher.hash(password),
    capabilitiesOf: (names) => roles.capabilitiesOf(names),
    hasRole: (name) => roles.has(name),
    roleNames: () => roles.names(),
  };
}
