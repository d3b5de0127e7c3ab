// `grammar`: prints the JSON Schema of schema files, for editors. docs/resource.schema.json is its output, which a
// test verifies.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { registries } from '../schema/compile-site.js';
import { grammarSchema } from '../schema/grammar/grammar.js';

/** Adds the command. */
export function grammarCommand(program: Command): void {
  program
    .command('grammar')
    .description('print the JSON Schema of schema files')
    .option('--out <file>', 'write it to a file')
    .action((options: { out?: string }) => {
      const text = `${JSON.stringify(grammarSchema(registries), null, 2)}\n`;
      if (options.out) writeFileSync(options.out, text);
      else process.stdout.write(text);
    });
}
