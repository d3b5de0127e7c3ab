// Who is asking, and what the site lets each role do. Made by auth/, read by rules and traits.

/** The caller of one request. `id` is 0 for anonymous callers. */
export interface Actor {
  readonly id: number;
  readonly roles: readonly string[];
  readonly capabilities: ReadonlySet<string>;
  /** Address of the connection. */
  readonly address: string;
  /** `User-Agent` of the request. */
  readonly agent: string;
  /** How the caller proved who he is. */
  readonly via?: 'password' | 'application' | 'token';
  /** uuid of the application password in use. */
  readonly applicationPassword?: string;
}

export const ANONYMOUS: Actor = { id: 0, roles: [], capabilities: new Set(), address: '127.0.0.1', agent: '' };
