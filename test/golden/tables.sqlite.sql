CREATE TABLE "contents" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "date" varchar(19),
  "date_gmt" varchar(19),
  "modified" varchar(19) NOT NULL DEFAULT '',
  "modified_gmt" varchar(19) NOT NULL DEFAULT '',
  "slug" varchar(200) NOT NULL DEFAULT '',
  "status" varchar(255) NOT NULL DEFAULT 'inherit',
  "type" varchar(255) NOT NULL DEFAULT 'attachment',
  "title" text NOT NULL DEFAULT '',
  "title_rendered" text NOT NULL DEFAULT '',
  "author" integer NOT NULL DEFAULT 0,
  "comment_status" varchar(255) NOT NULL DEFAULT 'open',
  "ping_status" varchar(255) NOT NULL DEFAULT 'closed',
  "template" varchar(255) NOT NULL DEFAULT '',
  "alt_text" text NOT NULL DEFAULT '',
  "caption" text NOT NULL DEFAULT '',
  "caption_rendered" text NOT NULL DEFAULT '',
  "content" text NOT NULL DEFAULT '',
  "content_rendered" text NOT NULL DEFAULT '',
  "mime_type" varchar(100) NOT NULL DEFAULT '',
  "media_details" text,
  "parent" integer NOT NULL DEFAULT 0,
  "trashed_status" varchar(40) NOT NULL DEFAULT '',
  "trashed_slug" varchar(200) NOT NULL DEFAULT '',
  "trashed_at" varchar(19),
  "file" varchar(400) NOT NULL DEFAULT '',
  "row_version" integer NOT NULL DEFAULT 1,
  "excerpt" text NOT NULL DEFAULT '',
  "password" varchar(255) NOT NULL DEFAULT '',
  "excerpt_rendered" text NOT NULL DEFAULT '',
  "featured_media" integer NOT NULL DEFAULT 0,
  "menu_order" integer NOT NULL DEFAULT 0,
  "date_floating" boolean NOT NULL DEFAULT 0,
  "path" text NOT NULL DEFAULT '',
  "revision_count" integer NOT NULL DEFAULT 0,
  "latest_revision" integer NOT NULL DEFAULT 0,
  "format" varchar(255) NOT NULL DEFAULT 'standard',
  "sticky" boolean NOT NULL DEFAULT 0,
  "liveblog_likes" integer NOT NULL DEFAULT 0,
  "title_sort" varchar(191) NOT NULL DEFAULT '',
  "search_text" text NOT NULL DEFAULT '',
  "caption_search" text NOT NULL DEFAULT '',
  "file_sort" varchar(191) NOT NULL DEFAULT '',
  "excerpt_search" text NOT NULL DEFAULT '');

CREATE INDEX "ix_contents_author_type_status" ON "contents" ("author", "type", "status");

DROP TRIGGER IF EXISTS "contents_search_text_fts_insert";

DROP TRIGGER IF EXISTS "contents_search_text_fts_delete";

DROP TRIGGER IF EXISTS "contents_search_text_fts_update";

DROP TABLE IF EXISTS "contents_search_text_fts";

CREATE VIRTUAL TABLE "contents_search_text_fts" USING fts5("search_text", content='contents', content_rowid='id', detail=none, columnsize=0, tokenize='trigram case_sensitive 1');

CREATE TRIGGER "contents_search_text_fts_insert" AFTER INSERT ON "contents" BEGIN INSERT INTO "contents_search_text_fts" (rowid, "search_text") VALUES (new."id", CASE WHEN new."search_text" = '' AND new."type" = 'attachment' THEN LOWER(new."title" || char(10) || new."caption" || char(10) || new."file" || char(10) || new."content") WHEN new."search_text" = '' AND new."type" = 'page' THEN LOWER(new."title" || char(10) || new."excerpt" || char(10) || new."content") WHEN new."search_text" = '' AND new."type" = 'post' THEN LOWER(new."title" || char(10) || new."excerpt" || char(10) || new."content") ELSE new."search_text" END); END;

