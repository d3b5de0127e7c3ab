CREATE TABLE `contents` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `date` VARCHAR(19) NULL,
  `date_gmt` VARCHAR(19) NULL,
  `modified` VARCHAR(19) NOT NULL DEFAULT '',
  `modified_gmt` VARCHAR(19) NOT NULL DEFAULT '',
  `slug` VARCHAR(200) NOT NULL DEFAULT '',
  `status` VARCHAR(255) NOT NULL DEFAULT 'inherit',
  `type` VARCHAR(255) NOT NULL DEFAULT 'attachment',
  `title` LONGTEXT NOT NULL DEFAULT (''),
  `title_rendered` LONGTEXT NOT NULL DEFAULT (''),
  `author` BIGINT NOT NULL DEFAULT 0,
  `comment_status` VARCHAR(255) NOT NULL DEFAULT 'open',
  `ping_status` VARCHAR(255) NOT NULL DEFAULT 'closed',
  `template` VARCHAR(255) NOT NULL DEFAULT '',
  `alt_text` LONGTEXT NOT NULL DEFAULT (''),
  `caption` LONGTEXT NOT NULL DEFAULT (''),
  `caption_rendered` LONGTEXT NOT NULL DEFAULT (''),
  `content` LONGTEXT NOT NULL DEFAULT (''),
  `content_rendered` LONGTEXT NOT NULL DEFAULT (''),
  `mime_type` VARCHAR(100) NOT NULL DEFAULT '',
  `media_details` LONGTEXT NULL,
  `parent` BIGINT NOT NULL DEFAULT 0,
  `trashed_status` VARCHAR(40) NOT NULL DEFAULT '',
  `trashed_slug` VARCHAR(200) NOT NULL DEFAULT '',
  `trashed_at` VARCHAR(19) NULL,
  `file` TEXT NOT NULL DEFAULT (''),
  `row_version` BIGINT NOT NULL DEFAULT 1,
  `excerpt` LONGTEXT NOT NULL DEFAULT (''),
  `password` VARCHAR(255) NOT NULL DEFAULT '',
  `excerpt_rendered` LONGTEXT NOT NULL DEFAULT (''),
  `featured_media` BIGINT NOT NULL DEFAULT 0,
  `menu_order` BIGINT NOT NULL DEFAULT 0,
  `date_floating` TINYINT NOT NULL DEFAULT 0,
  `path` LONGTEXT NOT NULL DEFAULT (''),
  `revision_count` BIGINT NOT NULL DEFAULT 0,
  `latest_revision` BIGINT NOT NULL DEFAULT 0,
  `format` VARCHAR(255) NOT NULL DEFAULT 'standard',
  `sticky` TINYINT NOT NULL DEFAULT 0,
  `liveblog_likes` BIGINT NOT NULL DEFAULT 0,
  `title_sort` VARCHAR(191) NOT NULL DEFAULT '',
  `search_text` LONGTEXT NOT NULL DEFAULT (''),
  `caption_search` LONGTEXT NOT NULL DEFAULT (''),
  `file_sort` VARCHAR(191) NOT NULL DEFAULT '',
  `excerpt_search` LONGTEXT NOT NULL DEFAULT (''),
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_contents_author_type_status` ON `contents` (`author`, `type`, `status`);

CREATE INDEX `ix_contents_slug` ON `contents` (`slug`, `type`);

CREATE INDEX `ix_contents_type_slug` ON `contents` (`type`, `slug`);

CREATE INDEX `ix_contents_type_status_date_id` ON `contents` (`type`, `status`, `date`, `id`);

CREATE INDEX `ix_contents_type_status_id` ON `contents` (`type`, `status`, `id`);

CREATE INDEX `ix_contents_type_status_title_sort_id` ON `contents` (`type`, `status`, `title_sort`, `id`);

CREATE INDEX `ix_contents_type_status_slug_id` ON `contents` (`type`, `status`, `slug`, `id`);

CREATE INDEX `ix_contents_type_status_slug_date_id` ON `contents` (`type`, `status`, `slug`, `date`, `id`);

CREATE INDEX `ix_contents_type_status_author_date_id` ON `contents` (`type`, `status`, `author`, `date`, `id`);

CREATE INDEX `ix_contents_type_status_mime_type_date_id` ON `contents` (`type`, `status`, `mime_type`, `date`, `id`);

CREATE INDEX `ix_contents_type_status_parent_date_id` ON `contents` (`type`, `status`, `parent`, `date`, `id`);

CREATE INDEX `ix_contents_type_date_id` ON `contents` (`type`, `date`, `id`);

CREATE INDEX `ix_contents_type_parent_id` ON `contents` (`type`, `parent`, `id`);

CREATE INDEX `ix_contents_type_status_author_id` ON `contents` (`type`, `status`, `author`, `id`);

CREATE INDEX `ix_contents_type_status_modified_id` ON `contents` (`type`, `status`, `modified`, `id`);

CREATE INDEX `ix_contents_type_status_parent_id` ON `contents` (`type`, `status`, `parent`, `id`);

CREATE INDEX `ix_contents_type_status_menu_order_id` ON `contents` (`type`, `status`, `menu_order`, `id`);

CREATE INDEX `ix_contents_type_status_menu_order_date_id` ON `contents` (`type`, `status`, `menu_order`, `date`, `id`);

CREATE INDEX `ix_contents_type_status_sticky_date_id` ON `contents` (`type`, `status`, `sticky`, `date`, `id`);

CREATE TABLE `contents_meta` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `owner_id` BIGINT NOT NULL DEFAULT 0,
  `key` VARCHAR(255) NOT NULL DEFAULT '',
  `value` LONGTEXT NOT NULL DEFAULT (''),
  `structured` TINYINT NOT NULL DEFAULT 0,
  `row_version` BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_contents_meta_owner_id_key` ON `contents_meta` (`owner_id`, `key`);

