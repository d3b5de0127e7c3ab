// Opens a site from its configuration, without HTTP: models, roles, database, files, accounts, events. start-site.ts
// serves it.
import { join } from 'node:path';
import { Accounts } from '../auth/accounts.js';
import { ApplicationPasswords } from '../auth/application-passwords.js';
import { makeFirstAdministrator, type FirstAdministrator } from '../auth/first-administrator.js';
import { PasswordHasher } from '../auth/password-hasher.js';
import { loadRoles, type RoleSet } from '../auth/roles.js';
import { loadSecret, type Secret } from '../auth/secret.js';
import type { Config } from '../config/config.js';
import { unservedSettings } from '../config/unsupported.js';
import { ContentWriter } from '../engine/content-writer.js';
import { StoredSettings } from '../engine/stored-settings.js';
import { limitedPool } from '../engine/writes/prepared-texts.js';
import { runSeeds } from '../maintenance/seeds.js';
import { TextPool } from '../text/pool/text-pool.js';
import { setPasswordMinLength } from '../values/password-rule.js';
import { dataFolder, guardedFiles } from '../config/folders.js';
import type { FileStore } from '../files/file-store.js';
import type { RecordLogin } from '../http/endpoints/auth.controller.js';
import { formatProblem } from '../errors/problem.js';
import type { Log } from '../http/request/logger.js';
import type { ModelSet } from '../model/model.js';
import type { Site } from '../model/site.js';
import { compileLoaded, fileWarnings } from '../schema/compile-site.js';
import { loadSchemas } from '../schema/load/load.js';
import { fileAddresses, openFiles } from './served-files.js';
import { SiteEvents } from './events/site-events.js';
import { loadExtensions, type ExtensionSet } from './extensions/load-extensions.js';
import { auditWriter, loginRecorder } from './audit-writer.js';
import { allTables } from './engine-tables.js';
import { ensureStoredItems } from './stored-items.js';
import type { AdministeredStore } from '../storage/sql/administered-store.js';
import type { OnStatement } from '../storage/sql/connection.js';
import { openStore, type StoreOptions } from '../storage/open-store.js';
import { exposedFiles } from '../storage/sqlite/private-file.js';
import { shapeOf } from '../storage/sql/abbreviate-sql.js';

/** Characters of the code that seals a cursor: 132 bits. */
const SEAL_LENGTH = 22;

/** The content of a site, and who has accounts there. */
interface Content {
  writer: ContentWriter;
  /** Absent where no resource stores settings. */
  settings: StoredSettings | undefined;
  accounts: Accounts | undefined;
  /** Created at this start, because there was no account. */
  administrator: FirstAdministrator | undefined;
}

/** What records acts that are no writes of items. */
interface RecordedActs {
  applicationPasswords: ApplicationPasswords;
  /** Absent where no resource is an audit log, or none holds accounts. */
  recordLogin: RecordLogin | undefined;
}

/** The parts of a site except HTTP. */
export interface OpenSite extends Content, RecordedActs {
  models: ModelSet;
  extensions: ExtensionSet;
  store: AdministeredStore;
  site: Site;
  /** The storage of uploaded files. */
  files: FileStore;
  hasher: PasswordHasher;
  roles: RoleSet;
  events: SiteEvents;
  secret: Secret;
  close(): Promise<void>;
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
}

/** Options of opening a site. */
export interface OpenOptions {
  /** The models of the schema files for these settings; absent: compiled here. */
  models?: ModelSet;
  bare?: boolean;
  /** For a command that writes much. */
  beside?: boolean;
  serving?: boolean;
  /** Told of every statement. */
  onStatement?: OnStatement | undefined;
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
  const warns = first && serving;
  const loaded = warns || !options.models ? loadSchemas(config.schemasDir) : undefined;
  const models = options.models ?? compileLoaded(loaded!, config.site, extensions.additions);
  const roles = loadRoles(config.rolesFile);
  if (warns) warnOfSchemas(loaded!, models, roles, log);
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

/**
 * Makes the rest of a site from its parts, which stay open when that fails.
 * @throws BootError with every problem of the database
 */
export async function completeSite(
  config: Config,
  log: Pick<Log, 'warn'>,
  parts: SiteParts,
  options: StartOptions & OpenOptions,
): Promise<OpenSite> {
  const { models, roles, store, extensions } = parts;
  const { bare = false, first = true } = options;
  setPasswordMinLength(config.site.passwordMinLength);
  const hasher = new PasswordHasher({ cost: config.passwordHash });
  await ensureStoredItems(config, models, store, log);
  const pool = new TextPool();
  const { files, publicBase } = await openFiles(config);
  const site = makeSite(config, { hasher, roles, store, pool, files, publicBase });
  const content = await openContent(parts, site, hasher, config, options);
  const secret = await loadSecret(config.tokenSecret, join(dataFolder(config), 'secret'));
  signWith(secret, site, config);
  if (first) warnOfExposed(config, log);
  const events = new SiteEvents({ config, models, store, site, extensions });
  if (!bare) await events.record();
  const recorded = recordedActs(parts, content.accounts, { site, secret, events });
  const close = async () => {
    await recorded.applicationPasswords.flush();
    await pool.close();
    files.close();
    await store.close();
  };
  return { models, extensions, store, site, files, ...content, hasher, roles, ...recorded, events, secret, close };
}

/** The content of a site, and what a first start puts there: seeds and the first administrator. */
async function openContent(
  { models, roles, store }: SiteParts,
  site: Site,
  hasher: PasswordHasher,
  config: Config,
  { bare = false, serving = false }: OpenOptions,
): Promise<Content> {
  const writer = new ContentWriter(models, store, site, serving ? 'system' : 'command');
  const settings = StoredSettings.of(models, site, store);
  if (settings) site.readSettings = () => settings.read();
  if (!bare) await runSeeds(writer);
  await settings?.read();
  const accounts = Accounts.of(models, store.reader);
  const administrator = bare
    ? undefined
    : await makeFirstAdministrator(accounts, writer, { hasher, roles }, config.admin);
  return { writer, settings, accounts, administrator };
}

/** Gives a site what the secret seals and signs: cursors, and addresses of files. */
function signWith(secret: Secret, site: Site, config: Config): void {
  const addresses = fileAddresses(config, secret);
  site.seal = (text) => secret.fingerprint('cursor', text).slice(0, SEAL_LENGTH);
  site.signFile = (key) => addresses.sign(key, site.now());
}

/** What records acts that are no writes of items: logins, and changes of application passwords. */
function recordedActs(
  { models, store }: SiteParts,
  accounts: Accounts | undefined,
  { site, secret, events }: { site: Site; secret: Secret; events: SiteEvents },
): RecordedActs {
  const write = auditWriter(models, site);
  const audit = write && accounts && { write, resource: accounts.model.name };
  const recordLogin = loginRecorder(store, {
    resource: accounts?.model.name ?? '',
    audit: audit?.write,
    events: events.recorder,
    now: () => site.now(),
  });
  return { recordLogin, applicationPasswords: new ApplicationPasswords(store, secret, Date.now, audit) };
}

/** Logs the warnings of `check`, where the operator of a server sees them. */
function warnOfSchemas(
  loaded: ReturnType<typeof loadSchemas>,
  models: ModelSet,
  roles: RoleSet,
  log: Pick<Log, 'warn'>,
): void {
  const held = roles.capabilitiesOf(roles.names());
  for (const problem of fileWarnings(loaded, held, models)) log.warn(formatProblem(problem));
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
