// Starts a site from its configuration: models, store, files, accounts, application.
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type { Provider, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { buildApp } from './build-app.js';
import { Accounts } from '../auth/accounts.js';
import { ActorSource } from '../auth/actor-source.js';
import { ApplicationPasswords } from '../auth/application-passwords.js';
import { CredentialLimits } from '../auth/rate-limit/credential-limits.js';
import { BasicVerifier } from '../auth/credentials.js';
import { makeFirstAdministrator, type FirstAdministrator } from '../auth/first-administrator.js';
import { CountedItemPasswords } from '../auth/rate-limit/item-password-limits.js';
import { PasswordHasher } from '../auth/password-hasher.js';
import { loadRoles, type RoleSet } from '../auth/roles.js';
import { loadSecret, type Secret } from '../auth/secret.js';
import { MemoryCounters } from '../auth/rate-limit/memory-counters.js';
import { LoginThrottle } from '../auth/rate-limit/login-throttle.js';
import { Tokens } from '../auth/tokens.js';
import { RequestLimits } from '../auth/rate-limit/request-limits.js';
import type { Config } from '../config/config.js';
import { unservedSettings } from '../config/unsupported.js';
import { ContentWriter } from '../engine/content-writer.js';
import { IDEMPOTENCY } from '../engine/replays/idempotency.js';
import { StoredSettings } from '../engine/stored-settings.js';
import { limitedPool } from '../engine/prepared-texts.js';
import { Leases } from '../maintenance/leases.js';
import { startSchedule, type Schedule } from '../maintenance/scheduler.js';
import { runSeeds } from '../maintenance/seeds.js';
import { TextPool } from '../text/text-pool.js';
import { setPasswordMinLength } from '../values/password-rule.js';
import { dataFolder, guardedFiles, incomingFolder, mediaFolders } from '../config/folders.js';
import type { FileStore } from '../files/file-store.js';
import { imageQueue } from '../files/image-queue.js';
import { sweepLeftovers } from '../files/sweep.js';
import { applicationPasswordsController } from '../http/endpoints/application-passwords.controller.js';
import { passwordRoutes } from '../http/endpoints/application-passwords-document.js';
import { authControllerAt, LOGINS, type RecordLogin } from '../http/endpoints/auth.controller.js';
import { formatProblem, type Problem } from '../errors/problem.js';
import type { Log } from '../http/request/logger.js';
import type { LiveStreams } from '../http/live/live-streams.js';
import { ResponseCache } from '../http/resource/response-cache.js';
import type { ModelSet } from '../model/model.js';
import { FALSE } from '../model/query.js';
import type { Site } from '../model/site.js';
import { compileSite, siteWarnings } from '../schema/compile-site.js';
import { fileAddresses, fileHandlers, openFiles } from './served-files.js';
import { SiteEvents } from './events/site-events.js';
import { Jobs } from './extensions/jobs.js';
import { loadExtensions, type ExtensionSet } from './extensions/load-extensions.js';
import { SiteContext } from './extensions/site-context.js';
import { Observers } from './observers.js';
import { siteCounters } from './rate-limit-store.js';
import { auditWriter, loginRecorder } from './audit-writer.js';
import { allTables } from './engine-tables.js';
import { ensureStoredItems } from './stored-items.js';
import type { AdministeredStore } from '../storage/sql/administered-store.js';
import type { OnStatement } from '../storage/sql/connection.js';
import { openStore, type StoreOptions } from '../storage/open-store.js';
import { exposedFiles, makePrivateFolder } from '../storage/sqlite/private-file.js';
import { shapeOf } from '../storage/sql/abbreviate-sql.js';

/** Provider that ends what the application is made of, after its server is closed. */
const SITE_END = Symbol('site end');
/** Milliseconds; longer than any upload takes. */
/** Characters of the code that seals a cursor: 132 bits. */
const SEAL_LENGTH = 22;
const MAX_UPLOAD_MS = 24 * 60 * 60 * 1000;

/** The parts of a site except HTTP. */
export interface OpenSite {
  models: ModelSet;
  extensions: ExtensionSet;
  store: AdministeredStore;
  site: Site;
  /** The storage of uploaded files. */
  files: FileStore;
  /** Absent where no resource stores settings. */
  settings: StoredSettings | undefined;
  writer: ContentWriter;
  hasher: PasswordHasher;
  roles: RoleSet;
  accounts: Accounts | undefined;
  applicationPasswords: ApplicationPasswords;
  /** Absent where no resource is an audit log, or none holds accounts. */
  recordLogin: RecordLogin | undefined;
  events: SiteEvents;
  secret: Secret;
  /** Created at this start, because there was no account. */
  administrator: FirstAdministrator | undefined;
  close(): Promise<void>;
}

/** A site that serves requests once its application listens. */
export interface RunningSite extends OpenSite {
  app: NestExpressApplication;
  /** Shutdown has begun: readiness fails. */
  stopping: boolean;
  /** Counters of rate limits in memory; a later application of the same process counts on. */
  counters: MemoryCounters;
  /** It is the one that serves: starts the periodic tasks, if this process runs them. */
  startTasks(): void;
  /** Ends the streams of events: their clients connect again, here or elsewhere. */
  endStreams(): void;
  /** Stops the periodic tasks; resolves once the running ones have ended. */
  stopTasks(): Promise<void>;
}

/** The models, roles and open store of a site: what the rest is made from. */
export interface SiteParts {
  models: ModelSet;
  roles: RoleSet;
  store: AdministeredStore;
  extensions: ExtensionSet;
}

/** Options of a start. */
export interface StartOptions {
  /** Called each time the database did not respond. */
  waiting?: (() => void) | undefined;
  /**
   * Whether this is the first process of its server, which runs singleton tasks: scheduled items, warnings about
   * settings.
   */
  first?: boolean;
  /** Further providers of the application; its `app` is there once it is built. */
  providers?: (running: RunningSite) => Provider[];
}

/** Options of opening a site. */
interface OpenOptions {
  /** The models of the schema files for these settings; absent: compiled here. */
  models?: ModelSet;
  bare?: boolean;
  /** For a command that writes much. */
  beside?: boolean;
  serving?: boolean;
  /** Told of every statement. */
  onStatement?: OnStatement | undefined;
}

/** Options of the start of an application, beyond those of opening a site. */
export interface ApplicationOptions extends StartOptions {
  /** Made by `openParts` before; absent: made here. */
  parts?: SiteParts;
  /** Counters of rate limits to go on with. */
  counters?: MemoryCounters;
  /** Those of the process; absent: started here, and ended with the application. */
  observers?: Observers;
  /** The periodic tasks begin with `startTasks()` and not at once. */
  idle?: boolean;
  /** Why the schemas that were saved last are not served; empty when they are. */
  refused?: () => readonly Problem[];
}

/**
 * Compiles schemas and roles and opens the store, with the tables as far as `DATABASE_MIGRATE` allows.
 * @throws BootError with every problem of schemas, roles and database
 */
export async function openParts(
  config: Config,
  log: Pick<Log, 'warn'>,
  options: StartOptions & OpenOptions = {},
): Promise<SiteParts> {
  const { serving = false, first = true, waiting, onStatement, beside = false } = options;
  if (first) for (const line of unservedSettings(config)) log.warn(line);
  const slow = (what: string, ms: number) => log.warn({ ms: Math.round(ms) }, `${what} is slow`);
  const extensions = await loadExtensions(config.extensionsDir, slow);
  const models = options.models ?? compileSite(config.schemasDir, config.site, extensions.additions);
  const roles = loadRoles(config.rolesFile);
  if (first && serving) warnOfSchemas(config, models, roles, log);
  const store = await openTables(config, models, log, { serving, first, waiting, onStatement, beside });
  return { models, roles, store, extensions };
}

/**
 * Opens the database of a site and creates what a first boot needs: tables, seeds, the first administrator; `bare`:
 * tables only. `serving`: statements have a timeout, as requests need it; commands have none.
 * @throws BootError with every problem of schemas, roles and database
 */
export async function openSite(
  config: Config,
  log: Pick<Log, 'warn'>,
  options: StartOptions & OpenOptions = {},
): Promise<OpenSite> {
  const parts = await openParts(config, log, options);
  try {
    return await completeSite(config, log, parts, options);
  } catch (error) {
    await parts.store.close();
    throw error;
  }
}

async function completeSite(
  config: Config,
  log: Pick<Log, 'warn'>,
  { models, roles, store, extensions }: SiteParts,
  { bare = false, serving = false, first = true }: StartOptions & OpenOptions,
): Promise<OpenSite> {
  setPasswordMinLength(config.site.passwordMinLength);
  const hasher = new PasswordHasher({ cost: config.passwordHash });
  await ensureStoredItems(config, models, store, log);
  const pool = new TextPool();
  const { files, publicBase } = await openFiles(config);
  const site = makeSite(config, { hasher, roles, store, pool, files, publicBase });
  const writer = new ContentWriter(models, store, site, serving ? 'system' : 'command');
  const settings = StoredSettings.of(models, site, store);
  if (settings) site.readSettings = () => settings.read();
  if (!bare) await runSeeds(writer);
  await settings?.read();
  const accounts = Accounts.of(models, store.reader);
  const administrator = bare
    ? undefined
    : await makeFirstAdministrator(accounts, writer, { hasher, roles }, config.admin);
  const secret = await loadSecret(config.tokenSecret, join(dataFolder(config), 'secret'));
  const addresses = fileAddresses(config, secret);
  site.seal = (text) => secret.fingerprint('cursor', text).slice(0, SEAL_LENGTH);
  site.signFile = (key) => addresses.sign(key, site.now());
  if (first) warnOfExposed(config, log);
  const write = auditWriter(models, site);
  const audit = write && accounts && { write, resource: accounts.model.name };
  const events = new SiteEvents({ config, models, store, site, extensions });
  if (!bare) await events.record();
  const recordLogin = loginRecorder(store, {
    resource: accounts?.model.name ?? '',
    audit: audit?.write,
    events: events.recorder,
    now: () => site.now(),
  });
  const applicationPasswords = new ApplicationPasswords(store, secret, Date.now, audit);
  const close = async () => {
    await applicationPasswords.flush();
    await pool.close();
    files.close();
    await store.close();
  };
  return {
    models,
    extensions,
    store,
    site,
    files,
    settings,
    writer,
    hasher,
    roles,
    accounts,
    applicationPasswords,
    recordLogin,
    events,
    secret,
    administrator,
    close,
  };
}

/** Opens a site and builds its application. */
export async function startSite(config: Config, log: Log, options: ApplicationOptions = {}): Promise<RunningSite> {
  const observers = options.observers ?? (await Observers.start(config, log));
  const { onStatement } = observers;
  const parts = options.parts ?? (await openParts(config, log, { ...options, serving: true, onStatement }));
  try {
    const open = await completeSite(config, log, parts, { ...options, serving: true });
    return await makeApplication(config, log, open, observers, options);
  } catch (error) {
    await parts.store.close();
    throw error;
  }
}

async function makeApplication(
  config: Config,
  log: Log,
  open: OpenSite,
  observers: Observers,
  options: ApplicationOptions,
): Promise<RunningSite> {
  const { store, accounts, hasher, roles, secret, applicationPasswords } = open;
  const memory = options.counters ?? new MemoryCounters();
  const counters = await siteCounters(config, open, log, memory);
  const { mode } = config.rateLimit;
  const limited = mode !== 'none' && mode !== 'off';
  const throttle = mode === 'none' ? undefined : new LoginThrottle(counters.exact);
  const itemPasswords = mode === 'none' ? undefined : new CountedItemPasswords(counters.exact);
  // The same object: the scheduler and the importers hold it too.
  const site: Site = Object.assign(open.site, itemPasswords && { itemPasswords });
  const limits = new CredentialLimits(limited ? counters.gathered : undefined);
  const basic = new BasicVerifier({
    accounts,
    applicationPasswords,
    hasher,
    secret,
    throttle,
    // Not in the audit log: nobody without credentials makes the server write.
    onFailure: (account, address) => log.warn({ account, address }, 'wrong password'),
    accountPasswords: config.basicAccountPassword,
  });
  const recordLogin: RecordLogin = async (account, actor) => open.recordLogin?.(account, actor);
  const tokens = new Tokens(accounts, store, secret);
  const actors = new ActorSource({ basic, bearer: tokens, roles, trustProxy: config.trustProxy !== false });
  const uploadDirectory = incomingFolder(config);
  makePrivateFolder(uploadDirectory);
  const sweep = async () => {
    await open.events.trim();
    await sweepFolders([uploadDirectory, ...Object.values(mediaFolders(config) ?? {})]);
  };
  let schedule: Schedule | undefined;
  let jobs: Jobs | undefined;
  let streams: LiveStreams | undefined;
  let ended: Promise<void> | undefined;
  const end = () =>
    (ended ??= (async () => {
      await running.stopTasks();
      counters.close();
      await open.close();
      if (!options.observers) await observers.end();
    })());
  const responseCache = new ResponseCache(store, site);
  const { dataSource } = store;
  const context = new SiteContext(() => ({ app: running.app, accounts, dataSource }), log);
  const running: RunningSite = {
    ...open,
    site,
    app: undefined as never,
    stopping: false,
    counters: memory,
    startTasks() {
      observers.serve({ app: running.app, store, cache: responseCache });
      open.events.start(context, log);
      streams?.begin();
      if (options.first === false) return;
      schedule ??= startSchedule(open.writer, sweep, (error) => log.error(error));
      if (open.extensions.jobs.length > 0)
        jobs ??= new Jobs(open.extensions.jobs, { leases: new Leases(store), context, log });
    },
    endStreams() {
      streams?.close();
    },
    async stopTasks() {
      this.endStreams();
      const stopped = [schedule?.stop(), jobs?.stop(), open.events.stop()];
      schedule = undefined;
      jobs = undefined;
      await Promise.all(stopped);
    },
  };
  imageQueue.share(config.workers);
  running.app = await buildApp({
    models: open.models,
    config,
    site,
    store,
    log,
    actors,
    ...(limited ? { counter: new RequestLimits(counters.gathered, config.rateLimit) } : {}),
    uploadDirectory,
    follow: () => open.settings?.follow(),
    readiness: () => readiness(running),
    responseCache,
    counts: observers.requests,
    trace: observers.trace,
    ...(options.refused && {
      refused: { problems: options.refused, isFor: (actor) => actor.roles.includes(roles.firstAccount) },
    }),
    modules: open.extensions.modules,
    ...(config.events.live && {
      live: {
        log: open.events.live,
        key: secret.key('positions'),
        most: config.events.connections,
        onStreams: (made) => (streams = made),
      },
    }),
    controllers: [authControllerAt(config.apiRoot), ...accountControllers(open, config, limits)],
    undocumented: observers.controllers(),
    ...(accounts ? { routes: passwordRoutes(accounts.model, site) } : {}),
    providers: [
      { provide: DataSource, useValue: dataSource },
      { provide: SiteContext, useValue: context },
      { provide: Tokens, useValue: tokens },
      { provide: BasicVerifier, useValue: basic },
      { provide: ActorSource, useValue: actors },
      { provide: CredentialLimits, useValue: limits },
      { provide: LOGINS, useValue: recordLogin },
      ...(options.providers?.(running) ?? []),
      // The application may be closed by whoever embeds it.
      { provide: SITE_END, useValue: { onApplicationShutdown: () => end() } },
    ],
  });
  for (const handler of fileHandlers(running, config, actors, uploadDirectory)) running.app.use('/uploads', handler);
  if (!options.idle) running.startTasks();
  running.close = async () => {
    await running.stopTasks();
    await running.app.close();
    await end();
  };
  return running;
}

/** Logs the warnings of `check`, where the operator of a server sees them. */
function warnOfSchemas({ schemasDir }: Config, models: ModelSet, roles: RoleSet, log: Pick<Log, 'warn'>): void {
  const held = roles.capabilitiesOf(roles.names());
  for (const problem of siteWarnings(schemasDir, held, models)) log.warn(formatProblem(problem));
}

/** Deletes partial files left by a crashed process. */
async function sweepFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await sweepLeftovers(folder, new Date(Date.now() - MAX_UPLOAD_MS));
}