CREATE TRIGGER "contents_search_text_fts_delete" AFTER DELETE ON "contents" BEGIN INSERT INTO "contents_search_text_fts" ("contents_search_text_fts", rowid, "search_text") VALUES ('delete', old."id", CASE WHEN old."search_text" = '' AND old."type" = 'attachment' THEN LOWER(old."title" || char(10) || old."caption" || char(10) || old."file" || char(10) || old."content") WHEN old."search_text" = '' AND old."type" = 'page' THEN LOWER(old."title" || char(10) || old."excerpt" || char(10) || old."content") WHEN old."search_text" = '' AND old."type" = 'post' THEN LOWER(old."title" || char(10) || old."excerpt" || char(10) || old."content") ELSE old."search_text" END); END;

CREATE TRIGGER "contents_search_text_fts_update" AFTER UPDATE OF "search_text", "type", "title", "caption", "file", "content", "excerpt" ON "contents" WHEN CASE WHEN old."search_text" = '' AND old."type" = 'attachment' THEN LOWER(old."title" || char(10) || old."caption" || char(10) || old."file" || char(10) || old."content") WHEN old."search_text" = '' AND old."type" = 'page' THEN LOWER(old."title" || char(10) || old."excerpt" || char(10) || old."content") WHEN old."search_text" = '' AND old."type" = 'post' THEN LOWER(old."title" || char(10) || old."excerpt" || char(10) || old."content") ELSE old."search_text" END IS NOT CASE WHEN new."search_text" = '' AND new."type" = 'attachment' THEN LOWER(new."title" || char(10) || new."caption" || char(10) || new."file" || char(10) || new."content") WHEN new."search_text" = '' AND new."type" = 'page' THEN LOWER(new."title" || char(10) || new."excerpt" || char(10) || new."content") WHEN new."search_text" = '' AND new."type" = 'post' THEN LOWER(new."title" || char(10) || new."excerpt" || char(10) || new."content") ELSE new."search_text" END BEGIN INSERT INTO "contents_search_text_fts" ("contents_search_text_fts", rowid, "search_text") VALUES ('delete', old."id", CASE WHEN old."search_text" = '' AND old."type" = 'attachment' THEN LOWER(old."title" || char(10) || old."caption" || char(10) || old."file" || char(10) || old."content") WHEN old."search_text" = '' AND old."type" = 'page' THEN LOWER(old."title" || char(10) || old."excerpt" || char(10) || old."content") WHEN old."search_text" = '' AND old."type" = 'post' THEN LOWER(old."title" || char(10) || old."excerpt" || char(10) || old."content") ELSE old."search_text" END); INSERT INTO "contents_search_text_fts" (rowid, "search_text") VALUES (new."id", CASE WHEN new."search_text" = '' AND new."type" = 'attachment' THEN LOWER(new."title" || char(10) || new."caption" || char(10) || new."file" || char(10) || new."content") WHEN new."search_text" = '' AND new."type" = 'page' THEN LOWER(new."title" || char(10) || new."excerpt" || char(10) || new."content") WHEN new."search_text" = '' AND new."type" = 'post' THEN LOWER(new."title" || char(10) || new."excerpt" || char(10) || new."content") ELSE new."search_text" END); END;

INSERT INTO "contents_search_text_fts" (rowid, "search_text") SELECT "id", CASE WHEN "contents"."search_text" = '' AND "contents"."type" = 'attachment' THEN LOWER("contents"."title" || char(10) || "contents"."caption" || char(10) || "contents"."file" || char(10) || "contents"."content") WHEN "contents"."search_text" = '' AND "contents"."type" = 'page' THEN LOWER("contents"."title" || char(10) || "contents"."excerpt" || char(10) || "contents"."content") WHEN "contents"."search_text" = '' AND "contents"."type" = 'post' THEN LOWER("contents"."title" || char(10) || "contents"."excerpt" || char(10) || "contents"."content") ELSE "contents"."search_text" END FROM "contents";

CREATE INDEX "ix_contents_slug" ON "contents" ("slug", "type");

CREATE INDEX "ix_contents_type_slug" ON "contents" ("type", "slug");

CREATE INDEX "ix_contents_type_status_date_id" ON "contents" ("type", "status", "date", "id");

CREATE INDEX "ix_contents_type_status_id" ON "contents" ("type", "status", "id");

