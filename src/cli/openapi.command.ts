// `openapi`: prints the OpenAPI document of the site, without a running server.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { createLogger } from '../http/request/logger.js';
import { OpenApi } from '../http/openapi/openapi.js';
import { announceAdministrator } from './announce.js';
import { startSite } from '../server/start-site.js';
import { writeOutput } from './write-output.js';

/** Adds the command. */
export function openApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document')
    .option('--out <file>', 'write it to a file')
    .action(async (options: { out?: string }) => {
      const site = await startSite(readConfig(), createLogger({ level: 'silent', format: 'json' }), { idle: true });
      announceAdministrator(site);
      try {
        await site.app.init();
        writeOutput(`${JSON.stringify(await site.app.get(OpenApi).document(), null, 2)}\n`, options.out);
      } finally {
        await site.close();
      }
    });
}
