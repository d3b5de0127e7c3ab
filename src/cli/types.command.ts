// `types`: prints a TypeScript module with the types of the site's resources and a client, without a running server.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { compileSite } from '../schema/compile-site.js';
import { moduleText } from './types/module-text.js';

/** Adds the command. */
export function typesCommand(program: Command): void {
  program
    .command('types')
    .description('print a TypeScript module: types of every resource, and a client')
    .option('--out <file>', 'write it to a file')
    .action((options: { out?: string }) => {
      const { schemasDir, site, apiNamespace } = readConfig();
      const text = moduleText(compileSite(schemasDir, site), apiNamespace);
      if (options.out) writeFileSync(options.out, text);
      else process.stdout.write(text);
    });
}
