// Assembles the authentication of callers, and the limits of their login attempts.
import type { Provider, Type } from '@nestjs/common';
import { ActorSource } from '../auth/actor-source.js';
import { BasicVerifier } from '../auth/credentials.js';
import { CredentialLimits } from '../auth/rate-limit/credential-limits.js';
import { LoginThrottle } from '../auth/rate-limit/login-throttle.js';
import { Tokens } from '../auth/tokens.js';
import { applicationPasswordsController } from '../http/endpoints/application-passwords.controller.js';
import { authControllerAt, LOGINS, type RecordLogin } from '../http/endpoints/auth.controller.js';
import type { Log } from '../http/request/logger.js';
import type { OpenSite } from './open-site.js';
import type { SiteCounters } from './rate-limit-store.js';
import type { Config } from '../config/settings.js';

/** The parts of an application that deal with credentials. */
export interface Authentication {
  actors: ActorSource;
  controllers: Type[];
  providers: Provider[];
}

/** Whether rate limits apply; with `none` even failed logins are unlimited. */
export function isLimited({ rateLimit: { mode } }: Config): boolean {
  return mode !== 'none' && mode !== 'off';
}

/** Makes the authentication of a site. */
export function authentication(config: Config, log: Log, site: OpenSite, counters: SiteCounters): Authentication {
  const { accounts, applicationPasswords, hasher, roles, secret, store } = site;
  const basic = new BasicVerifier({
    accounts,
    applicationPasswords,
    hasher,
    secret,
    throttle: config.rateLimit.mode === 'none' ? undefined : new LoginThrottle(counters.exact),
    // Not in the audit log: requests without valid credentials must not cause writes.
    onFailure: (account, address) => log.warn({ account, address }, 'wrong password'),
    accountPasswords: config.basicAccountPassword,
  });
  const tokens = new Tokens(accounts, store, secret);
  const actors = new ActorSource({ basic, bearer: tokens, roles, trustProxy: config.trustProxy !== false });
  const limits = new CredentialLimits(isLimited(config) ? counters.gathered : undefined);
  const recordLogin: RecordLogin = async (account, actor) => site.recordLogin?.(account, actor);
  return {
    actors,
    controllers: [authControllerAt(config.apiRoot, site.site.apiRoot), ...accountControllers(site, config, limits)],
    providers: [
      { provide: Tokens, useValue: tokens },
      { provide: BasicVerifier, useValue: basic },
      { provide: ActorSource, useValue: actors },
      { provide: CredentialLimits, useValue: limits },
      { provide: LOGINS, useValue: recordLogin },
    ],
  };
}

/** Endpoints of sites with accounts. */
function accountControllers(
  { accounts, applicationPasswords: passwords, store, site }: OpenSite,
  config: Config,
  limits: CredentialLimits,
): Type[] {
  if (!accounts) return [];
  const root = `${config.apiRoot}/${config.apiNamespace}`;
  return [applicationPasswordsController({ passwords, limits, accounts: accounts.model, store, site, root })];
}