CREATE INDEX `ix_contents_meta_owner_id_id` ON `contents_meta` (`owner_id`, `id`);

CREATE TABLE `audit_log` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `date` VARCHAR(19) NOT NULL DEFAULT '',
  `user` BIGINT NOT NULL DEFAULT 0,
  `action` VARCHAR(40) NOT NULL DEFAULT '',
  `resource` VARCHAR(100) NOT NULL DEFAULT '',
  `item` BIGINT NOT NULL DEFAULT 0,
  `fields` LONGTEXT NULL,
  `via` VARCHAR(20) NOT NULL DEFAULT '',
  `credential` VARCHAR(64) NOT NULL DEFAULT '',
  `ip` VARCHAR(64) NOT NULL DEFAULT '',
  `agent` VARCHAR(200) NOT NULL DEFAULT '',
  `request` VARCHAR(64) NOT NULL DEFAULT '',
  `row_version` BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_audit_log_date_id` ON `audit_log` (`date`, `id`);

CREATE INDEX `ix_audit_log_user_id` ON `audit_log` (`user`, `id`);

CREATE INDEX `ix_audit_log_action_id` ON `audit_log` (`action`, `id`);

CREATE INDEX `ix_audit_log_resource_id` ON `audit_log` (`resource`, `id`);

CREATE INDEX `ix_audit_log_item_id` ON `audit_log` (`item`, `id`);

CREATE TABLE `terms` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `count` BIGINT NOT NULL DEFAULT 0,
  `description` LONGTEXT NOT NULL DEFAULT (''),
  `name` TEXT NOT NULL DEFAULT (''),
  `slug` VARCHAR(200) NOT NULL DEFAULT '',
  `taxonomy` VARCHAR(255) NOT NULL DEFAULT '',
  `parent` BIGINT NOT NULL DEFAULT 0,
  `term_group` BIGINT NOT NULL DEFAULT 0,
  `name_key` VARCHAR(400) NOT NULL DEFAULT '',
  `path` LONGTEXT NOT NULL DEFAULT (''),
  `row_version` BIGINT NOT NULL DEFAULT 1,
  `name_sort` VARCHAR(191) NOT NULL DEFAULT '',
  `description_sort` VARCHAR(191) NOT NULL DEFAULT '',
  `name_search` LONGTEXT NOT NULL DEFAULT (''),
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_terms_slug` ON `terms` (`slug`, `taxonomy`);

CREATE INDEX `ix_terms_taxonomy_slug` ON `terms` (`taxonomy`, `slug`);

CREATE INDEX `ix_terms_taxonomy_id` ON `terms` (`taxonomy`, `id`);

CREATE INDEX `ix_terms_taxonomy_name_sort_id` ON `terms` (`taxonomy`, `name_sort`, `id`);

