// `migrate`: migrates the database to the schemas. Destructive steps need consent, and what they drop is saved first.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { migrateStore } from '../storage/migrate-store.js';
import { recomputeDerived } from '../maintenance/backfill-derived.js';
import { placeOf } from '../storage/migrations/step.js';
import { formatPlan } from './evolution-report.js';
import { withTables } from './open-tables.js';
import { wholePlan } from './whole-plan.js';

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
    .action(async (options: { dryRun?: boolean; allowDestructive?: boolean }) => {
      const config = readConfig();
      if (options.dryRun) {
        process.stdout.write(formatPlan(await withTables(config, 'plan', wholePlan)));
        return;
      }
      const saved: string[] = [];
      const onSaved = (path: string) => saved.push(path);
      const rescue = options.allowDestructive ? { rescue: process.cwd(), onSaved } : {};
      const { plan, ran, derived } = await withTables(config, 'run', async (store, tables, models) => {
        const done = await migrateStore(store, tables, rescue, 'database');
        const names: string[] = [];
        await recomputeDerived(models, store, (name) => names.push(name));
        return { ...done, derived: names };
      });
      for (const note of plan.notes) process.stdout.write(`note: ${note}\n`);
      for (const path of saved) process.stdout.write(`saved: ${path}\n`);
      for (const step of ran) process.stdout.write(`done: ${step.kind} ${placeOf(step)}\n`);
      for (const name of derived) process.stdout.write(`done: work out sort keys and search texts of ${name}\n`);
      const left = plan.steps.filter((step) => step.risk === 'destructive' && !options.allowDestructive);
      for (const step of left)
        process.stdout.write(`left: ${step.kind} ${placeOf(step)} (needs --allow-destructive)\n`);
      if (ran.length + left.length + derived.length === 0) process.stdout.write('Nothing to do.\n');
    });
}