CREATE INDEX "ix_contents_type_status_title_sort_id" ON "contents" ("type", "status", "title_sort", "id");

CREATE INDEX "ix_contents_type_status_slug_id" ON "contents" ("type", "status", "slug", "id");

CREATE INDEX "ix_contents_type_status_slug_date_id" ON "contents" ("type", "status", "slug", "date", "id");

CREATE INDEX "ix_contents_type_status_author_date_id" ON "contents" ("type", "status", "author", "date", "id");

CREATE INDEX "ix_contents_type_status_mime_type_date_id" ON "contents" ("type", "status", "mime_type", "date", "id");

CREATE INDEX "ix_contents_type_status_parent_date_id" ON "contents" ("type", "status", "parent", "date", "id");

CREATE INDEX "ix_contents_type_date_id" ON "contents" ("type", "date", "id");

CREATE INDEX "ix_contents_type_parent_id" ON "contents" ("type", "parent", "id");

CREATE INDEX "ix_contents_type_status_author_id" ON "contents" ("type", "status", "author", "id");

CREATE INDEX "ix_contents_type_status_modified_id" ON "contents" ("type", "status", "modified", "id");

CREATE INDEX "ix_contents_type_status_parent_id" ON "contents" ("type", "status", "parent", "id");

CREATE INDEX "ix_contents_type_status_menu_order_id" ON "contents" ("type", "status", "menu_order", "id");

CREATE INDEX "ix_contents_type_status_menu_order_date_id" ON "contents" ("type", "status", "menu_order", "date", "id");

CREATE INDEX "ix_contents_type_status_sticky_date_id" ON "contents" ("type", "status", "sticky", "date", "id");

CREATE TABLE "contents_meta" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "owner_id" integer NOT NULL DEFAULT 0,
  "key" varchar(255) NOT NULL DEFAULT '',
  "value" text NOT NULL DEFAULT '',
  "structured" boolean NOT NULL DEFAULT 0,
  "row_version" integer NOT NULL DEFAULT 1);

CREATE INDEX "ix_contents_meta_owner_id_key" ON "contents_meta" ("owner_id", "key");

CREATE INDEX "ix_contents_meta_owner_id_id" ON "contents_meta" ("owner_id", "id");

CREATE TABLE "audit_log" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "date" varchar(19) NOT NULL DEFAULT '',
  "user" integer NOT NULL DEFAULT 0,
  "action" varchar(40) NOT NULL DEFAULT '',
  "resource" varchar(100) NOT NULL DEFAULT '',
  "item" integer NOT NULL DEFAULT 0,
  "fields" text,
  "via" varchar(20) NOT NULL DEFAULT '',
  "credential" varchar(64) NOT NULL DEFAULT '',
  "ip" varchar(64) NOT NULL DEFAULT '',
  "agent" varchar(200) NOT NULL DEFAULT '',
  "request" varchar(64) NOT NULL DEFAULT '',
  "row_version" integer NOT NULL DEFAULT 1);

CREATE INDEX "ix_audit_log_date_id" ON "audit_log" ("date", "id");

CREATE INDEX "ix_audit_log_user_id" ON "audit_log" ("user", "id");

CREATE INDEX "ix_audit_log_action_id" ON "audit_log" ("action", "id");

CREATE INDEX "ix_audit_log_resource_id" ON "audit_log" ("resource", "id");

CREATE INDEX "ix_audit_log_item_id" ON "audit_log" ("item", "id");

CREATE TABLE "terms" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "count" integer NOT NULL DEFAULT 0,
  "description" text NOT NULL DEFAULT '',
  "name" varchar(600) NOT NULL DEFAULT '',
  "slug" varchar(200) NOT NULL DEFAULT '',
  "taxonomy" varchar(255) NOT NULL DEFAULT '',
  "parent" integer NOT NULL DEFAULT 0,
  "term_group" integer NOT NULL DEFAULT 0,
  "name_key" varchar(400) NOT NULL DEFAULT '',
  "path" text NOT NULL DEFAULT '',
  "row_version" integer NOT NULL DEFAULT 1,
  "name_sort" varchar(191) NOT NULL DEFAULT '',
  "description_sort" varchar(191) NOT NULL DEFAULT '',
  "name_search" text NOT NULL DEFAULT '');

