// `grammar`: the JSON Schema of schema files, for editors. docs/resource.schema.json is its output; a test holds them together.
import { writeFileSync } from 'node:fs';
import { registries } from '../schema/compile-site.js';
import { grammarSchema } from '../schema/grammar.js';
/** Adds the command. */
export function grammarCommand(program) {
    program
        .command('grammar')
        .description('print the JSON Schema of schema files')
        .option('--out <file>', 'write it to a file')
        .action((options) => {
        const text = `${JSON.stringify(grammarSchema(registries), null, 2)}\n`;
        if (options.out)
            writeFileSync(options.out, text);
        else
            process.stdout.write(text);
    });
}
//# sourceMappingURL=grammar.command.js.map