// `types`: prints a TypeScript module with the types of the site's resources and a client, without a running server.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { loadModels } from '../server/extensions/load-extensions.js';
import { moduleText } from './types/module-text.js';
import { writeOutput } from './write-output.js';

/** Adds the command. */
export function typesCommand(program: Command): void {
  program
    .command('types')
    .description('print a TypeScript module: types of every resource, and a client')
    .option('--out <file>', 'write it to a file')
    .action(async (options: { out?: string }) => {
      const config = readConfig();
      const text = moduleText(await loadModels(config), config.apiNamespace);
      writeOutput(text, options.out);
    });
}