async function readiness({ stopping, store }: RunningSite): Promise<{ ready: boolean; reason?: string }> {
  if (stopping) return { ready: false, reason: 'The server is stopping.' };
  const answers = store.reader.first(IDEMPOTENCY.name, ['id'], FALSE).then(
    () => true,
    () => false,
  );
  return (await answers) ? { ready: true } : { ready: false, reason: 'The database does not answer.' };
}

/** Endpoints of sites with accounts. */
function accountControllers(
  { accounts, applicationPasswords: passwords, store, site }: OpenSite,
  config: Config,
  limits: CredentialLimits,
): Type[] {
  if (!accounts) return [];
  const root = `${config.apiRoot}/${config.apiNamespace}`;
  return [applicationPasswordsController({ passwords, limits, accounts: accounts.model, store, site, root })];
}

function openTables(
  config: Config,
  models: ModelSet,
  log: Pick<Log, 'warn'>,
  { serving, first, waiting, onStatement, beside }: StartOptions & OpenOptions,
): Promise<AdministeredStore> {
  const tables = allTables(models);
  const { url, pool, migrate, accept, replicaUrls } = config.database;
  const onWeak = (setting: string) =>
    log.warn({ setting }, 'the database may lose acknowledged writes when the power fails');
  const options: StoreOptions = {
    pool,
    migrate,
    accepted: new Set(accept),
    replicas: serving ? replicaUrls : [],
    onStatement,
    onReplica: (replica, reason) =>
      log.warn(
        { replica, reason },
        reason === undefined ? 'the replica serves' : 'the replica is left alone, its reads go to DATABASE_URL',
      ),
    ...(serving ? {} : { statementMs: 0, beside }),
    onSlow: (sql, ms) => log.warn({ sql: shapeOf(sql), ms: Math.round(ms) }, 'slow statement'),
    onWait: (reason) => {
      log.warn({ reason }, 'waiting for the database');
      waiting?.();
    },
    ...(first && { onWeak }),
  };
  return openStore(url, options, tables);
}

