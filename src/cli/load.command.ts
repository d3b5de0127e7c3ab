// `load <dir|file>`: imports a dump, or handwritten JSON Lines, into the database of the site.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { createCommandLogger } from '../http/request/logger.js';
import { formatOutcome } from '../transfer/load/load-outcome.js';
import { loadSite } from '../transfer/load/load-site.js';
import { ProgressBar } from '../transfer/progress-bar.js';
import { nearest } from '../text/nearest-name.js';
import { TextPool } from '../text/pool/text-pool.js';
import { openSite } from '../server/open-site.js';
import { CARRIED } from './dump.command.js';

/** Adds the command. */
export function loadCommand(program: Command): void {
  program
    .command('load <source>')
    .description('load a dump, or a .jsonl file named like a resource, keeping ids (docs/dump-format.md)')
    .option('--dry-run', 'check every line and write nothing')
    .action(async (source: string, options: { dryRun?: boolean }) => {
      const config = readConfig();
      // No seeds and no first account: they come with the dump.
      const site = await openSite(config, createCommandLogger(config.log), { bare: true, beside: true });
      const texts = new TextPool();
      const bar = new ProgressBar(process.stderr, 'load', 'bytes');
      try {
        const outcome = await loadSite({
          source,
          writer: site.writer,
          engineTables: CARRIED,
          nearest,
          runCalls: (calls) => texts.runMany(calls),
          ...options,
          onProgress: (done, total) => bar.update(done, total),
        });
        bar.end();
        process.stdout.write(formatOutcome(outcome));
      } finally {
        bar.end();
        await texts.close();
        await site.close();
      }
    });
}
