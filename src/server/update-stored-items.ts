// Adapts the stored items to the schemas of a start: values under narrower rules, new traits,
// derived columns.
import { commandLine } from '../errors/command-line.js';
import { StartupError, formatProblem } from '../errors/problem.js';
import type { Log } from '../http/request/logger.js';
import { adoptItems, newcomers, obstacles, unadopted } from '../maintenance/adopt-items.js';
import { forgetDerived, recomputeDerived, staleModels } from '../maintenance/backfill-derived.js';
import { outdatedProblems, outdatedValues } from '../maintenance/check-stored-values.js';
import { replaceEmptyValues } from '../maintenance/empty-values.js';
import { recordRules } from '../maintenance/recorded-rules.js';
import type { ModelSet } from '../model/model.js';
import { problemOf } from '../storage/migrations/run.js';
import type { AdministeredStore } from '../storage/sql/administered-store.js';
import { unclaimedRows } from './unclaimed-rows.js';
import type { Config } from '../config/settings.js';

/**
 * Checks stored values, applies new traits to existing items, and backfills derived columns, as far as the setting of
 * migrations allows.
 * @throws StartupError with the steps that the operator must take first
 */
export async function ensureStoredItems(
  config: Config,
  models: ModelSet,
  store: AdministeredStore,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  await ensureStoredValues(config, models, store, log);
  await ensureDerivedColumns(config, models, store, log);
}

/**
 * Refuses rows that a resource may have left behind and values that a narrower rule no longer allows, unless the
 * operator has accepted them.
 */
async function ensureStoredValues(
  config: Config,
  models: ModelSet,
  store: AdministeredStore,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const { database, schemasDir } = config;
  if (database.migrate === 'off') return;
  const unclaimed = database.accept.includes('leftovers') ? [] : await unclaimedRows(models, store);
  if (unclaimed.length > 0) throw new StartupError(unclaimed.map((step) => problemOf(step, 'database')));
  const problems = outdatedProblems(await outdatedValues(models, store.reader), schemasDir);
  if (problems.length > 0 && !database.accept.includes('values')) throw new StartupError(problems);
  for (const problem of problems) log.warn(formatProblem(problem));
  await ensureAdopted(config, models, store, log);
  if (database.migrate !== 'auto') return;
  await replaceEmptyValues(models, store);
  await recordRules(models, store);
}

/** Applies new traits to existing items. */
async function ensureAdopted(
  { database, schemasDir, site }: Config,
  models: ModelSet,
  store: AdministeredStore,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const found = await newcomers(models.byName.values(), store.reader);
  const problems = await obstacles(found, store.reader, schemasDir);
  if (database.migrate === 'check') problems.push(...unadopted(found, schemasDir));
  if (problems.length > 0) throw new StartupError(problems);
  await adoptItems(found, store, site, (resource, trait, done) =>
    log.warn({ resource, trait, done }, 'computing what a new trait needs for the existing items'),
  );
}

/** Backfills the derived columns of items that existed before a field became sortable or searchable. */
async function ensureDerivedColumns(
  config: Config,
  models: ModelSet,
  store: AdministeredStore,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const { migrate } = config.database;
  if (migrate === 'auto')
    await recomputeDerived(models, store, (resource) => log.warn({ resource }, 'computing sort keys and search texts'));
  if (migrate !== 'check') return;
  await forgetDerived(models, store);
  const problems = (await staleModels(models, store.reader)).map(({ name, schema }) => ({
    file: config.schemasDir,
    path: schema.name,
    message: `sort keys, search texts or rendered texts of the items of ${name} are not those of its schema`,
    hint: `Run: ${commandLine('migrate')}`,
  }));
  if (problems.length > 0) throw new StartupError(problems);
}
