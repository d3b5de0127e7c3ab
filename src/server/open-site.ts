// Opens a site from its configuration, without HTTP: models, roles, database, files, accounts, events. start-site.ts
// serves it.
import { join, resolve } from 'node:path';
import { finishInTurn } from '../concurrency/finish-all.js';
import { Accounts } from '../auth/accounts.js';
import { createFirstAdministrator, type FirstAdministrator } from '../auth/first-administrator.js';
import { PasswordHasher } from '../auth/password-hasher.js';
import type { RoleSet } from '../auth/roles.js';
import { loadSecret, type Secret } from '../auth/secret.js';
import { ContentWriter } from '../engine/content-writer.js';
import { StoredSettings } from '../engine/stored-settings.js';
import { runSeeds } from '../maintenance/seeds.js';
import { TextPool } from '../text/pool/text-pool.js';
import { setPasswordMinLength } from '../values/password-rule.js';
import { notUploads, sharedFolderWarning } from '../config/check-folders.js';
import { dataFolder, guardedFiles, incomingFolder, mediaFolders, nearestExisting } from '../config/folders.js';
import type { FileStore } from '../files/file-store.js';
import type { Log } from '../http/request/logger.js';
import type { ModelSet } from '../model/model.js';
import type { Site } from '../model/site/site.js';
import { openFiles } from './served-files.js';
import { SiteEvents } from './events/site-events.js';
import type { ExtensionSet } from './extensions/load-extensions.js';
import { ensureStoredItems } from './update-stored-items.js';
import type { AdministeredStore } from '../storage/sql/administered-store.js';
import { writeFault } from '../disk/folders.js';
import { exposedFiles } from '../disk/private-file.js';
import type { Config } from '../config/settings.js';
import { type StartOptions, type OpenOptions, openParts, type SiteParts } from './open-parts.js';
import { makeSite, signWith } from './make-site.js';
import { type RecordedActs, recordedActs } from './audit-writer.js';

/** The content of a site, and its accounts. */
interface Content {
  writer: ContentWriter;
  /** Absent where no resource stores settings. */
  settings: StoredSettings | undefined;
  accounts: Accounts | undefined;
  /** Created at this start, because there was no account. */
  administrator: FirstAdministrator | undefined;
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

/**
 * Opens the database of a site and creates what a first start needs: tables, seeds, the first administrator; `bare`:
 * tables only. `serving`: statements have the timeout of requests; commands have none.
 * @throws StartupError with every problem of schemas, roles and database
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

/** What a site opens besides its parts. */
interface Opened extends Awaited<ReturnType<typeof openFiles>> {
  pool: TextPool;
}

/**
 * Makes the rest of a site from its parts, which stay open when that fails.
 * @throws StartupError with every problem of the database
 */
export async function completeSite(
  config: Config,
  log: Pick<Log, 'warn'>,
  parts: SiteParts,
  options: StartOptions & OpenOptions,
): Promise<OpenSite> {
  setPasswordMinLength(config.site.passwordMinLength);
  await ensureStoredItems(config, parts.models, parts.store, log);
  const opened = { ...(await openFiles(config)), pool: new TextPool() };
  try {
    return await assembleSite(config, log, parts, opened, options);
  } catch (error) {
    // A server goes on with its former files: threads and connections must not remain.
    await finishInTurn([() => opened.pool.close(), () => opened.files.close()]);
    throw error;
  }
}

async function assembleSite(
  config: Config,
  log: Pick<Log, 'warn'>,
  parts: SiteParts,
  { pool, files, publicBase }: Opened,
  options: StartOptions & OpenOptions,
): Promise<OpenSite> {
  const { models, roles, store, extensions } = parts;
  const { bare = false, first = true } = options;
  const hasher = new PasswordHasher({ cost: config.passwordHash });
  const site = makeSite(config, { hasher, roles, store, pool, files, publicBase });
  const secret = await loadSecret(config.tokenSecret, join(dataFolder(config), 'secret'));
  const content = await openContent(parts, site, hasher, config, options);
  if (content.administrator) options.onAdministrator?.(content.administrator);
  signWith(secret, site, config);
  if (first) warnOfFiles(config, log);
  if (first && options.serving) {
    await warnOfClosed(config, models, log);
    await warnOfReadOnly(store, log);
  }
  const events = new SiteEvents({ config, models, store, site, extensions });
  if (!bare) await events.record();
  const recorded = recordedActs(parts, content.accounts, { site, secret, events });
  const close = () =>
    finishInTurn([
      () => recorded.applicationPasswords.flush(),
      () => pool.close(),
      () => files.close(),
      () => store.close(),
    ]);
  return { models, extensions, store, site, files, ...content, hasher, roles, ...recorded, events, secret, close };
}

/** Opens the content of a site; a first start creates the seeds and the first administrator. */
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
    : await createFirstAdministrator(accounts, writer, { hasher, roles }, config.admin);
  return { writer, settings, accounts, administrator };
}

/**
 * Files are created for their owner alone; wider permissions of existing files are kept, with a warning. So are files that are
 * not where they should be.
 */
function warnOfFiles(config: Config, log: Pick<Log, 'warn'>): void {
  for (const file of exposedFiles(guardedFiles(config)))
    log.warn({ file }, 'other users of this machine may open the file: restrict it with chmod 600');
  for (const path of notUploads(config)) log.warn(sharedFolderWarning(path));
}

/** A site whose database accepts no writes still serves reads: the log says so at the start, not at the first write. */
async function warnOfReadOnly({ admin }: AdministeredStore, log: Pick<Log, 'warn'>): Promise<void> {
  // A database that no longer responds is reported by requests.
  const reason = await admin.readOnlyReason().catch(() => undefined);
  if (reason === undefined) return;
  log.warn({ reason }, 'writes will fail: the database accepts none');
}

/** A site that cannot store uploads serves everything else: the log says so at the start, not at the first upload. */
async function warnOfClosed(config: Config, { byName }: ModelSet, log: Pick<Log, 'warn'>): Promise<void> {
  const uploads = [...byName.values()].flatMap(({ faces }) => faces.upload ?? []);
  if (uploads.length === 0) return;
  const media = mediaFolders(config);
  const closed = media && uploads.some((each) => each.private) ? [media.closed] : [];
  for (const each of [incomingFolder(config), ...(media ? [media.open] : []), ...closed]) {
    const folder = resolve(each);
    const { path } = nearestExisting(folder);
    const reason = await writeFault(path);
    if (reason === undefined) continue;
    log.warn({ folder, reason }, `uploads will fail: give the user of the server the right to write in ${path}`);
  }
}
