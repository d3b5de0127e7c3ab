// `check [dir]`: reports every problem of the schema files, without starting anything.
import type { Command } from 'commander';
import { loadRoles } from '../auth/roles.js';
import { readConfig } from '../config/config.js';
import type { Config } from '../config/settings.js';
import { auditData, fixData } from '../maintenance/check-data.js';
import { formatProblem } from '../errors/problem.js';
import { createCommandLogger } from '../http/request/logger.js';
import type { ModelSet } from '../model/model.js';
import { missingCapabilities, siteWarnings } from '../schema/compile-site.js';
import { loadSchemas } from '../schema/load/load.js';
import { loadModels } from '../server/extensions/load-extensions.js';
import { auditFiles } from '../maintenance/check-files.js';
import { counted } from '../values/value-issue.js';

/** Adds the command. */
export function checkCommand(program: Command): void {
  program
    .command('check [dir]')
    .description('check the schema files of a folder (default: SCHEMAS_DIR) and print every problem')
    .option('--strict', 'count warnings as problems')
    .option(
      '--data',
      'check the stored data instead: counts, references, histories, paths, columns for searches and orderings',
    )
    .option('--fix', 'with --data: fix what can be fixed')
    .option('--files', 'with --data: look for the file of every upload too, and for files that no item names')
    .action(async (dir: string | undefined, options: Options) => {
      const config = readConfig();
      const idle = (['fix', 'files'] as const).find((name) => options[name]);
      if (options.data) return checkData({ ...config, schemasDir: dir ?? config.schemasDir }, options);
      if (idle) throw new Error(`--${idle} needs --data.`);
      const folder = dir ?? config.schemasDir;
      const models = await loadModels(config, folder);
      const roles = loadRoles(config.rolesFile);
      const held = roles.capabilitiesOf(roles.names());
      const missing = missingCapabilities(folder, held, models.additions);
      const shown = new Set(missing.map(formatProblem));
      const warnings = siteWarnings(folder, held, models).filter((warning) => !shown.has(formatProblem(warning)));
      for (const warning of warnings) process.stdout.write(`warning: ${formatProblem(warning)}\n`);
      for (const problem of shown) process.stdout.write(`${problem}\n`);
      const found = missing.length + (options.strict ? warnings.length : 0);
      process.stdout.write(
        `${resources(models, folder)}, ${found === 0 ? 'no problems' : counted(found, 'problem')}\n`,
      );
      if (found > 0) process.exitCode = 1;
    });
}

/** `5 resources in schemas`, those that the engine added counted separately. */
function resources({ byName }: ModelSet, folder: string): string {
  const written = loadSchemas(folder).files.length;
  const added = [...byName.keys()].slice(written);
  const own = `${counted(written, 'resource')} in ${folder}`;
  return added.length === 0 ? own : `${own} and ${added.length} of the engine (${added.join(', ')})`;
}

interface Options {
  strict?: boolean;
  data?: boolean;
  fix?: boolean;
  files?: boolean;
}

async function checkData(config: Config, { fix, files }: Options): Promise<void> {
  // Imported on demand: most runs of this command need no database.
  const { openSite } = await import('../server/open-site.js');
  const site = await openSite(config, createCommandLogger(config.log), { bare: true, existing: true });
  try {
    const findings = await auditData(site.models, site.store, site.site);
    if (files) findings.push(...(await auditFiles(site.models, site.store, site.site)));
    for (const { message } of findings) process.stdout.write(`${message}\n`);
    const fixed = fix ? await fixData(findings, site.store) : 0;
    process.stdout.write(`${counted(findings.length, 'problem')}${fix ? `, ${fixed} fixed` : ''}\n`);
    if (findings.length > fixed) process.exitCode = 1;
  } finally {
    await site.close();
  }
}
