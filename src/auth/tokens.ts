// Bearer tokens: short-lived signed access tokens and rotating refresh tokens, one family per login.
import { createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ResourceError } from '../errors/resource-error.js';
import type { Requester, Store } from '../model/store.js';
import type { Account, Accounts } from './accounts.js';
import type { Secret } from './secret.js';
import { TokenFamilies, type Family } from './token-families.js';

/** The token response of a login. */
export interface TokenPair {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
}

interface Claims {
  id: number;
  family: string;
  expires: number;
}

const ACCESS_SECONDS = 15 * 60;
const REFRESH_SECONDS = 30 * 24 * 60 * 60;
const ISSUER = 'typecase';
const TYPE = 'at+jwt';
/** Family, random part, and a MAC that proves that this site issued both. */
const REFRESH = /^([\w-]{22})\.([\w-]{22})([\w-]{21})$/;
const PROOF = 21;

/** Issues, verifies, renews and revokes tokens. */
export class Tokens {
  private readonly families: TokenFamilies;
  private readonly key: KeyObject;
  private readonly signed = new LRUCache<string, Claims>({ max: 5_000 });

  constructor(
    private readonly accounts: Accounts | undefined,
    store: Store,
    private readonly secret: Secret,
    private readonly now: () => number = Date.now,
  ) {
    this.families = new TokenFamilies(store, () => this.seconds());
    this.key = createSecretKey(secret.key('access-token'));
  }

  /** Starts a family for an account that has just authenticated. */
  async issue(account: Account): Promise<TokenPair> {
    const family = randomBytes(16).toString('base64url');
    const refresh = this.newRefreshToken(family);
    const version = this.versionOf(account);
    const { hash, expires } = refresh;
    await this.families.begin({ family, account_id: account.id, hash, version, expires });
    return this.pair(account, family, refresh.token);
  }

  /**
   * Exchanges a refresh token for new tokens and marks it as used. A used token ends its family, a forged one ends
   * nothing. `admit` runs before anything is written, and may throw.
   * @throws ResourceError 401 `rest_invalid_token`
   */
  async refresh(token: string, admit?: (account: number) => Promise<unknown>): Promise<TokenPair> {
    const family = await this.familyOfRefresh(token);
    const account = family && (await this.accounts?.load(family.account_id));
    if (!family || !account || !this.belongs(family, account)) throw invalidToken();
    await admit?.(account.id);
    const next = this.newRefreshToken(family.family);
    const { hash, expires } = next;
    if (!(await this.families.rotate(family.family, this.fingerprint(token), { hash, expires }))) throw invalidToken();
    return this.pair(account, family.family, next.token);
  }

  /** The account of an access token, as currently stored. Throws 401 `rest_invalid_token`. */
  async verify(token: string, requester?: Requester): Promise<Account> {
    const claims = await this.verifiedClaims(token);
    if (!claims) throw invalidToken();
    const [family, account] = await Promise.all([
      this.families.find(claims.family, requester),
      this.accounts?.load(claims.id, undefined, requester),
    ]);
    if (!family || !account || !this.belongs(family, account)) throw invalidToken();
    return account;
  }

  /** Ends the family of an access or refresh token, also of a used or expired one; forged tokens are ignored. */
  async revoke(token: string, admit?: (account: number) => Promise<unknown>): Promise<void> {
    const family = (await this.familyOfRefresh(token)) ?? (await this.familyOfAccess(token));
    if (!family) return;
    await admit?.(family.account_id);
    await this.families.end(family.family);
  }

  /** The family of a refresh token, used or not. */
  private async familyOfRefresh(token: string): Promise<Family | undefined> {
    const [, name, random, proof] = REFRESH.exec(token) ?? [];
    const family = name === undefined ? undefined : await this.families.find(name);
    if (!family) return undefined;
    // Tokens issued before MACs were introduced are recognized by their fingerprint, while they are the newest.
    const isGenuine =
      equalsInConstantTime(this.proofOf(name!, random!), proof!) ||
      equalsInConstantTime(this.fingerprint(token), family.hash);
    return isGenuine ? family : undefined;
  }

  private async familyOfAccess(token: string): Promise<Family | undefined> {
    // An expired access token may still be used to log out.
    const claims = await this.claimsOf(token, REFRESH_SECONDS);
    const family = claims && (await this.families.find(claims.family));
    return family?.account_id === claims?.id ? family : undefined;
  }

  // A family ends with its account and with a change of the password.
  private belongs(family: Family, account: Account): boolean {
    return family.account_id === account.id && this.versionOf(account) === family.version;
  }

  // Cached, because verifying a signature costs more than the statements that follow.
  private async verifiedClaims(token: string): Promise<Claims | undefined> {
    const key = this.secret.fingerprint('signed', token);
    const known = this.signed.get(key);
    if (known) return known.expires > this.seconds() ? known : undefined;
    const claims = await this.claimsOf(token, 0);
    if (claims) this.signed.set(key, claims);
    return claims;
  }

  private async claimsOf(token: string, leeway: number): Promise<Claims | undefined> {
    const { jwtVerify } = await jose();
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        typ: TYPE,
        requiredClaims: ['sub', 'fam', 'exp'],
        clockTolerance: leeway,
        currentDate: new Date(this.now()),
      });
      return { id: Number(payload.sub), family: String(payload['fam']), expires: payload.exp! };
    } catch {
      return undefined;
    }
  }

  private async pair(account: Account, family: string, refreshToken: string): Promise<TokenPair> {
    const { SignJWT } = await jose();
    const issued = this.seconds();
    const access = await new SignJWT({ fam: family })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE })
      .setIssuer(ISSUER)
      .setSubject(String(account.id))
      .setJti(randomBytes(12).toString('base64url'))
      .setIssuedAt(issued)
      .setExpirationTime(issued + ACCESS_SECONDS)
      .sign(this.key);
    return { access_token: access, token_type: 'Bearer', expires_in: ACCESS_SECONDS, refresh_token: refreshToken };
  }

  private newRefreshToken(family: string): { token: string; hash: string; expires: number } {
    const random = randomBytes(16).toString('base64url');
    const token = `${family}.${random}${this.proofOf(family, random)}`;
    return { token, hash: this.fingerprint(token), expires: this.seconds() + REFRESH_SECONDS };
  }

  /** MAC over family and random part: only this site can issue it, so its bearer belongs to the family. */
  private proofOf(family: string, random: string): string {
    return this.secret.fingerprint('refresh-token-proof', `${family}.${random}`).slice(0, PROOF);
  }

  private fingerprint(token: string): string {
    return this.secret.fingerprint('refresh-token', token);
  }

  private versionOf(account: Account): string {
    return this.secret.fingerprint('password-version', account.passwordHash);
  }

  private seconds(): number {
    return Math.floor(this.now() / 1000);
  }
}

/** Loaded with the first token: many processes never see one. */
const jose = () => import('jose');

/** Compares texts of a known length in constant time. */
function equalsInConstantTime(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

/** The one error for invalid tokens. */
function invalidToken(): ResourceError {
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  return new ResourceError('rest_invalid_token', { status: 401, headers });
}
