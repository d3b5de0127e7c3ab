// The commands of extensions: `typecase <name> …`.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { StartupError } from '../errors/problem.js';
import { createCommandLogger } from '../http/request/logger.js';
import type { CommandDefinition } from '../server/extensions/define.js';
import { announceAdministrator } from './announce.js';
import { loadExtensions } from '../server/extensions/load-extensions.js';

/**
 * Adds the commands of extensions. `commandName`: the first word of the command line. Help is printed even if the
 * extensions cannot be loaded.
 */
export async function addExtensionCommands(program: Command, commandName: string): Promise<void> {
  try {
    const { commands } = await loadExtensions(readConfig().extensionsDir);
    for (const { definition } of commands) addCommand(program, definition);
  } catch (error) {
    const listing = commandName === '' || commandName === 'help' || commandName.startsWith('-');
    if (!listing || !(error instanceof StartupError)) throw error;
  }
}

function addCommand(program: Command, definition: CommandDefinition): void {
  const { name, description, arguments: words = [], options = {} } = definition;
  const command = program.command(name).description(description);
  for (const word of words) command.argument(word);
  for (const [flags, text] of Object.entries(options)) command.option(flags, text);
  command.action(async () => run(definition, command));
}

async function run({ run: work }: CommandDefinition, command: Command): Promise<void> {
  const config = readConfig();
  const [{ startSite }, { SiteContext }] = await Promise.all([
    import('../server/start-site.js'),
    import('../server/extensions/site-context.js'),
  ]);
  const site = await startSite(config, createCommandLogger(config.log), { idle: true });
  announceAdministrator(site);
  try {
    await site.app.init();
    const context = site.app.get(SiteContext);
    const more = {
      arguments: command.args,
      options: command.opts<Record<string, string | boolean>>(),
      print: (line: string) => void process.stdout.write(`${line}\n`),
    };
    await work(Object.assign(Object.create(context) as typeof context, more));
  } finally {
    await site.close();
  }
}
