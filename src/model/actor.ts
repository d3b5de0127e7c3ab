// The caller of a request and what the caller may do.

/** The caller of one request. `id` is 0 for anonymous callers. */
export interface Actor {
  readonly id: number;
  readonly roles: readonly string[];
  readonly capabilities: ReadonlySet<string>;
  /** IP address of the connection. */
  readonly address: string;
  /** `User-Agent` of the request. */
  readonly agent: string;
  /** How the caller authenticated. */
  readonly via?: 'password' | 'application' | 'token';
  /** UUID of the application password in use. */
  readonly applicationPassword?: string;
}

export const ANONYMOUS: Actor = { id: 0, roles: [], capabilities: new Set(), address: '127.0.0.1', agent: '' };
