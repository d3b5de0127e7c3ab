// `diff`: the differences between database and schemas, with risk and SQL of each step. Exits with 2 when there are
// any, apart from leftover columns and tables.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { isLeftover } from '../storage/migrations/run.js';
import { formatPlan } from './evolution/evolution-report.js';
import { planOf } from './evolution/migration-plan.js';

/** Adds the command. */
export function diffCommand(program: Command): void {
  program
    .command('diff')
    .description('compare the schemas with the database and print what migrate would do (docs/evolution.md)')
    .action(async () => {
      const plan = await planOf(readConfig());
      process.stdout.write(formatPlan(plan));
      if (plan.steps.some((step) => !isLeftover(step))) process.exitCode = 2;
    });
}
