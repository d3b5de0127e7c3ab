// `load <dir|file>`: reads a dump, or lines that somebody wrote, into the database of the site.
import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { createLogger } from '../http/logger.js';
import { formatOutcome } from '../import/load-outcome.js';
import { loadSite } from '../import/load-site.js';
import { ProgressBar } from '../import/progress-bar.js';
import { nearest } from '../schema/did-you-mean.js';
import { openSite } from '../start-site.js';
import { CARRIED } from './dump.command.js';

/** Adds the command. */
export function loadCommand(program: Command): void {
  program
    .command('load <source>')
    .description('load a dump, or a .jsonl file named like a resource, keeping ids (docs/dump-format.md)')
    .option('--dry-run', 'check every line and write nothing')
    .action(async (source: string, options: { dryRun?: boolean }) => {
      const config = readConfig();
      // The first account and the default items come with the dump.
      const site = await openSite(config, createLogger(config.log), { bare: true });
      const bar = new ProgressBar(process.stderr, 'load');
      try {
        const outcome = await loadSite({
          source,
          writer: site.writer,
          engineTables: CARRIED,
          nearest,
          ...options,
          onProgress: (done, total) => bar.update(done, total),
        });
        bar.end();
        process.stdout.write(formatOutcome(outcome));
      } finally {
        bar.end();
        await site.close();
      }
    });
}
