// Bearer tokens (decisions 0.3, 0.21): short-lived signed access tokens and rotating refresh tokens, one family per login.
// Asked by the actor source for every Bearer header and by the token endpoints.
import { createSecretKey, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { ResourceError } from '../errors/resource-error.js';
import { TokenFamilies } from './token-families.js';
const ACCESS_SECONDS = 15 * 60;
const REFRESH_SECONDS = 30 * 24 * 60 * 60;
const ISSUER = 'typecase';
const TYPE = 'at+jwt';
const REFRESH = /^([\w-]{22})\.([\w-]{43})$/;
/** Gives, verifies, renews and revokes tokens. */
export class Tokens {
    accounts;
    secret;
    now;
    families;
    key;
    signed = new LRUCache({ max: 5_000 });
    constructor(accounts, store, secret, now = Date.now) {
        this.accounts = accounts;
        this.secret = secret;
        this.now = now;
        this.families = new TokenFamilies(store, () => this.seconds());
        this.key = createSecretKey(secret.key('access-token'));
    }
    /** Begins a family for an account that has just proved itself. */
    async issue(account) {
        const family = randomBytes(16).toString('base64url');
        const refresh = this.newRefreshToken(family);
        const version = this.versionOf(account);
        const { hash, expires } = refresh;
        await this.families.begin({ family, account_id: account.id, hash, version, expires });
        return this.pair(account, family, refresh.token);
    }
    /** New tokens for a refresh token, which is spent by that. A spent one ends its family. Throws 401 `rest_invalid_token`. */
    async refresh(token) {
        const [, name] = REFRESH.exec(token) ?? [];
        const family = name === undefined ? undefined : await this.families.find(name);
        const account = family && (await this.accounts?.load(family.account_id));
        if (!family || !account || !this.belongs(family, account))
            throw invalidToken();
        const next = this.newRefreshToken(family.family);
        const { hash, expires } = next;
        if (!(await this.families.rotate(family.family, this.fingerprint(token), { hash, expires })))
            throw invalidToken();
        return this.pair(account, family.family, next.token);
    }
    /** The account of an access token, as it is now. Throws 401 `rest_invalid_token`. */
    async verify(token) {
        const claims = await this.signedClaims(token);
        if (!claims)
            throw invalidToken();
        const [family, account] = await Promise.all([this.families.find(claims.family), this.accounts?.load(claims.id)]);
        if (!family || !account || !this.belongs(family, account))
            throw invalidToken();
        return account;
    }
    /** Ends the family of an access or refresh token; one that is unknown ends nothing. */
    async revoke(token) {
        // An access token may be used to log out after it expired.
        const family = REFRESH.exec(token)?.[1] ?? (await this.claimsOf(token, REFRESH_SECONDS))?.family;
        if (family !== undefined && (await this.families.find(family)))
            await this.families.end(family);
    }
    // Nobody stays signed in whose account is gone or has another password now.
    belongs(family, account) {
        return family.account_id === account.id && this.versionOf(account) === family.version;
    }
    // Checking a signature costs more than the statements that follow it.
    async signedClaims(token) {
        const key = this.secret.fingerprint('signed', token);
        const known = this.signed.get(key);
        if (known)
            return known.expires > this.seconds() ? known : undefined;
        const claims = await this.claimsOf(token, 0);
        if (claims)
            this.signed.set(key, claims);
        return claims;
    }
    async claimsOf(token, leeway) {
        try {
            const { payload } = await jwtVerify(token, this.key, {
                algorithms: ['HS256'],
                issuer: ISSUER,
                typ: TYPE,
                requiredClaims: ['sub', 'fam', 'exp'],
                clockTolerance: leeway,
                currentDate: new Date(this.now()),
            });
            return { id: Number(payload.sub), family: String(payload['fam']), expires: payload.exp };
        }
        catch {
            return undefined;
        }
    }
    async pair(account, family, refreshToken) {
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
    newRefreshToken(family) {
        const token = `${family}.${randomBytes(32).toString('base64url')}`;
        return { token, hash: this.fingerprint(token), expires: this.seconds() + REFRESH_SECONDS };
    }
    fingerprint(token) {
        return this.secret.fingerprint('refresh-token', token);
    }
    versionOf(account) {
        return this.secret.fingerprint('password-version', account.passwordHash);
    }
    seconds() {
        return Math.floor(this.now() / 1000);
    }
}
/** The one refusal of a token. */
export function invalidToken() {
    const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    return new ResourceError('rest_invalid_token', { status: 401, headers });
}
