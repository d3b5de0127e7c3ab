// `explain <resource>`: prints the compiled model of a schema file.
import type { Command } from 'commander';
import { loadRoles } from '../auth/roles.js';
import { readConfig } from '../config/config.js';
import { createCommandLogger } from '../http/request/logger.js';
import { explainQuery } from '../storage/explain-query.js';
import { planOf, queryPlans } from './query-plans.js';
import { explainResource } from './explain-resource.js';
import type { Actor } from '../model/actor.js';
import type { Query } from '../model/query.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import { didYouMean } from '../text/nearest-name.js';
import { loadModels } from '../server/extensions/load-extensions.js';
import type { Config } from '../config/settings.js';
import { ANY_CALLER } from './predicate-text.js';

/** Adds the command. */
export function explainCommand(program: Command): void {
  program
    .command('explain <resource>')
    .description('print a compiled resource: fields, parameters, traits, permissions, table, indexes')
    .option('--as <role>', 'also say what a caller with this role may do')
    .option(
      '--plan [query]',
      'also say how the database runs each order and filter of its list, or the list with this query string',
    )
    .action(async (name: string, options: { as?: string; plan?: boolean | string }) => {
      const config = readConfig();
      const model = modelNamed(await loadModels(config), name);
      const roles = loadRoles(config.rolesFile);
      if (options.as !== undefined && options.as !== 'anonymous' && !roles.has(options.as)) {
        throw new Error(`There is no role "${options.as}". Roles are: ${roles.names().join(', ')}, anonymous.`);
      }
      const known = options.as !== undefined && options.as !== 'anonymous';
      const actor = {
        id: known ? ANY_CALLER : 0,
        roles: known ? [options.as!] : [],
        capabilities: roles.capabilitiesOf(known ? [options.as!] : []),
        address: '127.0.0.1',
        agent: '',
      };
      process.stdout.write(explainResource(model, options.as === undefined ? undefined : { name: options.as, actor }));
      const query = typeof options.plan === 'string' ? { text: options.plan, actor } : undefined;
      if (options.plan && model.table) await printPlans(model.name, config, query);
    });
}

async function printPlans(name: string, config: Config, query?: { text: string; actor: Actor }): Promise<void> {
  // Imported on demand: most runs of this command need no database.
  const { openSite } = await import('../server/open-site.js');
  const site = await openSite(config, createCommandLogger(config.log), { bare: true, existing: true });
  try {
    const model = site.models.byName.get(name)!;
    const explain = (query: Query) => explainQuery(site.store, query);
    const lines = query
      ? await planOf(model, site, explain, query.text, query.actor)
      : await queryPlans(model, site, explain);
    process.stdout.write(`\nQuery plans\n${lines.map((line) => `  ${line}\n`).join('')}`);
  } finally {
    await site.close();
  }
}

function modelNamed(models: ModelSet, name: string): ResourceModel {
  const model = models.byName.get(name) ?? [...models.byName.values()].find((each) => each.path === name);
  if (model) return model;
  const hint = didYouMean(name, [...models.byName.keys()]);
  throw new Error(`There is no resource "${name}"${hint ? ` (${hint})` : ''}.`);
}
