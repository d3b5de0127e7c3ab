// `doctor`: checks everything that a site depends on, and reports what should be changed. Changes nothing.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { loadRoles, type RoleSet } from '../auth/roles.js';
import { readConfig } from '../config/config.js';
import { StartupError, formatProblem } from '../errors/problem.js';
import { compileSite, missingCapabilities, siteWarnings } from '../schema/compile-site.js';
import { checkBucket } from './doctor/check-bucket.js';
import { loadExtensions } from '../server/extensions/load-extensions.js';
import { checkDatabase } from './doctor/check-database.js';
import { checkFolders, checkNode } from './doctor/check-machine.js';
import { checkRedis } from './doctor/check-redis.js';
import { checkSettings } from './doctor/check-settings.js';
import { type Finding, findingsAbout } from './doctor/finding.js';
import type { Config } from '../config/settings.js';
import { counted } from '../values/value-issue.js';

interface Options {
  json?: boolean;
  strict?: boolean;
}

/** Adds the command. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('look at configuration, schemas, database, clock, disk and versions, and say what to change')
    .option('--json', 'print the findings as JSON')
    .option('--strict', 'exit with 1 for warnings, too')
    .action(async ({ json, strict }: Options) => {
      const findings = await examine();
      const text = findings.map(({ level, about, message }) => `${level.padEnd(4)}  ${about}: ${message}\n`).join('');
      process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : `${text}${total(findings)}\n`);
      if (findings.some(({ level }) => level === 'fail' || (strict && level === 'warn'))) process.exitCode = 1;
    });
}

async function examine(): Promise<Finding[]> {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const found = [findingsAbout('typecase').ok(version), checkNode(process.versions.node)];
  const config = attempt('configuration', readConfig, found);
  if (!config) return found;
  found.push(...checkSettings(config), ...(await checkFolders(config)), ...(await checkBucket(config)));
  if (config.redisUrl !== undefined) found.push(await checkRedis(config.redisUrl));
  // Without valid schemas the required tables are unknown.
  const roles = await checkSchemas(config, found);
  if (roles) found.push(...(await checkDatabase(config, roles)));
  return found;
}

/** Checks the schema files and roles; returns the roles, or undefined where one of them cannot be read. */
async function checkSchemas(config: Config, found: Finding[]): Promise<RoleSet | undefined> {
  const loaded = await Promise.allSettled([loadExtensions(config.extensionsDir)]);
  const extensions = attempt('extensions', () => valueOf(loaded[0]), found);
  if (!extensions) return undefined;
  const { additions } = extensions;
  const models = attempt('schemas', () => compileSite(config.schemasDir, config.site, additions), found);
  const roles = attempt('roles', () => loadRoles(config.rolesFile), found);
  if (!models || !roles) return undefined;
  const held = roles.capabilitiesOf(roles.names());
  const schemas = findingsAbout('schemas');
  found.push(schemas.ok(`${counted(models.byName.size, 'resource')} in ${config.schemasDir}`));
  const missing = missingCapabilities(config.schemasDir, held, additions).map(formatProblem);
  const warnings = siteWarnings(config.schemasDir, held, models).map(formatProblem);
  found.push(...[...new Set([...missing, ...warnings])].map(schemas.warn));
  const { defaultRole } = config.site;
  if (!roles.has(defaultRole)) {
    const names = roles.names().join(', ');
    const message = `${config.rolesFile} has no role "${defaultRole}": accounts made without a role get none (it has ${names})`;
    found.push(findingsAbout('SITE_DEFAULT_ROLE').warn(message));
  }
  return roles;
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** Runs a step; its problems become findings. */
function attempt<T>(about: string, step: () => T, found: Finding[]): T | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    found.push(...error.problems.map((problem) => findingsAbout(about).fail(formatProblem(problem))));
    return undefined;
  }
}

function total(findings: readonly Finding[]): string {
  const count = (wanted: string) => findings.filter(({ level }) => level === wanted).length;
  const [warnings, failures] = [count('warn'), count('fail')];
  if (warnings + failures === 0) return 'No problems found.';
  return `${counted(failures, 'failure')}, ${counted(warnings, 'warning')}.`;
}
