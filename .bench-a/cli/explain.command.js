import { loadRoles } from '../auth/roles.js';
import { readConfig } from '../config.js';
import { explainResource } from './explain-resource.js';
import { didYouMean } from '../schema/did-you-mean.js';
import { compileSite } from '../schema/compile-site.js';
/** Adds the command. */
export function explainCommand(program) {
    program
        .command('explain <resource>')
        .description('print a compiled resource: fields, parameters, traits, permissions, table, indexes')
        .option('--as <role>', 'also say what a caller with this role may do')
        .action((name, options) => {
        const config = readConfig(process.env);
        const model = modelNamed(compileSite(config.schemasDir), name);
        const roles = loadRoles(config.rolesFile);
        if (options.as !== undefined && options.as !== 'anonymous' && !roles.has(options.as)) {
            throw new Error(`There is no role "${options.as}". Roles are: ${roles.names().join(', ')}, anonymous.`);
        }
        const known = options.as !== undefined && options.as !== 'anonymous';
        const actor = {
            id: known ? Number.MAX_SAFE_INTEGER : 0,
            roles: known ? [options.as] : [],
            capabilities: roles.capabilitiesOf(known ? [options.as] : []),
            address: '127.0.0.1',
            agent: '',
        };
        process.stdout.write(explainResource(model, options.as === undefined ? undefined : { name: options.as, actor }));
    });
}
function modelNamed(models, name) {
    const model = models.byName.get(name) ?? [...models.byName.values()].find((each) => each.path === name);
    if (model)
        return model;
    const hint = didYouMean(name, [...models.byName.keys()]);
    throw new Error(`There is no resource "${name}"${hint ? ` (${hint})` : ''}.`);
}
//# sourceMappingURL=explain.command.js.map