// `check [dir]`: every problem of the schema files, without starting anything.
import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { auditData, fixData } from '../engine/audit.js';
import { createLogger } from '../http/logger.js';
import { openSite } from '../start-site.js';
import { compileSite } from '../schema/compile-site.js';

/** Adds the command. */
export function checkCommand(program: Command): void {
  program
    .command('check [dir]')
    .description('check the schema files of a folder (default: SCHEMAS_DIR) and print every problem')
    .option('--data', 'check the stored data instead: counts, references, histories, paths')
    .option('--fix', 'with --data: mend what can be mended')
    .action(async (dir: string | undefined, options: { data?: boolean; fix?: boolean }) => {
      if (options.data) return checkData(options.fix ?? false);
      const models = compileSite(dir ?? readConfig(process.env).schemasDir);
      process.stdout.write(`${models.byName.size} resources, no problems\n`);
    });
}

async function checkData(fix: boolean): Promise<void> {
  const config = readConfig(process.env);
  const site = await openSite(config, createLogger(config.log));
  try {
    const findings = await auditData(site.models, site.store);
    for (const { message } of findings) process.stdout.write(`${message}\n`);
    const fixed = fix ? await fixData(findings, site.store) : 0;
    process.stdout.write(`${findings.length} problems${fix ? `, ${fixed} mended` : ''}\n`);
    if (findings.length > fixed) process.exitCode = 1;
  } finally {
    await site.close();
  }
}
