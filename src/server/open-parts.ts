// Opens the parts that the rest of a site is made from: models, roles, database.
import type { FirstAdministrator } from '../auth/first-administrator.js';
import { loadRoles, type RoleSet } from '../auth/roles.js';
import { lacksFile } from '../config/folders.js';
import { unservedSettings } from '../config/unsupported.js';
import { formatProblem, type Problem, StartupError } from '../errors/problem.js';
import { blameOf } from '../errors/blame.js';
import type { Log } from '../http/request/logger.js';
import type { ModelSet } from '../model/model.js';
import { compileLoaded, fileWarnings } from '../schema/compile-site.js';
import { loadSchemas } from '../schema/load/load.js';
import { loadExtensions, type ExtensionSet } from './extensions/load-extensions.js';
import { preflightOf } from './decisions/required-decisions.js';
import { allTables } from './engine-tables.js';
import type { AdministeredStore } from '../storage/sql/administered-store.js';
import type { OnStatement } from '../storage/sql/connection.js';
import { openStore, type StoreOptions } from '../storage/open-store.js';
import { shapeOf } from '../storage/sql/abbreviate-sql.js';
import type { Config } from '../config/settings.js';

/** The models, roles and open store of a site. */
export interface SiteParts {
  models: ModelSet;
  roles: RoleSet;
  store: AdministeredStore;
  extensions: ExtensionSet;
}

/** Milliseconds after which a command reports that it waits for the database. */
const LONG_MS = 5_000;
const LONG =
  'the database is taking a long time: its tables are being changed or filled, or another session has locked them';
const LONG_STATEMENT =
  'a statement takes long: it has much to do, or waits for another session that has locked what it needs';

/** Options of a start. */
export interface StartOptions {
  /** Called after each attempt to which the database did not respond. */
  waiting?: (() => void) | undefined;
  /**
   * Whether this is the first process of its server, which runs singleton tasks: scheduled items, warnings about
   * settings.
   */
  first?: boolean;
  /**
   * Called with the account that this start has created, because there was none; the start may still fail afterwards.
   */
  onAdministrator?: ((administrator: FirstAdministrator) => void) | undefined;
}

/** Options of opening a site. */
export interface OpenOptions {
  /** The models of the schema files for these settings; absent: compiled here. */
  models?: ModelSet;
  bare?: boolean;
  /** For commands that need an existing site: a database without a site is refused, and no file is created. */
  existing?: boolean;
  /** For a command that writes much: SQLite statements run on another thread. */
  bulk?: boolean;
  serving?: boolean;
  /** Called for every statement. */
  onStatement?: OnStatement | undefined;
}

/**
 * Compiles schemas and roles and opens the store, with the tables as far as `DATABASE_MIGRATE` allows.
 * @throws StartupError with every problem of schemas, roles and database
 */
export async function openParts(
  config: Config,
  log: Pick<Log, 'warn'>,
  options: StartOptions & OpenOptions = {},
): Promise<SiteParts> {
  const { serving = false, first = true, waiting, onStatement, bulk = false, existing = false } = options;
  if (first) for (const line of unservedSettings(config)) log.warn(line);
  const slow = (what: string, ms: number) => log.warn({ ms: Math.round(ms) }, `${what} is slow`);
  const extensions = await loadExtensions(config.extensionsDir, slow);
  const warns = first && serving;
  const loaded = warns || !options.models ? loadSchemas(config.schemasDir) : undefined;
  const models = options.models ?? compileLoaded(loaded!, config.site, extensions.additions);
  const roles = loadRoles(config.rolesFile);
  if (warns) warnOfSchemas(loaded!, models, roles, log);
  const opening = openTables(config, models, log, { serving, first, waiting, onStatement, bulk, existing });
  // A server reports through its log and `/readyz` instead.
  const store = await (serving
    ? opening
    : tellingIfLong(
        () => opening,
        (message) => log.warn(message),
      ));
  return { models, roles, store, extensions };
}

/**
 * The result of `work`. `report` is called after `LONG_MS`, unless `work` has called `onProgress`: a command that waits
 * for a lock tells its operator, who often holds it.
 */
export async function tellingIfLong<T>(
  work: (onProgress: () => void) => Promise<T>,
  report: (message: string) => void,
): Promise<T> {
  const late = setTimeout(() => report(LONG), LONG_MS);
  return work(() => clearTimeout(late)).finally(() => clearTimeout(late));
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

/**
 * Refused because an empty database, opened by a mistyped URL or in a wrong working folder, would look like a site
 * without content.
 */
const NO_SITE: Problem = {
  file: 'environment',
  path: 'DATABASE_URL',
  message: 'there is no site in this database',
  hint: 'Name the database of the site; a path is one in the working folder. The first start of a server makes a new one',
};

function openTables(
  config: Config,
  models: ModelSet,
  log: Pick<Log, 'warn'>,
  { serving, first, waiting, onStatement, bulk, existing }: StartOptions & OpenOptions,
): Promise<AdministeredStore> {
  const tables = allTables(models);
  const { url, pool, migrate, accept, replicaUrls } = config.database;
  const ask = preflightOf(models, config);
  if (existing && lacksFile(config)) throw new StartupError([NO_SITE]);
  const onUnsafeSetting = (setting: string) => log.warn({ setting }, 'a setting of the database is not safe');
  const options: StoreOptions = {
    pool,
    migrate,
    accepted: new Set(accept),
    preflight: existing ? async (before) => (before.hasSome(tables.keys()) ? ask(before) : [NO_SITE]) : ask,
    replicas: serving ? replicaUrls : [],
    onStatement,
    onReplica: (replica, reason) =>
      log.warn(
        { replica, reason },
        reason === undefined ? 'the replica serves' : 'the replica is not used, its reads go to DATABASE_URL',
      ),
    onChangedTables: (differences) =>
      log.warn(
        { differences },
        'the tables were changed for other schemas: start this server again, with the schemas of the tables',
      ),
    ...(serving ? {} : { statementMs: 0, bulk, onLong: (sql) => log.warn({ sql: shapeOf(sql) }, LONG_STATEMENT) }),
    onError: (err) => {
      const source = blameOf(err);
      log.warn(
        { err, ...(source === undefined ? {} : { source }) },
        `${source ?? 'work'} failed after the commit of its transaction`,
      );
    },
    onSlow: (sql, ms) => log.warn({ sql: shapeOf(sql), ms: Math.round(ms) }, 'slow statement'),
    onWait: (reason) => {
      log.warn({ reason }, 'waiting for the database');
      waiting?.();
    },
    ...(first && { onUnsafeSetting }),
  };
  return openStore(url, options, tables);
}
