// The settings of the site (decisions 24) from the environment. Called by config.ts.
import * as read from './config-values.js';
/** Reads the variables that begin with SITE_, and PASSWORD_MIN_LENGTH. */
export function siteSettings(variables) {
    const status = (name) => variables.oneOf(name, 'open', 'open', 'closed');
    const code = /^[a-z]{2,3}(_[A-Z]{2})?(_[a-z0-9]+)?$/;
    const locale = variables.get('SITE_LOCALE', 'en_US', 'a locale such as en_US', read.matching(code));
    const locales = variables.get('SITE_LOCALES', ['en_US'], 'a list of locales such as en_US,de_DE', read.listOf(read.matching(code)));
    return {
        title: variables.text('SITE_TITLE', 'Typecase'),
        description: variables.text('SITE_DESCRIPTION', ''),
        timezone: variables.get('SITE_TIMEZONE', 'UTC', 'a zone such as Europe/Paris or an offset such as +02:00', read.timezone),
        locale,
        // '' stands for the locale of the site.
        locales: [...new Set(['', ...locales, locale])],
        defaultCategory: variables.whole('SITE_DEFAULT_CATEGORY', 1, 1, Number.MAX_SAFE_INTEGER),
        defaultRole: variables.get('SITE_DEFAULT_ROLE', 'subscriber', 'the name of a role', read.matching(/^[a-z][a-z0-9_-]*$/)),
        defaultCommentStatus: status('SITE_DEFAULT_COMMENT_STATUS'),
        defaultPingStatus: status('SITE_DEFAULT_PING_STATUS'),
        requireNameEmail: variables.flag('SITE_REQUIRE_NAME_EMAIL', true),
        commentRegistration: variables.flag('SITE_COMMENT_REGISTRATION', false),
        allowAnonymousComments: variables.flag('SITE_ALLOW_ANONYMOUS_COMMENTS', false),
        commentModeration: variables.flag('SITE_COMMENT_MODERATION', false),
        commentPreviouslyApproved: variables.flag('SITE_COMMENT_PREVIOUSLY_APPROVED', true),
        commentMaxLinks: variables.whole('SITE_COMMENT_MAX_LINKS', 2, 0, 1000),
        moderationWords: variables.get('SITE_MODERATION_WORDS', [], 'a list of words', read.list),
        disallowedWords: variables.get('SITE_DISALLOWED_WORDS', [], 'a list of words', read.list),
        closeCommentsForOldPosts: variables.flag('SITE_CLOSE_COMMENTS_FOR_OLD_POSTS', false),
        closeCommentsDaysOld: variables.whole('SITE_CLOSE_COMMENTS_DAYS_OLD', 14, 0, 36_500),
        showAvatars: variables.flag('SITE_SHOW_AVATARS', true),
        avatarUrl: variables.get('SITE_AVATAR_URL', 'https://secure.gravatar.com/avatar/', read.ADDRESS, (text) => read.webAddress(text) && text),
        avatarDefault: variables.text('SITE_AVATAR_DEFAULT', 'mm'),
        permalinkStructure: variables.get('SITE_PERMALINK_STRUCTURE', '/%year%/%monthnum%/%day%/%postname%/', 'a path that begins with / such as /%year%/%postname%/', read.matching(/^\/[^?#\s]*$/)),
        trash: variables.flag('SITE_TRASH', true),
        // 0 keeps the trash for ever.
        trashRetentionDays: variables.whole('SITE_TRASH_RETENTION_DAYS', 0, 0, 36_500),
        passwordMinLength: variables.whole('PASSWORD_MIN_LENGTH', 8, 0, 128),
    };
}