CREATE INDEX "ix_terms_slug" ON "terms" ("slug", "taxonomy");

CREATE INDEX "ix_terms_taxonomy_slug" ON "terms" ("taxonomy", "slug");

CREATE INDEX "ix_terms_taxonomy_id" ON "terms" ("taxonomy", "id");

CREATE INDEX "ix_terms_taxonomy_name_sort_id" ON "terms" ("taxonomy", "name_sort", "id");

CREATE INDEX "ix_terms_taxonomy_slug_id" ON "terms" ("taxonomy", "slug", "id");

CREATE INDEX "ix_terms_taxonomy_term_group_id" ON "terms" ("taxonomy", "term_group", "id");

CREATE INDEX "ix_terms_taxonomy_description_sort_id" ON "terms" ("taxonomy", "description_sort", "id");

CREATE INDEX "ix_terms_taxonomy_count_id" ON "terms" ("taxonomy", "count", "id");

CREATE INDEX "ix_terms_taxonomy_count_name_sort_id" ON "terms" ("taxonomy", "count", "name_sort", "id");

CREATE INDEX "ix_terms_taxonomy_slug_name_sort_id" ON "terms" ("taxonomy", "slug", "name_sort", "id");

CREATE INDEX "ix_terms_taxonomy_parent_name_sort_id" ON "terms" ("taxonomy", "parent", "name_sort", "id");

CREATE INDEX "ix_terms_taxonomy_name_key" ON "terms" ("taxonomy", "name_key");

CREATE TABLE "terms_meta" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "owner_id" integer NOT NULL DEFAULT 0,
  "key" varchar(255) NOT NULL DEFAULT '',
  "value" text NOT NULL DEFAULT '',
  "structured" boolean NOT NULL DEFAULT 0);

CREATE INDEX "ix_terms_meta_owner_id_key" ON "terms_meta" ("owner_id", "key");

CREATE TABLE "comments" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "post" integer NOT NULL DEFAULT 0,
  "parent" integer NOT NULL DEFAULT 0,
  "author" integer NOT NULL DEFAULT 0,
  "author_name" text NOT NULL DEFAULT '',
  "author_url" text NOT NULL DEFAULT '',
  "author_email" varchar(320) NOT NULL DEFAULT '',
  "author_ip" varchar(100) NOT NULL DEFAULT '',
  "author_user_agent" text NOT NULL DEFAULT '',
  "date" varchar(19) NOT NULL DEFAULT '',
  "date_gmt" varchar(19) NOT NULL DEFAULT '',
  "content" text NOT NULL DEFAULT '',
  "content_rendered" text NOT NULL DEFAULT '',
  "status" varchar(40) NOT NULL DEFAULT '',
  "type" varchar(20) NOT NULL DEFAULT 'comment',
  "trashed_status" varchar(40) NOT NULL DEFAULT '',
  "trashed_slug" varchar(200) NOT NULL DEFAULT '',
  "trashed_at" varchar(19),
  "marked_status" varchar(40) NOT NULL DEFAULT '',
  "received_at" varchar(19),
  "fingerprint" varchar(64) NOT NULL DEFAULT '',
  "received_from" varchar(100) NOT NULL DEFAULT '',
  "row_version" integer NOT NULL DEFAULT 1,
  "type_sort" varchar(191) NOT NULL DEFAULT '',
  "author_name_search" text NOT NULL DEFAULT '',
  "author_url_search" text NOT NULL DEFAULT '',
  "content_search" text NOT NULL DEFAULT '',
  "author_email_search" text NOT NULL DEFAULT '',
  "author_ip_search" text NOT NULL DEFAULT '');

CREATE INDEX "ix_comments_status_date_id" ON "comments" ("status", "date", "id");

CREATE INDEX "ix_comments_status_date_gmt_id" ON "comments" ("status", "date_gmt", "id");

CREATE INDEX "ix_comments_status_id" ON "comments" ("status", "id");

CREATE INDEX "ix_comments_status_post_id" ON "comments" ("status", "post", "id");

CREATE INDEX "ix_comments_status_parent_id" ON "comments" ("status", "parent", "id");

CREATE INDEX "ix_comments_status_type_sort_id" ON "comments" ("status", "type_sort", "id");