/** Files are created for their owner alone; wider permissions of existing files are kept, with a warning. */
function warnOfExposed(config: Config, log: Pick<Log, 'warn'>): void {
  for (const file of exposedFiles(guardedFiles(config)))
    log.warn({ file }, 'other users of this machine may open the file: take their rights away with chmod 600');
}

interface SiteTools {
  hasher: PasswordHasher;
  roles: RoleSet;
  store: AdministeredStore;
  pool: TextPool;
  files: FileStore;
  publicBase: string;
}

function makeSite(
  config: Config,
  { hasher, roles, store: { statementBytes, lowersTexts = false }, pool, files, publicBase }: SiteTools,
): Site {
  return {
    settings: config.site,
    apiRoot: `${config.publicUrl}${config.apiRoot}`,
    base: `${config.publicUrl}${config.apiRoot}/${config.apiNamespace}`,
    home: config.siteUrl,
    namespace: config.apiNamespace,
    uploads: publicBase,
    files,
    imageSizes: config.imageSizes,
    ...(statementBytes === undefined ? {} : { statementBytes }),
    lowersTexts,
    now: () => Date.now(),
    hashPassword: (password) => hasher.hash(password),
    runText: limitedPool((work, ...texts) => pool.run(work, ...texts)),
    capabilitiesOf: (names) => roles.capabilitiesOf(names),
    hasRole: (name) => roles.has(name),
    roleNames: () => roles.names(),
  };
}
