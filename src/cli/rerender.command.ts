// `rerender`: renders all stored texts again, after an upgrade that changes rendering.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { rerender } from '../maintenance/rerender.js';
import { createCommandLogger } from '../http/request/logger.js';
import { ProgressBar } from '../transfer/progress-bar.js';
import { openSite } from '../server/open-site.js';

/** Adds the command. */
export function rerenderCommand(program: Command): void {
  program
    .command('rerender')
    .description('render every stored text again; dates, versions and revisions do not change')
    .action(async () => {
      const config = readConfig();
      const site = await openSite(config, createCommandLogger(config.log), { bare: true, existing: true });
      const bar = new ProgressBar(process.stderr, 'rerender', 'items');
      try {
        const outcome = await rerender(site.models, site.store, (done, total) => bar.update(done, total));
        bar.end();
        for (const [name, { rows, changed }] of outcome)
          process.stdout.write(`${name}: ${changed} of ${rows} changed\n`);
      } finally {
        bar.end();
        await site.close();
      }
    });
}