CREATE INDEX "ix_comments_status_author_date_gmt_id" ON "comments" ("status", "author", "date_gmt", "id");

CREATE INDEX "ix_comments_status_post_date_gmt_id" ON "comments" ("status", "post", "date_gmt", "id");

CREATE INDEX "ix_comments_status_parent_date_gmt_id" ON "comments" ("status", "parent", "date_gmt", "id");

CREATE INDEX "ix_comments_status_author_email_date_gmt_id" ON "comments" ("status", "author_email", "date_gmt", "id");

CREATE INDEX "ix_comments_status_date_date_gmt_id" ON "comments" ("status", "date", "date_gmt", "id");

CREATE INDEX "ix_comments_received_at" ON "comments" ("received_at");

CREATE INDEX "ix_comments_fingerprint" ON "comments" ("fingerprint");

CREATE TABLE "comments_meta" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "owner_id" integer NOT NULL DEFAULT 0,
  "key" varchar(255) NOT NULL DEFAULT '',
  "value" text NOT NULL DEFAULT '',
  "structured" boolean NOT NULL DEFAULT 0);

CREATE INDEX "ix_comments_meta_owner_id_key" ON "comments_meta" ("owner_id", "key");

CREATE TABLE "contents_categories" (
  "owner_id" integer NOT NULL,
  "target_id" integer NOT NULL,
  PRIMARY KEY (
  "owner_id",
  "target_id")) WITHOUT ROWID;

CREATE INDEX "ix_contents_categories_target_id_owner_id" ON "contents_categories" ("target_id", "owner_id");

CREATE TABLE "contents_tags" (
  "owner_id" integer NOT NULL,
  "target_id" integer NOT NULL,
  PRIMARY KEY (
  "owner_id",
  "target_id")) WITHOUT ROWID;

CREATE INDEX "ix_contents_tags_target_id_owner_id" ON "contents_tags" ("target_id", "owner_id");

CREATE TABLE "settings" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "title" varchar(255),
  "description" varchar(255),
  "email" varchar(255) NOT NULL DEFAULT '',
  "timezone" varchar(60),
  "date_format" varchar(255) NOT NULL DEFAULT 'F j, Y',
  "time_format" varchar(255) NOT NULL DEFAULT 'g:i a',
  "start_of_week" integer NOT NULL DEFAULT 1,
  "language" varchar(60) NOT NULL DEFAULT 'en_US',
  "use_smilies" boolean NOT NULL DEFAULT 1,
  "default_category" integer NOT NULL DEFAULT 0,
  "default_post_format" varchar(255) NOT NULL DEFAULT '0',
  "posts_per_page" integer NOT NULL DEFAULT 10,
  "show_on_front" varchar(255) NOT NULL DEFAULT 'posts',
  "page_on_front" integer NOT NULL DEFAULT 0,
  "page_for_posts" integer NOT NULL DEFAULT 0,
  "default_ping_status" varchar(255),
  "default_comment_status" varchar(255),
  "site_logo" integer NOT NULL DEFAULT 0,
  "site_icon" integer NOT NULL DEFAULT 0,
  "row_version" integer NOT NULL DEFAULT 1);

CREATE TABLE "users" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "username" varchar(60) NOT NULL DEFAULT '',
  "name" varchar(250) NOT NULL DEFAULT '',
  "first_name" varchar(255) NOT NULL DEFAULT '',
  "last_name" varchar(255) NOT NULL DEFAULT '',
  "email" varchar(100) NOT NULL DEFAULT '',
  "url" varchar(100) NOT NULL DEFAULT '',
  "description" text NOT NULL DEFAULT '',
  "locale" varchar(40) NOT NULL DEFAULT '',
  "nickname" varchar(255) NOT NULL DEFAULT '',
  "slug" varchar(50) NOT NULL DEFAULT '',
  "registered_date" varchar(19) NOT NULL DEFAULT '',
  "password" varchar(255) NOT NULL DEFAULT '',
  "extra" text,
  "password_changed" integer NOT NULL DEFAULT 0,
  "login_key" varchar(191),
  "email_key" varchar(191),
  "row_version" integer NOT NULL DEFAULT 1,
  "name_sort" varchar(191) NOT NULL DEFAULT '',
  "email_sort" varchar(191) NOT NULL DEFAULT '',
  "url_sort" varchar(191) NOT NULL DEFAULT '',
  "name_search" text NOT NULL DEFAULT '',
  "username_search" text NOT NULL DEFAULT '',
  "email_search" text NOT NULL DEFAULT '',
  "url_search" text NOT NULL DEFAULT '');

