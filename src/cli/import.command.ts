// `import <file.xml>`: brings the content of a WordPress export into the site.
import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { createLogger } from '../http/logger.js';
import { ImportProblem } from '../import/import-problem.js';
import { formatSummary } from '../import/import-summary.js';
import { ProgressBar } from '../import/progress-bar.js';
import { importWxr } from '../import/wxr-import.js';
import { openSite } from '../start-site.js';

/** Adds the command. */
export function importCommand(program: Command): void {
  program
    .command('import <file>')
    .description('import a WordPress export (WXR)')
    .option('--dry-run', 'say what would be done, write nothing')
    .option('--files', 'fetch the files of attachments too')
    .action(async (file: string, options: { dryRun?: boolean; files?: boolean }) => {
      const config = readConfig();
      const site = await openSite(config, createLogger(config.log));
      const bar = new ProgressBar(process.stderr, 'import');
      try {
        const summary = await importWxr(file, site.writer, {
          ...options,
          onProgress: (done, total) => bar.update(done, total),
        });
        bar.end();
        process.stdout.write(formatSummary(summary));
      } catch (error) {
        bar.end();
        throw error instanceof ImportProblem ? new Error(`${file}:${error.line}: ${error.reason}`) : error;
      } finally {
        await site.close();
      }
    });
}
