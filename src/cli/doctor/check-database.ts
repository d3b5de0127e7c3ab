// Checks the database and its replicas: whether they respond, their versions, clocks and settings, and the differences
// between tables and schemas.
import { Accounts } from '../../auth/accounts.js';
import type { RoleSet } from '../../auth/roles.js';
import { commandLine } from '../../errors/command-line.js';
import { databaseFile } from '../../config/folders.js';
import { StartupError } from '../../errors/problem.js';
import type { ModelSet } from '../../model/model.js';
import type { AdministeredStore } from '../../storage/sql/administered-store.js';
import { isLeftover } from '../../storage/migrations/run.js';
import { withTables } from '../evolution/open-tables.js';
import { migrationPlan } from '../evolution/migration-plan.js';
import { type Finding, findingsAbout } from './finding.js';
import type { Config } from '../../config/settings.js';
import { counted } from '../../values/value-issue.js';

/** Seconds that two clocks may differ. */
const DRIFT = 5;

const clock = findingsAbout('clock');
const tables = findingsAbout('tables');

/** Checks the database and its replicas without changing them. Does not wait for one that does not respond. */
export async function checkDatabase(config: Config, roles: RoleSet): Promise<Finding[]> {
  const found = await checkOne(config, 'database', async (store, wanted, models) => {
    const closed = await store.admin.readOnlyReason();
    const { steps } = await migrationPlan(store, wanted, models, new Set(config.database.accept));
    const needed = steps.filter((step) => !isLeftover(step));
    return [
      ...(closed === undefined ? [] : [findingsAbout('database').fail(`it accepts no writes: ${closed}`)]),
      differences(needed),
      ...(needed.length > 0 ? [] : await strangeRoles(config, roles, models, store)),
    ];
  });
  for (const url of config.database.replicaUrls)
    found.push(...(await checkOne({ ...config, database: { ...config.database, url } }, 'replica', async () => [])));
  return found;
}

/** Roles of accounts that the file of roles lacks, for example because another site used the database before. */
async function strangeRoles(
  { rolesFile }: Config,
  roles: RoleSet,
  models: ModelSet,
  { reader }: AdministeredStore,
): Promise<Finding[]> {
  const held = [...((await Accounts.of(models, reader)?.rolesHeld()) ?? [])].filter(([name]) => !roles.has(name));
  return held.map(([name, count]) => {
    const holders = count === 1 ? '1 account holds' : `${count} accounts hold`;
    return findingsAbout('accounts').warn(
      `${holders} the role "${name}", which ${rolesFile} does not have: it grants nothing`,
    );
  });
}

type Look = Parameters<typeof withTables<Finding[]>>[2];

async function checkOne(config: Config, about: string, more: Look): Promise<Finding[]> {
  const { fail } = findingsAbout(about);
  const giveUp = (reason: string): never => {
    throw new Error(`it does not respond: ${reason}`);
  };
  const look: Look = async (...given) => [
    ...(await checkServer(config, given[0], findingsAbout(about))),
    ...(await more(...given)),
  ];
  try {
    return await withTables(config, 'plan', look, giveUp);
  } catch (error) {
    if (error instanceof StartupError)
      return error.problems.map(({ message, hint }) => fail(hint ? `${message} (${hint})` : message));
    return [fail(error instanceof Error ? error.message : String(error))];
  }
}

async function checkServer(
  config: Config,
  { admin }: AdministeredStore,
  { ok, warn }: ReturnType<typeof findingsAbout>,
): Promise<Finding[]> {
  const embedded = databaseFile(config) !== undefined;
  const ask = async (sql: string) => (await admin.read(async (db) => db.rows(sql, [])))[0]?.[0];
  const version = await ask(embedded ? 'SELECT sqlite_version()' : 'SELECT version()');
  const found = [ok(embedded ? `SQLite ${version}` : named(String(version)))];
  for (const weakness of await admin.unsafeSettings()) found.push(warn(weakness));
  // An embedded database has the clock of this machine.
  if (!embedded) found.push(drift(Number(await ask(`SELECT ${admin.statements.dialect.epoch}`)), Date.now() / 1000));
  return found;
}

/** A version with the name of the server: MySQL reports its number alone. */
function named(version: string): string {
  return /^\d/.test(version) && !version.includes('MariaDB') ? `MySQL ${version}` : version;
}

/** The finding for two clocks, in seconds since 1970. */
export function drift(databaseClock: number, ownClock: number): Finding {
  const seconds = Math.round(databaseClock - ownClock);
  if (Math.abs(seconds) <= DRIFT) return clock.ok(`the one of the database differs by ${seconds} s`);
  return clock.warn(`the one of the database differs by ${seconds} s: let both machines follow a time server`);
}

function differences(steps: readonly { risk: string }[]): Finding {
  if (steps.length === 0) return tables.ok('as the schemas say');
  const said = `${counted(steps.length, 'difference')} from the schemas`;
  const unsafe = steps.filter(({ risk }) => risk !== 'safe').length;
  if (unsafe === 0) return tables.warn(`${said}, all safe: the next start makes them, unless DATABASE_MIGRATE says no`);
  return tables.warn(`${said}, ${unsafe} need a decision: see ${commandLine('diff')}`);
}
