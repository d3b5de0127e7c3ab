// `check [dir]`: reports every problem of the schema files, without starting anything.
import type { Command } from 'commander';
import { loadRoles } from '../auth/roles.js';
import { readConfig } from '../config/config.js';
import { auditData, auditFiles, fixData } from '../maintenance/check-data.js';
import { formatProblem } from '../errors/problem.js';
import { createLogger } from '../http/request/logger.js';
import { openSite } from '../server/start-site.js';
import { compileSite, siteWarnings } from '../schema/compile-site.js';

/** Adds the command. */
export function checkCommand(program: Command): void {
  program
    .command('check [dir]')
    .description('check the schema files of a folder (default: SCHEMAS_DIR) and print every problem')
    .option('--data', 'check the stored data instead: counts, references, histories, paths')
    .option('--fix', 'with --data: mend what can be mended')
    .option('--files', 'with --data: look for the file of every upload too')
    .action(async (dir: string | undefined, options: Options) => {
      if (options.data) return checkData(options);
      const config = readConfig();
      const folder = dir ?? config.schemasDir;
      const models = compileSite(folder, config.site);
      const roles = loadRoles(config.rolesFile);
      const held = roles.capabilitiesOf(roles.names());
      for (const warning of siteWarnings(folder, held, models))
        process.stdout.write(`warning: ${formatProblem(warning)}\n`);
      process.stdout.write(`${models.byName.size} resources, no problems\n`);
    });
}

interface Options {
  data?: boolean;
  fix?: boolean;
  files?: boolean;
}

async function checkData({ fix, files }: Options): Promise<void> {
  const config = readConfig();
  const site = await openSite(config, createLogger(config.log), { bare: true });
  try {
    const findings = await auditData(site.models, site.store);
    if (files) findings.push(...(await auditFiles(site.models, site.store, site.site.files)));
    for (const { message } of findings) process.stdout.write(`${message}\n`);
    const fixed = fix ? await fixData(findings, site.store) : 0;
    process.stdout.write(`${findings.length} problems${fix ? `, ${fixed} mended` : ''}\n`);
    if (findings.length > fixed) process.exitCode = 1;
  } finally {
    await site.close();
  }
}
