// `mcp`: offers the tools of a site to an agent over standard input and output, without a listening server.
import type { Command } from 'commander';
import { ActorSource } from '../auth/actor-source.js';
import { readConfig } from '../config/config.js';
import { createLogger } from '../http/request/logger.js';
import { mcpServer, serverInfo } from '../http/mcp/mcp-server.js';
import { ToolCalls } from '../http/mcp/tool-calls.js';
import { ANONYMOUS, type Actor } from '../model/actor.js';
import { announceAdministrator } from './announce.js';
import { startSite, type RunningSite } from '../server/start-site.js';

interface Options {
  as?: string;
  readOnly?: boolean;
  resources?: string[];
}

/** Adds the command. */
export function mcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('offer the operations of every resource to an agent, as tools over standard input and output')
    .option('--as <username>', 'act with the permissions of this account; without it, as an anonymous caller')
    .option('--read-only', 'offer no tools that write')
    .option('--resources <path...>', 'offer only the tools of these resources')
    .action(async (options: Options) => {
      // Standard output belongs to the protocol.
      const site = await startSite(readConfig(), createLogger({ level: 'silent', format: 'json' }), { idle: true });
      announceAdministrator(site);
      try {
        await site.app.init();
        await serve(site, await actorOf(site, options));
      } finally {
        await site.close();
      }
    });
}

/** Serves until the client closes its end. */
async function serve(site: RunningSite, actor: Actor): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const server = await mcpServer(site.app.get(ToolCalls), actor, serverInfo(site.site));
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}

async function actorOf(site: RunningSite, { as, readOnly = false, resources }: Options): Promise<Actor> {
  const strange = resources?.find((path) => ![...site.models.byName.values()].some((model) => model.path === path));
  if (strange !== undefined) throw new Error(`There is no resource at /${strange}.`);
  const scope = readOnly || resources ? { scope: { readOnly, ...(resources ? { resources } : {}) } } : {};
  if (as === undefined) return { ...ANONYMOUS, ...scope };
  const found = await site.accounts?.find(as);
  const account = found && (await site.accounts?.load(found.id));
  if (!account) throw new Error(`There is no account "${as}".`);
  return { ...site.app.get(ActorSource).actorFor(account), via: 'agent', ...scope };
}
