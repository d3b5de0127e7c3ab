#!/usr/bin/env node
// The command line: `npm run cms -- <command>`, installed as `typecase <command>`. Commands exit with 1 on failure.
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Command, CommanderError } from 'commander';
import { StartupError, formatProblem } from './errors/problem.js';
import { commandReason } from './errors/resource-error.js';
import { serve, type ServeOptions, withServeOptions } from './main.js';

/** Adds a command to a program. */
type Add = (program: Command) => void;

/** Commands by name, imported on demand: loading all of them would take longer than most commands. */
const COMMANDS = new Map<string, () => Promise<Add>>([
  ['check', async () => (await import('./cli/check.command.js')).checkCommand],
  ['doctor', async () => (await import('./cli/doctor.command.js')).doctorCommand],
  ['explain', async () => (await import('./cli/explain.command.js')).explainCommand],
  ['init', async () => (await import('./cli/init.command.js')).initCommand],
  ['new', async () => (await import('./cli/new.command.js')).newCommand],
  ['import', async () => (await import('./cli/import.command.js')).importCommand],
  ['diff', async () => (await import('./cli/diff.command.js')).diffCommand],
  ['migrate', async () => (await import('./cli/migrate.command.js')).migrateCommand],
  ['dump', async () => (await import('./cli/dump.command.js')).dumpCommand],
  ['load', async () => (await import('./cli/load.command.js')).loadCommand],
  ['rerender', async () => (await import('./cli/rerender.command.js')).rerenderCommand],
  ['openapi', async () => (await import('./cli/openapi.command.js')).openApiCommand],
  ['types', async () => (await import('./cli/types.command.js')).typesCommand],
  ['grammar', async () => (await import('./cli/grammar.command.js')).grammarCommand],
  ['mcp', async () => (await import('./cli/mcp.command.js')).mcpCommand],
  ['webhooks', async () => (await import('./cli/webhooks.command.js')).webhooksCommand],
  ['user', async () => (await import('./cli/user.command.js')).userCommand],
]);

/**
 * Runs a command line (`process.argv`). An error of the command is printed to standard error and sets the exit code to
 * 1.
 */
export async function run(argv: string[]): Promise<void> {
  if (!process.stdout.listeners('error').includes(onOutputError)) process.stdout.on('error', onOutputError);
  if (!process.stderr.listeners('error').includes(ignore)) process.stderr.on('error', ignore);
  const program = new Command('typecase').description('Schema-driven REST engine.').showHelpAfterError().exitOverride();
  withServeOptions(program.command('serve').description('start the server')).action((options: ServeOptions) =>
    serve(options),
  );
  const name = argv[2] ?? '';
  const named = COMMANDS.get(name);
  const needed = named ? [named] : name === 'serve' ? [] : COMMANDS.values();
  for (const command of needed) (await command())(program);
  try {
    if (!named && argv[2] !== 'serve')
      await (await import('./cli/extension-commands.js')).addExtensionCommands(program, argv[2] ?? '');
    await program.parseAsync(argv);
  } catch (error) {
    // Commander has already printed the help, the version or the error.
    if (error instanceof CommanderError) return void (process.exitCode = error.exitCode);
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = 1;
  }
}

/**
 * Handles errors of standard output. A reader that closes the pipe early (`… | head`) is not a failure: the command
 * continues. An output that cannot be written (a full disk) is one.
 */
function onOutputError({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.exitCode = 1;
  // All further output of the command fails, too.
  process.stdout.off('error', onOutputError).on('error', ignore);
  process.stderr.write(`standard output cannot be written: ${message}\n`);
}

/** Errors of standard error cannot be reported. */
function ignore(): void {}

function describe(error: unknown): string {
  if (error instanceof StartupError) return error.problems.map(formatProblem).join('\n');
  return commandReason(error);
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) await run(process.argv);
