// The configuration of the site: URLs, clock, and settings.
import type { TextPoolRunner } from '../runtime/texts.js';
import type { SiteSettings } from './site-settings.js';
import type { FileStorage, ImageSize } from './file-storage.js';

/** Rate limit of attempts at the passwords of items. */
export interface ItemPasswordLimits {
  /**
   * Counts failed attempts. Returns the result of `compare`, which says whether the caller sent the password of `item`.
   * Throws 429 without comparing after too many failed attempts.
   */
  check(item: string, address: string, compare: () => boolean): Promise<boolean>;
}

/** The site at run time. */
export interface Site {
  /** Replaced as a whole when a stored setting changes. */
  settings: Readonly<SiteSettings>;
  /** Reads the stored settings again; absent where no resource stores any. */
  readSettings?(): Promise<void>;
  /** Absolute URL of the API root, without trailing slash. */
  apiRoot: string;
  /** Absolute URL of the namespace, without trailing slash; links are built from it. */
  base: string;
  /** Absolute URL of the public site, without trailing slash. */
  home: string;
  /** Namespace without leading and trailing slashes. */
  namespace: string;
  /** Public URL of uploaded files, without trailing slash. */
  uploads: string;
  /** Uploaded files. */
  files: FileStorage;
  /** Resized copies that are made of uploaded images, by name; absent: none. */
  imageSizes?: Readonly<Record<string, ImageSize>>;
  /** Signed URL of a private file, valid for some minutes; undefined for public files. */
  signFile?(key: string): string | undefined;
  /** A short signature of a text, which proves that a text sent back comes from this site. */
  seal?(text: string): string;
  /** Absent when attempts are not limited. */
  itemPasswords?: ItemPasswordLimits;
  /** Maximum bytes of text in one statement, as reported by the database at the start; absent: unlimited. */
  statementBytes?: number;
  /** See `Store.lowersTexts`. */
  lowersTexts?: boolean;
  /** Current time in milliseconds since the epoch. */
  now(): number;
  /** Hashes a password off the event loop. */
  hashPassword(password: string): Promise<string>;
  /**
   * What runs functions on large texts of a caller off the event loop; when absent they run directly. Rejects with an error
   * when they exceed the limits.
   */
  textsOf?(caller: { readonly id: number; readonly address: string }): TextPoolRunner;
  /** Union of the capabilities of some roles, including the names of the roles. */
  capabilitiesOf(roles: readonly string[]): ReadonlySet<string>;
  /** Whether a role of that name exists. */
  hasRole(name: string): boolean;
  /** Names of all roles. */
  roleNames(): readonly string[];
}
