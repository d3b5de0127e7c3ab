// `dump --out <dir>`: exports all content as JSON Lines, for backups and for migration to another database.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { createCommandLogger } from '../http/request/logger.js';
import { dumpSite, type DumpSummary } from '../transfer/dump/dump-site.js';
import { importTable } from '../transfer/wxr/import-table.js';
import { ProgressBar } from '../transfer/progress-bar.js';
import { openSite } from '../server/open-site.js';
import type { TableModel } from '../model/table.js';
import { APPLICATION_PASSWORDS } from '../auth/application-password-rows.js';
import { counted } from '../values/value-issue.js';

/** Engine tables that are dumped with the content: without them clients lose access, and imports lose their history. */
export const CARRIED: readonly TableModel[] = [APPLICATION_PASSWORDS, importTable];

/** Adds the command. */
export function dumpCommand(program: Command): void {
  program
    .command('dump')
    .description('write all content to a folder as JSON Lines (docs/dump-format.md)')
    .requiredOption('--out <dir>', 'a new or empty folder')
    .option('--files', 'copy the uploaded files too')
    .action(async (options: { out: string; files?: boolean }) => {
      const config = readConfig();
      const site = await openSite(config, createCommandLogger(config.log), { bare: true, existing: true });
      const bar = new ProgressBar(process.stderr, 'dump', 'items');
      try {
        const { models, store } = site;
        const { files } = site.site;
        if (options.files && !files.open)
          throw new Error('The files of this storage cannot be read. Dump without --files.');
        const summary = await store.snapshot((reader) =>
          dumpSite({
            folder: options.out,
            models,
            reader,
            engine: engineVersion(),
            engineTables: CARRIED,
            ...(options.files ? { files } : {}),
            onProgress: (done, total) => bar.update(done, total),
          }),
        );
        bar.end();
        process.stdout.write(formatDump(summary, options.out));
        if (summary.missing === 0) return;
        process.exitCode = 1;
        const what = `${counted(summary.missing, 'file')} ${summary.missing === 1 ? 'is' : 'are'} missing from the dump.`;
        const remedy = 'Make what is named above readable, or delete its items, and dump into another folder';
        process.stderr.write(`${what} ${remedy}.\n`);
      } finally {
        bar.end();
        await site.close();
      }
    });
}

/** Version in package.json. */
export function engineVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(text) as { version: unknown }).version);
}

function formatDump({ counts, files, notes }: DumpSummary, folder: string): string {
  const width = Math.max(...[...counts.keys()].map((name) => name.length));
  const lines = [...counts].map(([name, count]) => `${name.padEnd(width)}  ${count}`);
  if (files > 0) lines.push(counted(files, 'file'));
  if (notes.length > 0) lines.push('', 'Left out:', ...notes.map((note) => `  ${note}`));
  return `${lines.join('\n')}\n\nDumped to ${folder}\n`;
}
