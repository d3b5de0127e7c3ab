import { readConfig } from '../config.js';
import { compileSite } from '../schema/compile-site.js';
/** Adds the command. */
export function checkCommand(program) {
    program
        .command('check [dir]')
        .description('check the schema files of a folder (default: SCHEMAS_DIR) and print every problem')
        .action((dir) => {
        const models = compileSite(dir ?? readConfig(process.env).schemasDir);
        process.stdout.write(`${models.byName.size} resources, no problems\n`);
    });
}
//# sourceMappingURL=check.command.js.map