// What the operator decided about the site: addresses, clock, and the settings of decisions 24. Made by config.ts.

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

/** Where uploaded files are kept. */
export interface FileShelf {
  /** A free key in a folder (`2026/11`), taken until it is put or removed. */
  reserve(folder: string, name: string): Promise<string>;
  put(key: string, path: string): Promise<void>;
  remove(keys: string[]): Promise<void>;
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
