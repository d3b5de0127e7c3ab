// The settings of a site that schemas name and traits read.

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

/** Placeholders of `permalinkStructure`, without their percent signs. */
export const PERMALINK_PARTS = ['year', 'monthnum', 'day', 'hour', 'minute', 'second', 'postname', 'post_id'];
