// `grammar`: prints the JSON Schema of schema files, for editors. docs/resource.schema.json and docs/reference.md
// are its output, which tests verify.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { withAdditions } from '../model/registered.js';
import { registries } from '../schema/compile-site.js';
import { grammarSchema } from '../schema/grammar/grammar.js';
import { referencePage } from '../schema/grammar/reference-page.js';
import { loadExtensions } from '../server/extensions/load-extensions.js';
import { writeOutput } from './write-output.js';

/** Adds the command. */
export function grammarCommand(program: Command): void {
  program
    .command('grammar')
    .description('print the JSON Schema of schema files')
    .option('--reference', 'print the reference of the language as a Markdown page instead')
    .option('--out <file>', 'write it to a file')
    .action(async (options: { out?: string; reference?: boolean }) => {
      const { additions } = await loadExtensions(readConfig().extensionsDir);
      const text = withAdditions(additions, () =>
        options.reference ? referencePage(registries()) : `${JSON.stringify(grammarSchema(registries()), null, 2)}\n`,
      );
      writeOutput(text, options.out);
    });
}
