// `check [dir]`: every problem of the schema files, without starting anything.
import type { Command } from 'commander';
import { loadRoles } from '../auth/roles.js';
import { readConfig } from '../config.js';
import { auditData, fixData } from '../engine/audit.js';
import { formatProblem } from '../errors/problem.js';
import { createLogger } from '../http/logger.js';
import { openSite } from '../start-site.js';
import { compileSite, siteWarnings } from '../schema/compile-site.js';

/** Adds the command. */
export function checkCommand(program: Command): void {
  program
    .command('check [dir]')
    .description('check the schema files of a folder (default: SCHEMAS_DIR) and print every problem')
    .option('--data', 'check the stored data instead: counts, references, histories, paths')
    .option('--fix', 'with --data: mend what can be mended')
    .action(async (dir: string | undefined, options: { data?: boolean; fix?: boolean }) => {
      if (options.data) return checkData(options.fix ?? false);
      const config = readConfig();
      const folder = dir ?? config.schemasDir;
      const models = compileSite(folder, config.site);
      const roles = loadRoles(config.rolesFile);
      const held = roles.capabilitiesOf(roles.names());
      for (const warning of siteWarnings(folder, held)) process.stdout.write(`warning: ${formatProblem(warning)}\n`);
      process.stdout.write(`${models.byName.size} resources, no problems\n`);
    });
}

async function checkData(fix: boolean): Promise<void> {
  const config = readConfig();
  const site = await openSite(config, createLogger(config.log), { bare: true });
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
