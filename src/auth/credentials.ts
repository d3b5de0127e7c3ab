// Verifies names and passwords (application passwords and account passwords), for Basic headers and the token
// endpoint. Every failure has the same error and takes the same time.
import { createHmac } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import { ResourceError } from '../errors/resource-error.js';
import type { Scope } from '../model/actor.js';
import type { Account, Accounts } from './accounts.js';
import { type ApplicationPasswords, codeIn } from './application-passwords.js';
import { LoginHistory } from './login-history.js';
import type { PasswordHasher } from './password-hasher.js';
import type { Secret } from './secret.js';
import { Visitor } from './rate-limit/client-address.js';
import { subjectOf, type LoginThrottle } from './rate-limit/login-throttle.js';

/** Dependencies of `BasicVerifier`. */
export interface VerifierParts {
  /** Absent on a site without accounts: every password is wrong there. */
  accounts?: Accounts | undefined;
  applicationPasswords: ApplicationPasswords;
  hasher: PasswordHasher;
  secret: Secret;
  throttle?: LoginThrottle | undefined;
  /** Called for wrong passwords: id of the account, 0 for an unknown name, and IP address of the client. */
  onFailure?: ((account: number, address: string) => void) | undefined;
  /** Whether Basic accepts account passwords too. */
  accountPasswords: boolean;
}

/** A successfully authenticated caller. */
export interface Proof {
  readonly account: Account;
  readonly via: 'password' | 'application' | 'token';
  /** uuid of the application password. */
  readonly applicationPassword?: string;
  /** What the application password may be used for. */
  readonly scope?: Scope;
}

const REMEMBERED_MS = 60_000;
const REMEMBERED = 10_000;
/** Limit of checks in progress, waiting ones included. */
const MAX_RUNNING = 10_000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Verifies names and passwords. */
export class BasicVerifier {
  /** Keyed fingerprints of recently verified credentials, so that repeated requests need no slow hash. */
  private readonly remembered = new LRUCache<string, { id: number; passwordHash: string }>({
    // Not `max`: its memory would be allocated at start.
    maxSize: REMEMBERED,
    sizeCalculation: () => 1,
    ttl: REMEMBERED_MS,
  });
  private readonly running = new Map<string, Promise<Account>>();
  private readonly history = new LoginHistory();

  constructor(private readonly parts: VerifierParts) {}

  /** Verifies the credentials of a `Basic` header; `before`: as they were proven. Throws 401 `incorrect_password`, or 429. */
  async verify(credentials: string, address: string, before?: Proof): Promise<Proof> {
    const given = parseBasic(credentials);
    if (!given) throw wrongCredentials();
    const [name, password] = given;
    const account = before && (await this.parts.accounts?.load(before.account.id, name, new Visitor(address)));
    if (account && account.passwordHash === before.account.passwordHash) return { ...before, account };
    const byApplication = await this.byApplication(name, password, address);
    if (byApplication) return byApplication;
    if (this.parts.accountPasswords) return this.verifyAccount(name, password, address);
    await this.parts.throttle?.attempt(address, await this.subjectOf(name, address));
    throw wrongCredentials();
  }

  /** Verifies an account's own password. Throws 401 `incorrect_password`, or 429. */
  async verifyAccount(name: string, password: string, address: string): Promise<Proof> {
    if (isUnusable(name) || password.includes('\0')) throw wrongCredentials();
    const key = this.keyOf(address, name, password);
    const account = (await this.recall(key, name, address)) ?? (await this.prove(key, name, password, address));
    return { account, via: 'password' };
  }

  private async byApplication(name: string, password: string, address: string): Promise<Proof | undefined> {
    const { accounts, applicationPasswords } = this.parts;
    const code = codeIn(password);
    if (code === undefined) return undefined;
    const visitor = new Visitor(address);
    const [found, version] = await Promise.all([applicationPasswords.find(code, visitor), accounts?.version(visitor)]);
    const account = found && (await accounts?.load(found.account_id, name, visitor, version));
    if (!found || !account) return undefined;
    applicationPasswords.recordUse(found, address);
    const { uuid: applicationPassword, scope } = found;
    return { account, via: 'application', applicationPassword, ...(scope ? { scope } : {}) };
  }

  private async recall(key: string, name: string, address: string): Promise<Account | undefined> {
    const known = this.remembered.get(key);
    if (!known) return undefined;
    const [account] = await Promise.all([
      this.parts.accounts?.load(known.id, name, new Visitor(address)),
      // Cached successes are throttled too: otherwise a guesser who is over the limit could recognize the right
      // password.
      this.parts.throttle?.check(address, subjectOf(name, known.id)),
    ]);
    if (account?.passwordHash === known.passwordHash) return account;
    this.remembered.delete(key);
    return undefined;
  }

  // Concurrent requests with the same credentials share one hash and count as one attempt.
  private async prove(key: string, name: string, password: string, address: string): Promise<Account> {
    const running = this.running.get(key);
    if (!running) {
      if (this.running.size >= MAX_RUNNING) throw new ResourceError(BUSY, { headers: RETRY });
      const proving = this.compare(key, name, password, address).finally(() => this.running.delete(key));
      this.running.set(key, proving);
      return proving;
    }
    try {
      return await running;
    } catch (error) {
      const { throttle } = this.parts;
      if (throttle && isRefusal(error, WRONG))
        await throttle.recordFailure(address, await this.subjectOf(name, address));
      throw error;
    }
  }

  private async compare(key: string, name: string, password: string, address: string): Promise<Account> {
    const { accounts, hasher, throttle } = this.parts;
    const visitor = new Visitor(address);
    const found = await accounts?.find(name, visitor);
    const attempt = await throttle?.attempt(address, subjectOf(name, found?.id));
    let account: Account | undefined;
    try {
      const right = await hasher.verify(found?.passwordHash, password, this.history.turnOf(address, found?.id));
      const now = right && found ? await accounts?.load(found.id, undefined, visitor) : undefined;
      // The password may have changed while the hash was computed.
      if (now?.passwordHash === found?.passwordHash) account = now;
    } catch (error) {
      if (isRefusal(error, BUSY)) this.history.recordFailure(address);
      await attempt?.withdraw();
      throw error;
    }
    if (!account) {
      this.parts.onFailure?.(found?.id ?? 0, address);
      this.history.recordFailure(address);
      throw wrongCredentials();
    }
    await attempt?.succeeded();
    this.history.recordSuccess(address, account.id);
    this.remembered.set(key, { id: account.id, passwordHash: account.passwordHash });
    return account;
  }

  private async subjectOf(name: string, address: string): Promise<string> {
    return subjectOf(name, (await this.parts.accounts?.find(name, new Visitor(address)))?.id);
  }

  private keyOf(address: string, name: string, password: string): string {
    const hmac = createHmac('sha256', this.parts.secret.key('credentials'));
    return hmac.update(`${address}\0${name}\0${password}`).digest('base64');
  }
}

const WRONG = 'incorrect_password';
const BUSY = 'rest_unavailable';
const RETRY = { 'Retry-After': '1' };

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof ResourceError && error.code === code;
}

/** The one error for wrong credentials. */
function wrongCredentials(): ResourceError {
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