CREATE INDEX `ix_terms_taxonomy_slug_id` ON `terms` (`taxonomy`, `slug`, `id`);

CREATE INDEX `ix_terms_taxonomy_term_group_id` ON `terms` (`taxonomy`, `term_group`, `id`);

CREATE INDEX `ix_terms_taxonomy_description_sort_id` ON `terms` (`taxonomy`, `description_sort`, `id`);

CREATE INDEX `ix_terms_taxonomy_count_id` ON `terms` (`taxonomy`, `count`, `id`);

CREATE INDEX `ix_terms_taxonomy_count_name_sort_id` ON `terms` (`taxonomy`, `count`, `name_sort`, `id`);

CREATE INDEX `ix_terms_taxonomy_slug_name_sort_id` ON `terms` (`taxonomy`, `slug`, `name_sort`, `id`);

CREATE INDEX `ix_terms_taxonomy_parent_name_sort_id` ON `terms` (`taxonomy`, `parent`, `name_sort`, `id`);

CREATE INDEX `ix_terms_taxonomy_name_key` ON `terms` (`taxonomy`, `name_key`);

CREATE TABLE `terms_meta` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `owner_id` BIGINT NOT NULL DEFAULT 0,
  `key` VARCHAR(255) NOT NULL DEFAULT '',
  `value` LONGTEXT NOT NULL DEFAULT (''),
  `structured` TINYINT NOT NULL DEFAULT 0,
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_terms_meta_owner_id_key` ON `terms_meta` (`owner_id`, `key`);

CREATE TABLE `comments` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `post` BIGINT NOT NULL DEFAULT 0,
  `parent` BIGINT NOT NULL DEFAULT 0,
  `author` BIGINT NOT NULL DEFAULT 0,
  `author_name` LONGTEXT NOT NULL DEFAULT (''),
  `author_url` LONGTEXT NOT NULL DEFAULT (''),
  `author_email` VARCHAR(320) NOT NULL DEFAULT '',
  `author_ip` VARCHAR(100) NOT NULL DEFAULT '',
  `author_user_agent` LONGTEXT NOT NULL DEFAULT (''),
  `date` VARCHAR(19) NOT NULL DEFAULT '',
  `date_gmt` VARCHAR(19) NOT NULL DEFAULT '',
  `content` LONGTEXT NOT NULL DEFAULT (''),
  `content_rendered` LONGTEXT NOT NULL DEFAULT (''),
  `status` VARCHAR(40) NOT NULL DEFAULT '',
  `type` VARCHAR(20) NOT NULL DEFAULT 'comment',
  `trashed_status` VARCHAR(40) NOT NULL DEFAULT '',
  `trashed_slug` VARCHAR(200) NOT NULL DEFAULT '',
  `trashed_at` VARCHAR(19) NULL,
  `marked_status` VARCHAR(40) NOT NULL DEFAULT '',
  `received_at` VARCHAR(19) NULL,
  `fingerprint` VARCHAR(64) NOT NULL DEFAULT '',
  `received_from` VARCHAR(100) NOT NULL DEFAULT '',
  `row_version` BIGINT NOT NULL DEFAULT 1,
  `type_sort` VARCHAR(191) NOT NULL DEFAULT '',
  `author_name_search` LONGTEXT NOT NULL DEFAULT (''),
  `author_url_search` LONGTEXT NOT NULL DEFAULT (''),
  `content_search` LONGTEXT NOT NULL DEFAULT (''),
  `author_email_search` LONGTEXT NOT NULL DEFAULT (''),
  `author_ip_search` LONGTEXT NOT NULL DEFAULT (''),
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_comments_status_date_id` ON `comments` (`status`, `date`, `id`);

CREATE INDEX `ix_comments_status_date_gmt_id` ON `comments` (`status`, `date_gmt`, `id`);

CREATE INDEX `ix_comments_status_id` ON `comments` (`status`, `id`);

CREATE INDEX `ix_comments_status_post_id` ON `comments` (`status`, `post`, `id`);

CREATE INDEX `ix_comments_status_parent_id` ON `comments` (`status`, `parent`, `id`);

CREATE INDEX `ix_comments_status_type_sort_id` ON `comments` (`status`, `type_sort`, `id`);

CREATE INDEX `ix_comments_status_author_date_gmt_id` ON `comments` (`status`, `author`, `date_gmt`, `id`);

