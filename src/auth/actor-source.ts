// Determines the caller of a request from its credentials, before routing. Wrong credentials fail the whole request;
// without credentials the caller is anonymous.
import { type Actor, ANONYMOUS } from '../model/actor.js';
import type { Requester } from '../model/store.js';
import type { Account } from './accounts.js';
import { clientAddress, Visitor, type WithClientAddress } from './rate-limit/client-address.js';
import type { BasicVerifier, Proof } from './credentials.js';
import type { RoleSet } from './roles.js';

/** The parts of a request that identify the caller. */
export interface Incoming extends WithClientAddress {
  /** Absent outside of requests. */
  context?: { readonly id: string };
  headers: { authorization?: string | undefined; 'user-agent'?: string | undefined };
}

/** Verifies access tokens. */
export interface TokenVerifier {
  /** Throws 401 `rest_invalid_token`. */
  verify(token: string, requester?: Requester): Promise<Account>;
}

/** Dependencies of `ActorSource`. */
export interface ActorParts {
  basic: BasicVerifier;
  bearer?: TokenVerifier | undefined;
  roles: RoleSet;
  /** Whether forwarded addresses of trusted proxies are used. */
  trustProxy: boolean;
}

const HEADER = /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]+(.*))?$/s;
const NOTHING: ReadonlySet<string> = new Set();
/** One object for all anonymous callers: caches compare roles by identity. */
const NO_ROLES: readonly string[] = Object.freeze([]);

/** Resolves the caller (actor) of a request. */
export class ActorSource {
  /** By account, one object for many requests: they share one set, so that caches may use it as a key. */
  private readonly granted = new WeakMap<Account, ReadonlySet<string>>();
  /** Passwords that were right, by the request that sent them. */
  private readonly proven = new WeakMap<Incoming, Proof>();

  constructor(private readonly parts: ActorParts) {}

  /**
   * The caller. Throws 401 for wrong credentials, or 429 after too many failures. Identifying a request again is no new
   * login: while the account still has the password, it is neither hashed again nor counted against a limit.
   */
  actorOf(request: Incoming): Promise<Actor> | Actor {
    const { authorization, 'user-agent': agent = '' } = request.headers;
    const address = this.clientAddressOf(request);
    const anonymous = { id: 0, roles: NO_ROLES, capabilities: NOTHING, address, agent, requestId: request.context?.id };
    // Most callers are anonymous: no promise is needed for them.
    return authorization === undefined ? anonymous : this.provenActor(request, authorization, anonymous);
  }

  private async provenActor(request: Incoming, authorization: string, anonymous: Actor): Promise<Actor> {
    const proof = await this.proofOf(request, authorization, anonymous.address);
    if (!proof) return anonymous;
    if (proof.via === 'password') this.proven.set(request, proof);
    const { account, via, applicationPassword, scope } = proof;
    const actor = { ...anonymous, ...this.rightsOf(account), via };
    return applicationPassword === undefined ? actor : { ...actor, applicationPassword, ...(scope ? { scope } : {}) };
  }

  /** An account as the caller of code of the same process. */
  actorFor(account: Account): Actor {
    return { ...ANONYMOUS, ...this.rightsOf(account) };
  }

  private rightsOf(account: Account): Pick<Actor, 'id' | 'roles' | 'capabilities' | 'key'> {
    const { id, roles, key } = account;
    const rights = { id, roles, capabilities: this.capabilitiesOf(account) };
    return key === undefined ? rights : { ...rights, key };
  }

  /** IP address of the client. */
  clientAddressOf(request: WithClientAddress): string {
    return clientAddress(request, this.parts.trustProxy);
  }

  private async proofOf(request: Incoming, header: string, address: string): Promise<Proof | undefined> {
    const [, scheme = '', credentials = ''] = HEADER.exec(header.trim()) ?? [];
    switch (scheme.toLowerCase()) {
      case 'basic':
        return this.parts.basic.verify(credentials, address, this.proven.get(request));
      case 'bearer':
        return (
          this.parts.bearer && {
            account: await this.parts.bearer.verify(credentials, new Visitor(address)),
            via: 'token',
          }
        );
      default:
        return undefined;
    }
  }

  private capabilitiesOf(account: Account): ReadonlySet<string> {
    let granted = this.granted.get(account);
    if (!granted) this.granted.set(account, (granted = this.unite(account)));
    return granted;
  }

  private unite(account: Account): ReadonlySet<string> {
    const ofRoles = this.parts.roles.capabilitiesOf(account.roles);
    const extra = Object.entries(account.extra);
    if (extra.length === 0) return ofRoles;
    const all = new Set(ofRoles);
    for (const [capability, given] of extra) {
      if (given) all.add(capability);
      else all.delete(capability);
    }
    return all;
  }
}
