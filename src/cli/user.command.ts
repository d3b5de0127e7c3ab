// `user create|password|app-password`: manages accounts without a running server.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import type { ResourceModel } from '../model/model.js';
import { passwordIssue } from '../values/password-rule.js';
import { MOST_RESOURCES, nameProblem } from '../http/endpoints/application-password-fields.js';
import { createCommandLogger } from '../http/request/logger.js';
import { plainText } from '../text/plain.js';
import { announceAdministrator } from './announce.js';
import { openSite, type OpenSite } from '../server/open-site.js';
import type { Config } from '../config/settings.js';

type Accounts = NonNullable<OpenSite['accounts']>;

/** What an application password may be used for. */
interface ScopeOptions {
  readOnly?: boolean;
  resources?: string[];
}

/** Adds the command and its subcommands. */
export function userCommand(program: Command): void {
  const user = program.command('user').description('accounts: create, password, app-password');
  user
    .command('create <username>')
    .description('create an account; without --password one is generated and printed')
    .requiredOption('--email <address>', 'its e-mail address')
    .option('--role <role...>', 'its role(s); SITE_DEFAULT_ROLE when left out')
    .option('--password <password>', 'its password')
    .action((username: string, options: { email: string; role?: string[]; password?: string }) =>
      withAccounts((site, accounts, { site: { defaultRole } }) =>
        createAccount(site, accounts, username, { ...options, role: options.role ?? [defaultRole] }),
      ),
    );
  user
    .command('password <username>')
    .description('give an account a new password, which ends its tokens')
    .option('--password <password>', 'the new password; generated when left out')
    .action((username: string, options: { password?: string }) =>
      withAccounts((site, accounts) => changePassword(site, accounts, username, options.password)),
    );
  user
    .command('app-password <username> <name>')
    .description('create an application password for an account and print it once')
    .option('--read-only', 'it may not write')
    .option('--resources <path...>', 'limit it to these resources')
    .action((username: string, name: string, { readOnly = false, resources }: ScopeOptions) =>
      withAccounts(async (site, accounts) => {
        const scope = readOnly || resources ? { readOnly, ...(resources ? { resources } : {}) } : undefined;
        const problem = nameProblem(name);
        if (problem !== undefined) throw new Error(problem);
        if ((resources?.length ?? 0) > MOST_RESOURCES)
          throw new Error(`--resources takes at most ${MOST_RESOURCES} paths of resources.`);
        const unknown = resources?.find(
          (path) => ![...site.models.byName.values()].some((model) => model.path === path),
        );
        if (unknown !== undefined) throw new Error(`There is no resource at /${unknown}.`);
        const owner = await idOf(accounts, username);
        const made = await site.applicationPasswords.create(owner, plainText(name), '', undefined, scope);
        return `application password "${made.name}" of ${username}: ${made.password}`;
      }),
    );
}

async function withAccounts(
  work: (site: OpenSite, accounts: Accounts, config: Config) => Promise<string>,
): Promise<void> {
  const config = readConfig();
  const site = await openSite(config, createCommandLogger(config.log));
  announceAdministrator(site);
  try {
    if (!site.accounts) throw new Error('No resource of this site has the trait "account", so there are no accounts.');
    process.stdout.write(`${await work(site, site.accounts, config)}\n`);
  } finally {
    await site.close();
  }
}

async function createAccount(
  site: OpenSite,
  accounts: Accounts,
  username: string,
  options: { email: string; role: string[]; password?: string },
): Promise<string> {
  const unknown = options.role.filter((role) => !site.roles.has(role));
  if (unknown.length > 0)
    throw new Error(`There is no role "${unknown.join('", "')}". Roles are: ${site.roles.names().join(', ')}.`);
  for (const name of [username, options.email])
    if (await accounts.find(name)) throw new Error(`"${name}" is taken by another account.`);
  const { fields, model } = accounts;
  assertValid(model, { [fields.username]: username, [fields.email]: options.email });
  const [password, hash] = await newHash(site, options.password);
  const values = {
    [fields.username]: username,
    [fields.email]: options.email,
    [fields.password]: hash,
    [fields.roles]: options.role,
  };
  const id = await site.writer.batch((batch) => batch.create(model.name, values));
  return `account ${id} "${username}" made${options.password === undefined ? `, password ${password}` : ''}`;
}

/** Throws where a value breaks the rule of its field, as over HTTP. */
function assertValid({ fields }: ResourceModel, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) {
    const checked = fields.get(name)!.rule(value, name);
    if ('issue' in checked) throw new Error(checked.issue.message);
  }
}

async function changePassword(
  site: OpenSite,
  accounts: Accounts,
  username: string,
  given: string | undefined,
): Promise<string> {
  const id = await idOf(accounts, username);
  const [password, hash] = await newHash(site, given);
  await site.writer.batch((batch) => batch.update(accounts.model.name, id, { [accounts.fields.password]: hash }));
  return `password of "${username}" changed${given === undefined ? `: ${password}` : ''}`;
}

async function idOf(accounts: Accounts, username: string): Promise<number> {
  const found = await accounts.find(username);
  if (!found) throw new Error(`There is no account "${username}".`);
  return found.id;
}

async function newHash(site: OpenSite, given: string | undefined): Promise<[string, string]> {
  const refusal = given === undefined ? undefined : passwordIssue(given);
  if (refusal) throw new Error(`The password ${refusal}`);
  const password = given ?? randomBytes(15).toString('base64url');
  return [password, await site.hasher.hash(password)];
}
