#!/usr/bin/env node
// The command line: `npm run cms -- <command>`, installed as `typecase <command>`. Commands exit with 1 on failure.
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { checkCommand } from './cli/check.command.js';
import { diffCommand } from './cli/diff.command.js';
import { doctorCommand } from './cli/doctor.command.js';
import { dumpCommand } from './cli/dump.command.js';
import { explainCommand } from './cli/explain.command.js';
import { grammarCommand } from './cli/grammar.command.js';
import { importCommand } from './cli/import.command.js';
import { loadCommand } from './cli/load.command.js';
import { migrateCommand } from './cli/migrate.command.js';
import { newCommand } from './cli/new.command.js';
import { openApiCommand } from './cli/openapi.command.js';
import { rerenderCommand } from './cli/rerender.command.js';
import { typesCommand } from './cli/types.command.js';
import { userCommand } from './cli/user.command.js';
import { BootError, formatProblem } from './errors/problem.js';
import { serve } from './main.js';

/** Runs one command line (`process.argv`). */
export async function run(argv: string[]): Promise<void> {
  const program = new Command('typecase').description('Schema-driven REST engine.').showHelpAfterError();
  program
    .command('serve')
    .description('start the server')
    .action(() => serve());
  for (const add of [
    checkCommand,
    doctorCommand,
    explainCommand,
    newCommand,
    importCommand,
    diffCommand,
    migrateCommand,
    dumpCommand,
    loadCommand,
    rerenderCommand,
    openApiCommand,
    typesCommand,
    grammarCommand,
    userCommand,
  ])
    add(program);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = 1;
  }
}

function describe(error: unknown): string {
  if (error instanceof BootError) return error.problems.map(formatProblem).join('\n');
  return error instanceof Error ? error.message : String(error);
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) await run(process.argv);