CREATE INDEX `ix_comments_status_post_date_gmt_id` ON `comments` (`status`, `post`, `date_gmt`, `id`);

CREATE INDEX `ix_comments_status_parent_date_gmt_id` ON `comments` (`status`, `parent`, `date_gmt`, `id`);

CREATE INDEX `ix_comments_status_author_email_date_gmt_id` ON `comments` (`status`, `author_email`, `date_gmt`, `id`);

CREATE INDEX `ix_comments_status_date_date_gmt_id` ON `comments` (`status`, `date`, `date_gmt`, `id`);

CREATE INDEX `ix_comments_received_at` ON `comments` (`received_at`);

CREATE INDEX `ix_comments_fingerprint` ON `comments` (`fingerprint`);

CREATE TABLE `comments_meta` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `owner_id` BIGINT NOT NULL DEFAULT 0,
  `key` VARCHAR(255) NOT NULL DEFAULT '',
  `value` LONGTEXT NOT NULL DEFAULT (''),
  `structured` TINYINT NOT NULL DEFAULT 0,
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_comments_meta_owner_id_key` ON `comments_meta` (`owner_id`, `key`);

CREATE TABLE `contents_categories` (
  `owner_id` BIGINT NOT NULL,
  `target_id` BIGINT NOT NULL,
  PRIMARY KEY (
  `owner_id`,
  `target_id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_contents_categories_target_id_owner_id` ON `contents_categories` (`target_id`, `owner_id`);

CREATE TABLE `contents_tags` (
  `owner_id` BIGINT NOT NULL,
  `target_id` BIGINT NOT NULL,
  PRIMARY KEY (
  `owner_id`,
  `target_id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_contents_tags_target_id_owner_id` ON `contents_tags` (`target_id`, `owner_id`);

CREATE TABLE `settings` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `title` VARCHAR(255) NULL,
  `description` VARCHAR(255) NULL,
  `email` VARCHAR(255) NOT NULL DEFAULT '',
  `timezone` VARCHAR(60) NULL,
  `date_format` VARCHAR(255) NOT NULL DEFAULT 'F j, Y',
  `time_format` VARCHAR(255) NOT NULL DEFAULT 'g:i a',
  `start_of_week` BIGINT NOT NULL DEFAULT 1,
  `language` VARCHAR(60) NOT NULL DEFAULT 'en_US',
  `use_smilies` TINYINT NOT NULL DEFAULT 1,
  `default_category` BIGINT NOT NULL DEFAULT 0,
  `default_post_format` VARCHAR(255) NOT NULL DEFAULT '0',
  `posts_per_page` BIGINT NOT NULL DEFAULT 10,
  `show_on_front` VARCHAR(255) NOT NULL DEFAULT 'posts',
  `page_on_front` BIGINT NOT NULL DEFAULT 0,
  `page_for_posts` BIGINT NOT NULL DEFAULT 0,
  `default_ping_status` VARCHAR(255) NULL,
  `default_comment_status` VARCHAR(255) NULL,
  `site_logo` BIGINT NOT NULL DEFAULT 0,
  `site_icon` BIGINT NOT NULL DEFAULT 0,
  `row_version` BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE `users` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `username` VARCHAR(60) NOT NULL DEFAULT '',
  `name` VARCHAR(250) NOT NULL DEFAULT '',
  `first_name` VARCHAR(255) NOT NULL DEFAULT '',
  `last_name` VARCHAR(255) NOT NULL DEFAULT '',
  `email` VARCHAR(100) NOT NULL DEFAULT '',
  `url` VARCHAR(100) NOT NULL DEFAULT '',
  `description` LONGTEXT NOT NULL DEFAULT (''),
  `locale` VARCHAR(40) NOT NULL DEFAULT '',
  `nickname` VARCHAR(255) NOT NULL DEFAULT '',
  `slug` VARCHAR(50) NOT NULL DEFAULT '',
  `registered_date` VARCHAR(19) NOT NULL DEFAULT '',
  `password` VARCHAR(255) NOT NULL DEFAULT '',
  `extra` LONGTEXT NULL,
  `password_changed` BIGINT NOT NULL DEFAULT 0,
  `login_key` VARCHAR(191) NULL,
  `email_key` VARCHAR(191) NULL,
  `row_version` BIGINT NOT NULL DEFAULT 1,
  `name_sort` VARCHAR(191) NOT NULL DEFAULT '',
  `email_sort` VARCHAR(191) NOT NULL DEFAULT '',
  `url_sort` VARCHAR(191) NOT NULL DEFAULT '',
  `name_search` LONGTEXT NOT NULL DEFAULT (''),
  `username_search` LONGTEXT NOT NULL DEFAULT (''),
  `email_search` LONGTEXT NOT NULL DEFAULT (''),
  `url_search` LONGTEXT NOT NULL DEFAULT (''),
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_users_slug` ON `users` (`slug`);

