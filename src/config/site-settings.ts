// The site settings from the environment.
import * as urls from './url-parsers.js';
import * as read from './parsers.js';
import type { Variables } from './variables.js';
import { SETTINGS, type SiteSettings } from '../model/site/site-settings.js';

/** Reads the variables that begin with SITE_, and PASSWORD_MIN_LENGTH. */
export function siteSettings(variables: Variables): SiteSettings {
  const code = /^[a-z]{2,3}(_[A-Z]{2})?(_[a-z0-9]+)?$/;
  const locale = variables.get('SITE_LOCALE', SETTINGS.locale, 'a locale such as en_US', read.matching(code));
  const locales = variables.get(
    'SITE_LOCALES',
    SETTINGS.locales,
    'a list of locales such as en_US,de_DE',
    read.listOf(read.matching(code)),
  );
  return {
    title: variables.text('SITE_TITLE', SETTINGS.title),
    description: variables.text('SITE_DESCRIPTION', SETTINGS.description),
    timezone: variables.get(
      'SITE_TIMEZONE',
      SETTINGS.timezone,
      'a zone such as Europe/Paris or an offset such as +02:00',
      read.timezone,
    ),
    locale,
    locales: [...new Set(['', ...locales, locale])],
    defaultCategory: variables.whole('SITE_DEFAULT_CATEGORY', SETTINGS.defaultCategory, 1, Number.MAX_SAFE_INTEGER),
    defaultRole: variables.get(
      'SITE_DEFAULT_ROLE',
      SETTINGS.defaultRole,
      'the name of a role',
      read.matching(/^[a-z][a-z0-9_-]*$/),
    ),
    ...discussion(variables),
    showAvatars: variables.flag('SITE_SHOW_AVATARS', SETTINGS.showAvatars),
    avatarUrl: variables.get(
      'SITE_AVATAR_URL',
      SETTINGS.avatarUrl,
      urls.HTTP_URL,
      (text) => urls.httpUrl(text) && text,
    ),
    avatarDefault: variables.text('SITE_AVATAR_DEFAULT', SETTINGS.avatarDefault),
    permalinkStructure: variables.get(
      'SITE_PERMALINK_STRUCTURE',
      SETTINGS.permalinkStructure,
      'a path that begins with / such as /%year%/%postname%/',
      read.matching(/^\/[^?#\s]*$/),
    ),
    trash: variables.flag('SITE_TRASH', SETTINGS.trash),
    // 0 keeps the trash for ever.
    trashRetentionDays: variables.whole('SITE_TRASH_RETENTION_DAYS', SETTINGS.trashRetentionDays, 0, 36_500),
    passwordMinLength: variables.whole('PASSWORD_MIN_LENGTH', SETTINGS.passwordMinLength, 0, 128),
  };
}

/** Who may comment, and what is held for moderation. */
function discussion(variables: Variables) {
  const status = (name: string) => variables.oneOf(name, 'open', 'open', 'closed');
  return {
    defaultCommentStatus: status('SITE_DEFAULT_COMMENT_STATUS'),
    defaultPingStatus: status('SITE_DEFAULT_PING_STATUS'),
    requireNameEmail: variables.flag('SITE_REQUIRE_NAME_EMAIL', SETTINGS.requireNameEmail),
    commentRegistration: variables.flag('SITE_COMMENT_REGISTRATION', SETTINGS.commentRegistration),
    allowAnonymousComments: variables.flag('SITE_ALLOW_ANONYMOUS_COMMENTS', SETTINGS.allowAnonymousComments),
    commentModeration: variables.flag('SITE_COMMENT_MODERATION', SETTINGS.commentModeration),
    commentPreviouslyApproved: variables.flag('SITE_COMMENT_PREVIOUSLY_APPROVED', SETTINGS.commentPreviouslyApproved),
    commentMaxLinks: variables.whole('SITE_COMMENT_MAX_LINKS', SETTINGS.commentMaxLinks, 0, 1000),
    moderationWords: variables.get('SITE_MODERATION_WORDS', [], 'a list of words', read.list),
    disallowedWords: variables.get('SITE_DISALLOWED_WORDS', [], 'a list of words', read.list),
    closeCommentsForOldPosts: variables.flag('SITE_CLOSE_COMMENTS_FOR_OLD_POSTS', SETTINGS.closeCommentsForOldPosts),
    closeCommentsDaysOld: variables.whole('SITE_CLOSE_COMMENTS_DAYS_OLD', SETTINGS.closeCommentsDaysOld, 0, 36_500),
  } satisfies Partial<SiteSettings>;
}
