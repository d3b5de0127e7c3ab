// Signed URLs, which open a private file for some minutes: the key, the expiry, and a signature of both.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isPrivate, publicUrl } from './file-store.js';

/** The result of checking the query of a URL. */
export type UrlVerdict = 'unsigned' | 'wrong' | 'expired' | { expires: number };

/** Milliseconds by which the clocks of two servers may differ. */
const SKEW_MS = 60_000;

/** Signs and checks URLs. Processes with the same secret accept each other's. */
export class SignedUrls {
  readonly #secret: Buffer;

  /** `base`: URL where files are served. `lifetime`: longest validity of a URL, in milliseconds. */
  constructor(
    secret: Buffer,
    private readonly base: string,
    private readonly lifetime: number,
  ) {
    this.#secret = secret;
  }

  /**
   * The URL of a private file; undefined for other files. It stays the same for half of its lifetime, so that clients
   * can cache the file, and is valid for at least that long.
   */
  sign(key: string, nowMs: number): string | undefined {
    if (!isPrivate(key)) return undefined;
    const window = this.lifetime / 2;
    const expires = Math.floor(((Math.floor(nowMs / window) + 2) * window) / 1000);
    return `${publicUrl(this.base, key)}?expires=${expires}&signature=${this.signature(key, String(expires))}`;
  }

  /** Checks the query of a request for a file; `expires` is in seconds since the epoch. */
  check(key: string, query: URLSearchParams, nowMs: number): UrlVerdict {
    const expires = query.get('expires');
    const signature = query.get('signature');
    if (expires === null && signature === null) return 'unsigned';
    if (!isSame(signature ?? '', this.signature(key, expires ?? ''))) return 'wrong';
    const left = Number(expires) * 1000 - nowMs;
    // A URL with a later expiry was signed before the clock was set back, or with a longer lifetime.
    return left > 0 && left <= this.lifetime + SKEW_MS ? { expires: Number(expires) } : 'expired';
  }

  private signature(key: string, expires: string): string {
    return createHmac('sha256', this.#secret).update(`${expires}\n${key}`).digest('base64url');
  }
}

function isSame(given: string, made: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(made)];
  return left.length === right.length && timingSafeEqual(left, right);
}
