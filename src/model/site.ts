// The configuration of the site: addresses, clock, and settings.
import type { Readable } from 'node:stream';
import type { TextPoolRunner } from './runtime/texts.js';

/** Settings that content rules depend on. */
export interface SiteSettings {
  title: string;
  description: string;
  timezone: string;
  locale: string;
  locales: string[];
  defaultCategory: number;
  defaultRole: string;
  defaultCommentStatus: string;
  defaultPingStatus: string;
  requireNameEmail: boolean;
  commentRegistration: boolean;
  allowAnonymousComments: boolean;
  commentModeration: boolean;
  commentPreviouslyApproved: boolean;
  commentMaxLinks: number;
  moderationWords: string[];
  disallowedWords: string[];
  closeCommentsForOldPosts: boolean;
  closeCommentsDaysOld: number;
  showAvatars: boolean;
  avatarUrl: string;
  avatarDefault: string;
  permalinkStructure: string;
  trash: boolean;
  trashRetentionDays: number;
  passwordMinLength: number;
}

/** Default settings; schema files refer to them by these keys. */
export const SETTINGS: Readonly<SiteSettings> = Object.freeze({
  title: 'Typecase',
  description: '',
  timezone: 'UTC',
  locale: 'en_US',
  // '' stands for the default locale of the site.
  locales: ['', 'en_US'],
  defaultCategory: 1,
  defaultRole: 'subscriber',
  defaultCommentStatus: 'open',
  defaultPingStatus: 'open',
  requireNameEmail: true,
  commentRegistration: false,
  allowAnonymousComments: false,
  commentModeration: false,
  commentPreviouslyApproved: true,
  commentMaxLinks: 2,
  moderationWords: [],
  disallowedWords: [],
  closeCommentsForOldPosts: false,
  closeCommentsDaysOld: 14,
  showAvatars: true,
  avatarUrl: 'https://secure.gravatar.com/avatar/',
  avatarDefault: 'mm',
  permalinkStructure: '/%year%/%monthnum%/%day%/%postname%/',
  trash: true,
  trashRetentionDays: 0,
  passwordMinLength: 8,
});

/** Settings that fields may set while the site runs: nothing that is decided at the start depends on them. */
export const CHANGEABLE: readonly (keyof SiteSettings)[] = [
  'title',
  'description',
  'timezone',
  'defaultCategory',
  'defaultCommentStatus',
  'defaultPingStatus',
  'requireNameEmail',
  'commentRegistration',
  'commentModeration',
  'commentPreviouslyApproved',
  'commentMaxLinks',
  'closeCommentsForOldPosts',
  'closeCommentsDaysOld',
];

/** Names of the settings whose values have a type. */
export function settingsOf(kind: 'string' | 'number' | 'boolean' | 'list'): (keyof SiteSettings)[] {
  const names = Object.keys(SETTINGS) as (keyof SiteSettings)[];
  return names.filter((name) => (Array.isArray(SETTINGS[name]) ? 'list' : typeof SETTINGS[name]) === kind);
}

/** A size of resized images: a box in pixels, open to a side that is left out; `crop`: copies fill it. */
export interface ImageSize {
  readonly width?: number;
  readonly height?: number;
  readonly crop?: boolean;
}

/** Storage of uploaded files. */
export interface FileStorage {
  /** Reserves a free key in a folder (`2026/11`) until it is committed or removed; `isCopy`: for a resized copy. */
  reserve(folder: string, name: string, isCopy?: boolean): Promise<string>;
  /** Stores the content of a file or stream under a key; never overwrites a file. */
  put(key: string, source: string | Readable): Promise<void>;
  remove(keys: string[]): Promise<void>;
  /** Ends the reservations of keys whose rows are committed. */
  commit(keys: string[]): Promise<void>;
  /** Reserves keys whose rows are about to be deleted. */
  mark(keys: string[]): Promise<void>;
  /** Keys reserved before a moment and neither committed nor removed since: the process that reserved them died. */
  claimed(before: Date): Promise<string[]>;
  /** Whether a file is stored under a key. */
  exists?(key: string): Promise<boolean>;
  /** Keys of the files that were last written before a moment. */
  list?(before: Date): AsyncIterable<string>;
  /** The bytes of a stored file. */
  open?(key: string): Promise<Readable>;
  /** The key of the file that the one of a key was made of on demand; the key itself for others. */
  originOf?(key: string): string;
}

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
  /** Address of a file behind rules that opens it for some minutes; undefined for files that everybody may fetch. */
  signFile?(key: string): string | undefined;
  /** A short code for a text that only this site can make: whoever sends it back has it from here. */
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
   * Runs functions on large texts off the event loop; when absent they run directly. Rejects with an error when they
   * exceed the limits.
   */
  runText?: TextPoolRunner;
  /** Union of the capabilities of some roles, including the names of the roles. */
  capabilitiesOf(roles: readonly string[]): ReadonlySet<string>;
  /** Whether a role of that name exists. */
  hasRole(name: string): boolean;
  /** Names of all roles. */
  roleNames(): readonly string[];
}
