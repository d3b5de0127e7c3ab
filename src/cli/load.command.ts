// `load <dir|file>`: imports a dump, or handwritten JSON Lines, into the database of the site.
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { createCommandLogger } from '../http/request/logger.js';
import { formatOutcome } from '../transfer/load/load-outcome.js';
import { loadSite } from '../transfer/load/load-site.js';
import { ProgressBar } from '../transfer/progress-bar.js';
import { counted } from '../values/value-issue.js';
import { nearest } from '../text/nearest-name.js';
import { TextPool } from '../text/pool/text-pool.js';
import { openSite, type OpenSite } from '../server/open-site.js';
import type { Config } from '../config/settings.js';
import { type EmptyDatabase, emptyInstead } from './evolution/missing-database.js';
import { CARRIED } from './dump.command.js';

/** Adds the command. */
export function loadCommand(program: Command): void {
  program
    .command('load <source>')
    .description('load a dump, or a .jsonl file named like a resource, keeping ids (docs/dump-format.md)')
    .option('--dry-run', 'check every line and write nothing')
    .action(async (source: string, options: { dryRun?: boolean }) => {
      const config = readConfig();
      // A temporary database for the checks, so that a refused source creates no database file.
      const empty = emptyInstead(config);
      try {
        await load(source, options, config, empty);
      } finally {
        empty?.drop();
      }
    });
}

/** Loads into the database of a site; `empty` takes its place until all lines have been checked. */
async function load(
  source: string,
  options: { dryRun?: boolean },
  config: Config,
  empty: EmptyDatabase | undefined,
): Promise<void> {
  const log = createCommandLogger(config.log);
  const checked = empty ? { ...config, database: { ...config.database, url: empty.url } } : config;
  // Without seeds and a first account: the dump contains them.
  const opening = { bare: true, bulk: true };
  const site = await openSite(checked, log, opening);
  let target: OpenSite | undefined;
  const openTarget = async () => (target = await openSite(config, log, { ...opening, models: site.models })).writer;
  const texts = new TextPool();
  const bar = new ProgressBar(process.stderr, 'load', 'bytes');
  try {
    const outcome = await loadSite({
      source,
      writer: site.writer,
      ...(empty ? { openTarget } : {}),
      engineTables: CARRIED,
      nearest,
      runCalls: (calls) => texts.runMany(calls),
      ...options,
      onProgress: (done, total) => bar.update(done, total),
    });
    bar.end();
    process.stdout.write(formatOutcome(outcome));
    const { missingFiles } = outcome;
    if (missingFiles === 0) return;
    process.exitCode = 1;
    const remedy =
      'Mend what is noted above and load again: the items are skipped then, and only missing files are copied';
    process.stderr.write(`${counted(missingFiles, 'file')} could not be put in place. ${remedy}.\n`);
  } finally {
    bar.end();
    await texts.close();
    await target?.close();
    await site.close();
  }
}
