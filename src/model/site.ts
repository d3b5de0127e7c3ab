// What the operator decided about the site: addresses, clock, and the settings of decisions 24. Made by config.ts.
import type { Readable } from 'node:stream';

/** Settings that content rules depend on (decisions 24). */
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

/** The settings of a site whose operator says nothing; schema files name them by these keys. */
export const SETTINGS: Readonly<SiteSettings> = Object.freeze({
  title: 'Typecase',
  description: '',
  timezone: 'UTC',
  locale: 'en_US',
  // '' stands for the locale of the site.
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

/** Names of the settings whose values are of a kind. */
export function settingsOf(kind: 'string' | 'number' | 'boolean' | 'list'): (keyof SiteSettings)[] {
  const names = Object.keys(SETTINGS) as (keyof SiteSettings)[];
  return names.filter((name) => (Array.isArray(SETTINGS[name]) ? 'list' : typeof SETTINGS[name]) === kind);
}

/** Where uploaded files are kept. */
export interface FileShelf {
  /** A free key in a folder (`2026/11`), claimed until it is settled or removed. */
  reserve(folder: string, name: string): Promise<string>;
  put(key: string, path: string): Promise<void>;
  remove(keys: string[]): Promise<void>;
  /** Ends the claims on keys: their row is committed. */
  settle(keys: string[]): Promise<void>;
  /** Claims keys whose row is about to go. */
  mark(keys: string[]): Promise<void>;
  /** Keys claimed before a moment and never settled nor removed: whoever did it has died. */
  claimed(before: Date): Promise<string[]>;
  /** Whether a file is stored under a key. */
  exists?(key: string): Promise<boolean>;
  /** The bytes of a stored file. */
  open?(key: string): Promise<Readable>;
}

/** The site at run time. */
export interface Site {
  settings: SiteSettings;
  /** Absolute address of the API root, no trailing slash. */
  apiRoot: string;
  /** Absolute address of the namespace, no trailing slash: links are built from it. */
  base: string;
  /** Absolute address of the public site, no trailing slash. */
  home: string;
  /** Namespace without slashes at its ends. */
  namespace: string;
  /** Public address of uploaded files, no trailing slash. */
  uploads: string;
  /** Uploaded files. */
  files: FileShelf;
  /** Now, as an instant in milliseconds. */
  now(): number;
  /** Hash of a password, made off the event loop. */
  hashPassword(password: string): Promise<string>;
  /** United capabilities of some roles, their own names included (decisions 9.2). */
  capabilitiesOf(roles: readonly string[]): ReadonlySet<string>;
  /** Whether a role of that name exists. */
  hasRole(name: string): boolean;
  /** Every role there is. */
  roleNames(): readonly string[];
}