CREATE INDEX "ix_users_slug" ON "users" ("slug");

CREATE INDEX "ix_users_name_sort_id" ON "users" ("name_sort", "id");

CREATE INDEX "ix_users_registered_date_id" ON "users" ("registered_date", "id");

CREATE INDEX "ix_users_slug_id" ON "users" ("slug", "id");

CREATE INDEX "ix_users_email_sort_id" ON "users" ("email_sort", "id");

CREATE INDEX "ix_users_url_sort_id" ON "users" ("url_sort", "id");

CREATE INDEX "ix_users_slug_name_sort_id" ON "users" ("slug", "name_sort", "id");

CREATE UNIQUE INDEX "ux_users_login_key" ON "users" ("login_key");

CREATE UNIQUE INDEX "ux_users_email_key" ON "users" ("email_key");

CREATE TABLE "users_roles" (
  "owner_id" integer NOT NULL,
  "value" varchar(191) NOT NULL,
  "position" integer NOT NULL DEFAULT 0,
  PRIMARY KEY (
  "owner_id",
  "value")) WITHOUT ROWID;

CREATE INDEX "ix_users_roles_value_owner_id" ON "users_roles" ("value", "owner_id");

CREATE TABLE "users_meta" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "owner_id" integer NOT NULL DEFAULT 0,
  "key" varchar(255) NOT NULL DEFAULT '',
  "value" text NOT NULL DEFAULT '',
  "structured" boolean NOT NULL DEFAULT 0);

CREATE INDEX "ix_users_meta_owner_id_key" ON "users_meta" ("owner_id", "key");

CREATE TABLE "webhook_deliveries" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "webhook" integer NOT NULL DEFAULT 0,
  "date" varchar(19) NOT NULL DEFAULT '',
  "type" varchar(140) NOT NULL DEFAULT '',
  "resource" varchar(100) NOT NULL DEFAULT '',
  "item" integer NOT NULL DEFAULT 0,
  "event" integer NOT NULL DEFAULT 0,
  "state" varchar(20) NOT NULL DEFAULT 'pending',
  "attempts" integer NOT NULL DEFAULT 0,
  "due" integer NOT NULL DEFAULT 0,
  "status" integer NOT NULL DEFAULT 0,
  "error" varchar(300) NOT NULL DEFAULT '',
  "took" integer NOT NULL DEFAULT 0,
  "done" varchar(19),
  "payload" text NOT NULL DEFAULT '',
  "row_version" integer NOT NULL DEFAULT 1);

CREATE INDEX "ix_webhook_deliveries_webhook_id" ON "webhook_deliveries" ("webhook", "id");

CREATE INDEX "ix_webhook_deliveries_type_id" ON "webhook_deliveries" ("type", "id");

CREATE INDEX "ix_webhook_deliveries_item_id" ON "webhook_deliveries" ("item", "id");

CREATE INDEX "ix_webhook_deliveries_state_id" ON "webhook_deliveries" ("state", "id");

CREATE INDEX "ix_webhook_deliveries_state" ON "webhook_deliveries" ("state");

CREATE TABLE "webhooks" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "name" varchar(100) NOT NULL DEFAULT '',
  "url" varchar(1000) NOT NULL DEFAULT '',
  "active" boolean NOT NULL DEFAULT 1,
  "events" text,
  "resources" text,
  "fields" text,
  "secret" varchar(100) NOT NULL DEFAULT '',
  "former_secret" varchar(100) NOT NULL DEFAULT '',
  "former_until" integer NOT NULL DEFAULT 0,
  "row_version" integer NOT NULL DEFAULT 1,
  "name_sort" varchar(191) NOT NULL DEFAULT '');

CREATE INDEX "ix_webhooks_name_sort_id" ON "webhooks" ("name_sort", "id");
