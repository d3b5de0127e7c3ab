// Proves who is asking by name and password: an application password, or the account's own (decisions 0.3, 8).
// Called by the actor source for Basic headers and by the token endpoint. Every refusal is the same, and takes the same time.
import { createHmac } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import { ResourceError } from '../errors/resource-error.js';
import type { Account, Accounts } from './accounts.js';
import type { ApplicationPasswords } from './application-passwords.js';
import type { PasswordHasher } from './password-hasher.js';
import type { Secret } from './secret.js';
import type { LoginThrottle } from './throttle.js';

/** What the verifier works with. */
export interface VerifierParts {
  /** Absent on a site without accounts: nobody's password is right there. */
  accounts?: Accounts | undefined;
  applicationPasswords: ApplicationPasswords;
  hasher: PasswordHasher;
  secret: Secret;
  throttle?: LoginThrottle | undefined;
  /** Basic takes the account's own password too. */
  accountPasswords: boolean;
}

/** A caller who proved who he is. */
export interface Proof {
  readonly account: Account;
  readonly via: 'password' | 'application' | 'token';
  /** uuid of the application password. */
  readonly applicationPassword?: string;
}

const REMEMBERED_MS = 60_000;
const REMEMBERED = 10_000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Verifies names and passwords. */
export class BasicVerifier {
  /** Keyed fingerprints of what was right a short while ago, so that a request costs no slow hash. */
  private readonly remembered = new LRUCache<string, { id: number; passwordHash: string }>({
    max: REMEMBERED,
    ttl: REMEMBERED_MS,
  });
  private readonly running = new Map<string, Promise<Account>>();

  constructor(private readonly parts: VerifierParts) {}

  /** Verifies what stands behind `Basic` in the header. Throws 401 `incorrect_password`, or 429. */
  async verify(credentials: string, address: string): Promise<Proof> {
    const given = parseBasic(credentials);
    if (!given) throw wrong();
    const [name, password] = given;
    const byApplication = await this.byApplication(name, password, address);
    if (byApplication) return byApplication;
    if (this.parts.accountPasswords) return this.verifyAccount(name, password, address);
    await this.parts.throttle?.attempt(address, name);
    throw wrong();
  }

  /** Verifies an account's own password. Throws 401 `incorrect_password`, or 429. */
  async verifyAccount(name: string, password: string, address: string): Promise<Proof> {
    if (isUnusable(name) || password.includes('\0')) throw wrong();
    const key = this.keyOf(address, name, password);
    const account = (await this.recall(key, name, address)) ?? (await this.prove(key, name, password, address));
    return { account, via: 'password' };
  }

  private async byApplication(name: string, password: string, address: string): Promise<Proof | undefined> {
    const found = await this.parts.applicationPasswords.find(password);
    const account = found && (await this.parts.accounts?.load(found.account_id, name));
    if (!found || !account) return undefined;
    this.parts.applicationPasswords.used(found, address);
    return { account, via: 'application', applicationPassword: found.uuid };
  }

  private async recall(key: string, name: string, address: string): Promise<Account | undefined> {
    const known = this.remembered.get(key);
    if (!known) return undefined;
    const [account] = await Promise.all([
      this.parts.accounts?.load(known.id, name),
      // Else a guesser who is being slowed down would learn from the one answer that differs.
      this.parts.throttle?.check(address, name),
    ]);
    if (account?.passwordHash === known.passwordHash) return account;
    this.remembered.delete(key);
    return undefined;
  }

  // Many requests of one client at once cost one hash and count as one attempt.
  private async prove(key: string, name: string, password: string, address: string): Promise<Account> {
    const running = this.running.get(key);
    if (!running) {
      const proving = this.compare(key, name, password, address).finally(() => this.running.delete(key));
      this.running.set(key, proving);
      return proving;
    }
    try {
      return await running;
    } catch (error) {
      if (error instanceof ResourceError && error.code === WRONG) await this.parts.throttle?.failed(address, name);
      throw error;
    }
  }

  private async compare(key: string, name: string, password: string, address: string): Promise<Account> {
    const { accounts, hasher, throttle } = this.parts;
    const attempt = await throttle?.attempt(address, name);
    let account: Account | undefined;
    try {
      const found = await accounts?.find(name);
      const right = await hasher.verify(found?.passwordHash, password);
      const now = right && found ? await accounts?.load(found.id) : undefined;
      // The password may have changed while it was compared.
      if (now?.passwordHash === found?.passwordHash) account = now;
    } catch (error) {
      await attempt?.withdraw();
      throw error;
    }
    if (!account) throw wrong();
    await attempt?.succeeded();
    this.remembered.set(key, { id: account.id, passwordHash: account.passwordHash });
    return account;
  }

  private keyOf(address: string, name: string, password: string): string {
    const hmac = createHmac('sha256', this.parts.secret.key('credentials'));
    return hmac.update(`${address}\0${name}\0${password}`).digest('base64');
  }
}

const WRONG = 'incorrect_password';

/** The one refusal of wrong credentials. */
function wrong(): ResourceError {
  return new ResourceError(WRONG, { status: 401 });
}

function parseBasic(text: string): [name: string, password: string] | undefined {
  if (!BASE64.test(text) || text.replace(/=+$/, '').length % 4 === 1) return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (!isUtf8(bytes)) return undefined;
  const decoded = bytes.toString('utf8');
  const colon = decoded.indexOf(':');
  const [name, password] = [decoded.slice(0, colon), decoded.slice(colon + 1)];
  return colon < 0 || isUnusable(name) || password.includes('\0') ? undefined : [name, password];
}

function isUnusable(name: string): boolean {
  return name === '' || name.includes('\0');
}
