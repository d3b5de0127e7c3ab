// `diff`: what the database lacks or has too much for the schemas, with classes and SQL. Exits 2 when there is something to do.
import type { Command } from 'commander';
import { readConfig } from '../config.js';
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