CREATE INDEX `ix_users_name_sort_id` ON `users` (`name_sort`, `id`);

CREATE INDEX `ix_users_registered_date_id` ON `users` (`registered_date`, `id`);

CREATE INDEX `ix_users_slug_id` ON `users` (`slug`, `id`);

CREATE INDEX `ix_users_email_sort_id` ON `users` (`email_sort`, `id`);

CREATE INDEX `ix_users_url_sort_id` ON `users` (`url_sort`, `id`);

CREATE INDEX `ix_users_slug_name_sort_id` ON `users` (`slug`, `name_sort`, `id`);

CREATE UNIQUE INDEX `ux_users_login_key` ON `users` (`login_key`);

CREATE UNIQUE INDEX `ux_users_email_key` ON `users` (`email_key`);

CREATE TABLE `users_roles` (
  `owner_id` BIGINT NOT NULL,
  `value` VARCHAR(191) NOT NULL,
  `position` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (
  `owner_id`,
  `value`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_users_roles_value_owner_id` ON `users_roles` (`value`, `owner_id`);

CREATE TABLE `users_meta` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `owner_id` BIGINT NOT NULL DEFAULT 0,
  `key` VARCHAR(255) NOT NULL DEFAULT '',
  `value` LONGTEXT NOT NULL DEFAULT (''),
  `structured` TINYINT NOT NULL DEFAULT 0,
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_users_meta_owner_id_key` ON `users_meta` (`owner_id`, `key`);

CREATE TABLE `webhook_deliveries` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `webhook` BIGINT NOT NULL DEFAULT 0,
  `date` VARCHAR(19) NOT NULL DEFAULT '',
  `type` VARCHAR(140) NOT NULL DEFAULT '',
  `resource` VARCHAR(100) NOT NULL DEFAULT '',
  `item` BIGINT NOT NULL DEFAULT 0,
  `event` BIGINT NOT NULL DEFAULT 0,
  `state` VARCHAR(20) NOT NULL DEFAULT 'pending',
  `attempts` BIGINT NOT NULL DEFAULT 0,
  `due` BIGINT NOT NULL DEFAULT 0,
  `status` BIGINT NOT NULL DEFAULT 0,
  `error` TEXT NOT NULL DEFAULT (''),
  `took` BIGINT NOT NULL DEFAULT 0,
  `done` VARCHAR(19) NULL,
  `payload` LONGTEXT NOT NULL DEFAULT (''),
  `row_version` BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_webhook_deliveries_webhook_id` ON `webhook_deliveries` (`webhook`, `id`);

CREATE INDEX `ix_webhook_deliveries_type_id` ON `webhook_deliveries` (`type`, `id`);

CREATE INDEX `ix_webhook_deliveries_item_id` ON `webhook_deliveries` (`item`, `id`);

CREATE INDEX `ix_webhook_deliveries_state_id` ON `webhook_deliveries` (`state`, `id`);

CREATE INDEX `ix_webhook_deliveries_state` ON `webhook_deliveries` (`state`);

CREATE TABLE `webhooks` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `name` VARCHAR(100) NOT NULL DEFAULT '',
  `url` TEXT NOT NULL DEFAULT (''),
  `active` TINYINT NOT NULL DEFAULT 1,
  `events` LONGTEXT NULL,
  `resources` LONGTEXT NULL,
  `fields` LONGTEXT NULL,
  `secret` VARCHAR(100) NOT NULL DEFAULT '',
  `former_secret` VARCHAR(100) NOT NULL DEFAULT '',
  `former_until` BIGINT NOT NULL DEFAULT 0,
  `row_version` BIGINT NOT NULL DEFAULT 1,
  `name_sort` VARCHAR(191) NOT NULL DEFAULT '',
  PRIMARY KEY (
  `id`)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE INDEX `ix_webhooks_name_sort_id` ON `webhooks` (`name_sort`, `id`);
