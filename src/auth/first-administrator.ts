// Creates the first account of an empty site, once at start after the tables exist.
import { randomInt } from 'node:crypto';
import { StartupError, type Problem } from '../errors/problem.js';
import { reasonsOf, ResourceError } from '../errors/resource-error.js';
import type { Reader } from '../model/store.js';
import type { Accounts } from './accounts.js';
import type { PasswordHasher } from './password-hasher.js';
import type { RoleSet } from './roles.js';

/**
 * The part of the engine's content writer that is needed. Values are stored as given: the caller hashes the password.
 */
export interface AccountWriter {
  batch<T>(
    work: (batch: {
      tx: Reader;
      create(resource: string, values: Record<string, unknown>): Promise<number>;
    }) => Promise<T>,
  ): Promise<T>;
}

/** ADMIN_USERNAME, ADMIN_PASSWORD, ADMIN_EMAIL. */
export interface AdministratorSettings {
  username: string;
  password?: string | undefined;
  email: string;
}

/** The account that was created. */
export interface FirstAdministrator {
  id: number;
  username: string;
  /** Present when it was generated: print it once and do not store it. */
  generatedPassword?: string;
}

// Without characters that are easily confused.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 20;

/** Creates the administrator if there are no accounts; undefined when there is one, or the site has no accounts. */
export async function createFirstAdministrator(
  accounts: Accounts | undefined,
  writer: AccountWriter,
  parts: { hasher: PasswordHasher; roles: RoleSet },
  settings: AdministratorSettings,
): Promise<FirstAdministrator | undefined> {
  if (!accounts || (await accounts.any())) return undefined;
  const generatedPassword = settings.password === undefined ? generate() : undefined;
  const hash = await parts.hasher.hash(settings.password ?? generatedPassword!);
  const { fields, model } = accounts;
  const values = {
    [fields.username]: settings.username,
    [fields.email]: settings.email,
    [fields.password]: hash,
    [fields.roles]: [parts.roles.firstAccount],
  };
  const make = () =>
    writer.batch(async ({ tx, create }) => ((await accounts.any(tx)) ? undefined : create(model.name, values)));
  const id = await make().catch(async (error: unknown) => {
    // Another process that started at the same time may have created it.
    if (await accounts.any()) return undefined;
    if (error instanceof ResourceError) throw new StartupError(reasonsOf(error).map(unfit));
    throw error;
  });
  if (id === undefined) return undefined;
  const created = { id, username: settings.username };
  return generatedPassword === undefined ? created : { ...created, generatedPassword };
}

/** A name or an address that the resource of the accounts refuses. */
function unfit(reason: string): Problem {
  const message = `the first account cannot be created with ADMIN_USERNAME and ADMIN_EMAIL: ${reason}`;
  return { file: 'environment', message };
}

/** A random password of 116 bits that can be read aloud. */
function generate(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
