// `diff`: the differences between database and schemas, with risk and SQL of each step. Exits with 2 when there are
// any, apart from leftover columns and tables.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { isLeftover } from '../storage/migrations/run.js';
import { formatPlan } from './evolution/evolution-report.js';
import { withTables } from './evolution/open-tables.js';
import { wholePlan } from './evolution/whole-plan.js';

/** Adds the command. */
export function diffCommand(program: Command): void {
  program
    .command('diff')
    .description('compare the schemas with the database and print what migrate would do (docs/evolution.md)')
    .action(async () => {
      const config = readConfig();
      const accepted = new Set(config.database.accept);
      const plan = await withTables(config, 'plan', (store, tables, models) =>
        wholePlan(store, tables, models, accepted),
      );
      process.stdout.write(formatPlan(plan));
      if (plan.steps.some((step) => !isLeftover(step))) process.exitCode = 2;
    });
}
