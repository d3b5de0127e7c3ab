// `migrate`: brings the database up to the schemas. Destructive steps need consent, and what they drop is saved first.
import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { migrateStore, planStore } from '../storage/evolution/evolve-store.js';
import { placeOf } from '../storage/evolution/step.js';
import { formatPlan } from './evolution-report.js';
import { withTables } from './open-tables.js';

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
        process.stdout.write(formatPlan(await withTables(config, planStore)));
        return;
      }
      const rescue = options.allowDestructive ? { rescue: process.cwd() } : {};
      const { plan, ran } = await withTables(config, (store, tables) =>
        migrateStore(store, tables, rescue, 'database'),
      );
      for (const note of plan.notes) process.stdout.write(`note: ${note}\n`);
      for (const step of ran) process.stdout.write(`done: ${step.kind} ${placeOf(step)}\n`);
      const left = plan.steps.filter((step) => step.risk === 'destructive' && !options.allowDestructive);
      for (const step of left)
        process.stdout.write(`left: ${step.kind} ${placeOf(step)} (needs --allow-destructive)\n`);
      if (ran.length === 0 && left.length === 0) process.stdout.write('Nothing to do.\n');
    });
}
