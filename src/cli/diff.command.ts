// `diff`: the differences between database and schemas, with risk and SQL of each step. Exits 2 when there are any.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { formatPlan } from './evolution-report.js';
import { withTables } from './open-tables.js';
import { wholePlan } from './whole-plan.js';

/** Adds the command. */
export function diffCommand(program: Command): void {
  program
    .command('diff')
    .description('compare the schemas with the database and print what migrate would do (docs/evolution.md)')
    .action(async () => {
      const plan = await withTables(readConfig(), 'plan', wholePlan);
      process.stdout.write(formatPlan(plan));
      if (plan.steps.length > 0) process.exitCode = 2;
    });
}
