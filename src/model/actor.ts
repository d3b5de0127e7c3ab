// The caller of a request and what the caller may do.
import { isReading, type OperationKind } from './schema/schema.js';

/** The caller of one request. `id` is 0 for anonymous callers. */
export interface Actor {
  readonly id: number;
  readonly roles: readonly string[];
  readonly capabilities: ReadonlySet<string>;
  /** What names the account of the caller in URLs, where that is not its id. */
  readonly key?: string;
  /** IP address of the connection. */
  readonly address: string;
  /** `User-Agent` of the request. */
  readonly agent: string;
  /** How the caller authenticated. */
  readonly via?: 'password' | 'application' | 'token' | 'system' | 'command' | 'agent';
  /** `X-Request-Id` of the response. */
  readonly requestId?: string | undefined;
  /** UUID of the application password in use. */
  readonly applicationPassword?: string;
  /** What that password may be used for; absent: whatever its account may do. */
  readonly scope?: Scope;
}

/** Less than an account may do. */
export interface Scope {
  /** Nothing may be written. */
  readonly readOnly: boolean;
  /** Paths of the resources that may be used; absent: all. */
  readonly resources?: readonly string[];
}

/** Whether the scope of a caller covers an operation on the resource with this path. */
export function inScope({ scope }: Actor, path: string, kind: OperationKind): boolean {
  if (!scope) return true;
  return (!scope.readOnly || isReading(kind)) && (scope.resources?.includes(path) ?? true);
}

export const ANONYMOUS: Actor = { id: 0, roles: [], capabilities: new Set(), address: '127.0.0.1', agent: '' };

/** Every capability. */
const EVERY = new Proxy(new Set<string>(), {
  get: (target, name) => (name === 'has' ? () => true : Reflect.get(target, name)),
});

/** Whether a caller has an account, or is trusted code, which needs none. */
export function isSignedIn(actor: Actor): boolean {
  return actor.id > 0 || isTrusted(actor);
}

/** Whether a caller is trusted code: of the site itself, of an extension, of a host. */
export function isTrusted({ capabilities }: Actor): boolean {
  return capabilities === EVERY;
}

/** The caller of trusted code, who may do everything; `id` is the account that new items belong to, 0 for none. */
export function systemActor(id = 0, via: 'system' | 'command' = 'system'): Actor {
  return { id, via, roles: [], capabilities: EVERY, address: '127.0.0.1', agent: '' };
}
