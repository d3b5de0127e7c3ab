// `migrate`: migrates the database to the schemas. Destructive steps require consent, and save the data that they drop.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { StartupError } from '../errors/problem.js';
import { adoptItems, type Newcomer, newcomers, obstacles } from '../maintenance/adopt-items.js';
import { outdatedProblems, outdatedValues } from '../maintenance/check-stored-values.js';
import { replaceEmptyValues } from '../maintenance/empty-values.js';
import { recordRules } from '../maintenance/recorded-rules.js';
import { migrateStore } from '../storage/migrate-store.js';
import { recomputeDerived, staleModels } from '../maintenance/backfill-derived.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import type { Store } from '../model/store.js';
import { rowsOf } from '../engine/shared-table.js';
import { problemOf } from '../storage/migrations/run.js';
import { placeOf } from '../storage/migrations/step.js';
import { preflightOf } from '../server/decisions/required-decisions.js';
import { unclaimedRows } from '../server/unclaimed-rows.js';
import { formatPlan } from './evolution/evolution-report.js';
import { ProgressBar } from '../transfer/progress-bar.js';
import { withTables } from './evolution/open-tables.js';
import { planOf } from './evolution/migration-plan.js';
import type { Config } from '../config/settings.js';

/** Adds the command. */
export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('change the database so that it fits the schemas (docs/evolution.md)')
    .option('--dry-run', 'print the plan and change nothing')
    .option(
      '--allow-destructive',
      'drop columns and tables that no schema has, after writing their data to .jsonl files here',
    )
    .action(async (options: Options) => {
      const config = readConfig();
      if (!options.dryRun) return migrate(config, options);
      process.stdout.write(formatPlan(await planOf(config)));
    });
}

interface Options {
  dryRun?: boolean;
  allowDestructive?: boolean;
}

/** The steps that were run, and the plan that they are from. */
type Migrated = Awaited<ReturnType<typeof migrateStore>>;

/** The items that were updated. */
interface Updated {
  /** Traits that have processed the items of a resource. */
  adopted: Newcomer[];
  /** Resources whose derived columns were computed. */
  derived: string[];
}

/** Runs the plan, then updates the items. Reports each part once it is done: the next one may fail. */
async function migrate(config: Config, { allowDestructive }: Options): Promise<void> {
  const accepted = new Set(config.database.accept);
  const steps = new ProgressBar(process.stderr, 'migrate', 'steps');
  const onSaved = (path: string) => void process.stdout.write(`saved: ${path}\n`);
  const rescue = allowDestructive ? { rescue: process.cwd(), onSaved, accepted } : { accepted };
  return withTables(config, 'run', async (store, tables, models, onProgress) => {
    const unclaimed = accepted.has('leftovers') ? [] : await unclaimedRows(models, store);
    if (unclaimed.length > 0) throw new StartupError(unclaimed.map((step) => problemOf(step, 'database')));
    const preflight = preflightOf(models, config);
    const onStep = (_: unknown, done: number, total: number) => {
      onProgress();
      steps.update(done, total);
    };
    const onUsed = (names: readonly string[]): void => {
      onProgress();
      process.stderr.write(
        `other sessions use ${names.join(', ')}: waiting until they have ended their transactions\n`,
      );
    };
    const done = await migrateStore(store, tables, { ...rescue, preflight, onStep, onUsed }, 'database').finally(() =>
      steps.end(),
    );
    reportSteps(done);
    reportItems(await updateItems(config, store, models, onProgress), done, allowDestructive);
  });
}

/**
 * Lets new traits process the items, checks new rules, and recomputes changed derived columns; returns what was
 * changed.
 * @throws StartupError when items contradict new traits or rules
 */
async function updateItems(
  { database, schemasDir, site }: Config,
  store: Store,
  models: ModelSet,
  onProgress: () => void,
): Promise<Updated> {
  const outdated = database.accept.includes('values') ? [] : await outdatedValues(models, store.reader);
  const added = await newcomers(models.byName.values(), store.reader);
  const stuck = await obstacles(added, store.reader, schemasDir);
  const problems = [...outdatedProblems(outdated, schemasDir), ...stuck];
  if (problems.length > 0) throw new StartupError(problems);
  const names: string[] = [];
  const stale = await staleModels(models, store.reader);
  const total = await itemsOf(
    [...added.filter(({ adoption }) => adoption.row), ...stale.map((model) => ({ model }))],
    store,
  );
  const items = new ProgressBar(process.stderr, 'migrate', 'items');
  let worked = 0;
  const onBatch = (some: number) => {
    onProgress();
    items.update(Math.min((worked += some), total), total);
  };
  try {
    await adoptItems(added, store, site, undefined, onBatch);
    await replaceEmptyValues(models, store);
    await recordRules(models, store);
    await recomputeDerived(models, store, (name) => names.push(name), onBatch);
  } finally {
    items.end();
  }
  return { adopted: added, derived: names };
}

function reportSteps({ plan, ran }: Migrated): void {
  for (const note of plan.notes) process.stdout.write(`note: ${note}\n`);
  for (const step of ran) process.stdout.write(`done: ${step.kind} ${placeOf(step)}\n`);
}

function reportItems({ adopted, derived }: Updated, { plan, ran }: Migrated, allowDestructive = false): void {
  for (const { model, trait } of adopted)
    process.stdout.write(`done: adopt items ${placeOf({ table: model.table!.name, name: trait })}\n`);
  for (const name of derived) process.stdout.write(`done: compute sort keys and search texts of ${name}\n`);
  const left = plan.steps.filter((step) => step.risk === 'destructive' && !allowDestructive);
  for (const step of left) process.stdout.write(`left: ${step.kind} ${placeOf(step)} (needs --allow-destructive)\n`);
  if (ran.length + left.length + adopted.length + derived.length === 0) process.stdout.write('Nothing to do.\n');
}

/** Total number of items of some resources. */
async function itemsOf(found: readonly { model: ResourceModel }[], { reader }: Store): Promise<number> {
  let total = 0;
  for (const { model } of found) total += await reader.count(model.table!.name, rowsOf(model));
  return total;
}
