// Every error code that clients may receive, with its status and message. docs/errors.md contains the same table. A
// code with a second status has its main one here; the code that throws it overrides the status.
import type { ErrorStatus } from './resource-error.js';

type Entry = { status: ErrorStatus; message: string };

// An entry reads code: status, message.
const row = (status: ErrorStatus, message: string): Entry => ({ status, message });

const requests: Record<string, Entry> = {
  rest_no_route: row(404, 'No route matches this path and method. The index lists all routes.'),
  rest_invalid_json: row(400, 'The body is not a JSON object. Send an object such as {"title": "…"}, or no body.'),
  rest_missing_callback_param: row(400, 'A required parameter is missing. data.params names those to add.'),
  rest_invalid_param: row(400, 'A parameter has a value that is not allowed. data.params says why.'),
  rest_batch_not_allowed: row(400, 'Batches do not accept this request. Send it separately.'),
  parse_path_failed: row(400, 'The path of a request cannot be read. It begins with the namespace: /cms/v2/tags.'),
  rest_unknown_param: row(400, 'A parameter is unknown. Leave it out; data.params names it.'),
  rest_forbidden: row('auth', 'You may not do this. Sign in with an account that has the right.'),
  rest_forbidden_context: row('auth', 'You may not use the edit context. Use context=view, or sign in as an editor.'),
  rest_forbidden_status: row('auth', 'You may not list items of this status. Leave it out, or sign in as an editor.'),
  rest_encode_error: row(500, 'The response cannot be written as JSON. Please tell the operator of the site.'),
  internal_server_error: row(500, 'The server failed. Try again; if it fails again, tell the operator of the site.'),
  rest_metrics_token_required: row(401, 'The metrics require a token. Send it as Authorization: Bearer <token>.'),
  incorrect_password: row(401, 'The username or password is wrong. Check the Authorization header.'),
  rest_cannot_list_application_passwords: row('auth', 'You may not list the application passwords of this user.'),
  rest_cannot_read_application_password: row('auth', 'You may not read this application password.'),
  rest_cannot_create_application_passwords: row('auth', 'You may not create application passwords for this user.'),
  rest_cannot_edit_application_password: row('auth', 'You may not change this application password.'),
  rest_cannot_delete_application_passwords: row('auth', 'You may not delete the application passwords of this user.'),
  rest_cannot_delete_application_password: row('auth', 'You may not delete this application password.'),
  rest_application_password_not_found: row(404, 'This user has no application password with this uuid.'),
  rest_too_many_application_passwords: row(
    409,
    'This user has 100 application passwords, and more are not allowed. Delete some first.',
  ),
  rest_forbidden_scope: row(
    403,
    'The scope of this application password does not cover this request. Use another one.',
  ),
  rest_no_authenticated_app_password: row(404, 'This request did not sign in with an application password.'),
};

const content: Record<string, Entry> = {
  rest_post_invalid_id: row(404, 'There is no such item. Check the id and the kind of item in the path.'),
  rest_post_invalid_page_number: row(
    400,
    'The page lies beyond the last one. X-WP-TotalPages says how many there are.',
  ),
  rest_no_search_term_defined: row(400, 'Ordering by relevance needs a search. Add the search parameter.'),
  rest_orderby_include_missing_include: row(400, 'Ordering by include needs ids. Add the include parameter.'),
  rest_post_incorrect_password: row(403, 'The password of this item is wrong. Send the right one as password.'),
  rest_post_exists: row(
    400,
    'A new item gets its id from the server. Leave out the id, or update the item at its URL.',
  ),
  rest_cannot_create: row('auth', 'You may not create items of this kind.'),
  rest_cannot_edit: row('auth', 'You may not edit this item.'),
  rest_forbidden_field: row('auth', 'You may not set this field. Leave it out.'),
  rest_cannot_edit_others: row(
    'auth',
    'You may not write in the name of another author. Leave out author, or send your own id.',
  ),
  rest_cannot_assign_sticky: row('auth', 'You may not make items sticky. Leave out sticky.'),
  rest_cannot_assign_term: row('auth', 'You may not assign one of these terms. Leave it out.'),
  rest_cannot_publish: row('auth', 'You may not publish. Save with the status draft or pending.'),
  rest_cannot_delete: row('auth', 'You may not delete this.'),
  rest_item_in_use: row(409, 'Other items refer to this one. Delete those, or change what they refer to, first.'),
  rest_trash_not_supported: row(501, 'This cannot go to the trash. Send force=true to delete it for good.'),
  rest_already_trashed: row(410, 'This is in the trash already. Send force=true to delete it for good.'),
  rest_invalid_author: row(400, 'There is no user with this author id. Send the id of an existing user.'),
  rest_invalid_field: row(
    400,
    'These fields exclude each other. An item with a password cannot be sticky: send one of the two.',
  ),
  rest_invalid_featured_media: row(400, 'There is no media item with this id. Upload it first, or send 0 for none.'),
  empty_content: row(400, 'Title, content and excerpt are all empty. Fill at least one of them.'),
  invalid_date: row(400, 'This date is not in the calendar. Check month, day, time and offset.'),
  db_insert_error: row(500, 'The item could not be stored. Nothing was changed; try again.'),
  db_update_error: row(500, 'The change could not be stored. Nothing was changed; try again.'),
  rest_upload_no_data: row(
    400,
    'The upload is empty. Send the bytes of the file as body, or a multipart field named file.',
  ),
  rest_upload_no_content_type: row(400, 'The upload has no type. Add a Content-Type header such as image/png.'),
  rest_upload_no_content_disposition: row(
    400,
    'The upload has no name. Add Content-Disposition: attachment; filename="name.png".',
  ),
  rest_upload_invalid_disposition: row(
    400,
    'Content-Disposition names no file. Write attachment; filename="name.png".',
  ),
  rest_upload_hash_mismatch: row(412, 'The file does not match its Content-MD5. Send it again.'),
  rest_upload_file_error: row(500, 'The upload could not be written. Try again later.'),
  rest_upload_sideload_error: row(
    400,
    'This file is not accepted. Send one of the allowed types with a matching name.',
  ),
  rest_upload_unknown_error: row(400, 'This file is not accepted. Send one of the allowed types with a matching name.'),
  rest_file_url_wrong: row(403, 'This URL of a file was changed. Read the item again for its URL.'),
  rest_file_url_expired: row(403, 'This URL of a file has expired. Read the item again for its URL.'),
  rest_upload_file_too_big: row(413, 'The file is too big. Send a smaller one.'),
};

const comments: Record<string, Entry> = {
  rest_comment_invalid_id: row(404, 'There is no comment with this id.'),
  rest_webhook_invalid_id: row(404, 'There is no webhook with this id.'),
  rest_webhook_delivery_invalid_id: row(404, 'There is no delivery with this id.'),
  rest_audit_log_invalid_id: row(404, 'There is no entry of the audit log with this id.'),
  rest_cannot_read: row('auth', 'You may not read this.'),
  rest_cannot_read_post: row(
    'auth',
    'You may not read the post of this comment. If it has a password, send it as password.',
  ),
  rest_forbidden_param: row('auth', 'You may not use this list parameter. Leave it out, or sign in as a moderator.'),
  rest_comment_login_required: row(401, 'Sign in to comment.'),
  rest_comment_invalid_author: row('auth', 'You may not comment in the name of another user. Leave out author.'),
  rest_comment_invalid_author_ip: row('auth', 'You may not set the IP address of a comment. Leave out author_ip.'),
  rest_comment_invalid_status: row('auth', 'You may not set the status of a comment. Leave out status.'),
  rest_comment_invalid_post_id: row(403, 'A comment needs an existing post. Send its id as post.'),
  rest_comment_invalid_parent: row(400, 'A reply needs a comment on the same post. Send its id as parent, or 0.'),
  rest_comment_draft_post: row(403, 'This post is not published yet. Comment once it is.'),
  rest_comment_trash_post: row(403, 'This post is in the trash. Restore it before commenting.'),
  rest_comment_closed: row(403, 'This post accepts no more comments.'),
  rest_comment_exists: row(
    400,
    'A new comment gets its id from the server. Leave out the id, or update it at its URL.',
  ),
  rest_invalid_comment_type: row(400, 'Only comments of the type "comment" can be created. Leave out type.'),
  rest_comment_content_invalid: row(400, 'The comment is empty. Send some text as content.'),
  rest_comment_author_invalid: row(400, 'There is no user with this author id. Send the id of an existing user.'),
  rest_comment_author_data_required: row(
    400,
    'A comment needs a name and an e-mail address. Send author_name and author_email.',
  ),
  comment_author_column_length: row(400, 'The name is too long. Shorten author_name to 245 bytes.'),
  comment_author_email_column_length: row(400, 'The e-mail address is too long. Shorten author_email to 100 bytes.'),
  comment_author_url_column_length: row(400, 'The URL is too long. Shorten author_url to 200 bytes.'),
  comment_content_column_length: row(400, 'The comment is too long. Shorten content to 65525 bytes.'),
  comment_duplicate: row(409, 'The same comment has been posted already. Change the text to post another.'),
  comment_flood: row(400, 'You are commenting too fast. Wait a few seconds and send it again.'),
  rest_comment_invalid_type: row(404, 'The type of a comment cannot change. Leave out type.'),
  rest_comment_failed_create: row(500, 'The comment could not be stored. Try again.'),
  rest_comment_failed_edit: row(500, 'The change of the comment could not be stored. Try again.'),
};

const users: Record<string, Entry> = {
  rest_user_invalid_id: row(404, 'There is no user with this id.'),
  rest_user_cannot_view: row('auth', 'You may not read this user, or filter users by role.'),
  rest_forbidden_orderby: row('auth', 'You may not order users this way. Use another orderby, such as name.'),
  rest_forbidden_who: row('auth', 'You may not list authors this way. Leave out who.'),
  rest_not_logged_in: row(401, 'Nobody is signed in. Send credentials in the Authorization header.'),
  rest_cannot_create_user: row('auth', 'You may not create users.'),
  rest_user_exists: row(
    400,
    'A new user gets its id from the server. Leave out the id, or update the user at its URL.',
  ),
  rest_user_invalid_email: row(400, 'Another account has this e-mail address. Send another one.'),
  rest_user_invalid_argument: row(400, 'The username cannot change. Leave out username.'),
  rest_user_invalid_slug: row(400, 'Another user has this slug. Send another one.'),
  rest_user_invalid_role: row(400, 'This role does not exist or cannot be given. Send one of the roles of this site.'),
  rest_user_invalid_username: row(400, 'This username is not allowed. Use letters, digits, spaces and _ . - @ only.'),
  rest_user_invalid_password: row(
    400,
    'This password is not allowed. Use a longer, less common one without a backslash.',
  ),
  rest_cannot_edit_roles: row('auth', 'You may not change the roles of this user. Leave out roles.'),
  rest_user_cannot_delete: row('auth', 'You may not delete this user.'),
  rest_user_invalid_reassign: row(
    400,
    'The content cannot go to this user. Send the id of another existing user, or false.',
  ),
  existing_user_login: row(400, 'This username is taken. Choose another one.'),
  existing_user_email: row(400, 'This e-mail address is in use. Send another one.'),
  user_login_too_long: row(400, 'The username is too long. Use at most 60 characters.'),
  user_nicename_too_long: row(400, 'The slug is too long. Use at most 50 characters.'),
  user_url_too_long: row(400, 'The URL is too long. Use at most 100 characters.'),
};

const terms: Record<string, Entry> = {
  rest_term_invalid: row(404, 'There is no such term in this taxonomy. Check the id.'),
  rest_taxonomy_not_hierarchical: row(400, 'Terms of this taxonomy have no parents. Leave out parent.'),
  rest_cannot_update: row('auth', 'You may not change this.'),
  term_exists: row(400, 'A term with this name exists; data.term_id is its id. Use it, or send another name or slug.'),
  empty_term_name: row(400, 'The name is empty. Send a name with at least one visible character.'),
  invalid_term_name: row(400, 'This name is not allowed. Send another one.'),
  duplicate_term_slug: row(400, 'Another term of this taxonomy has this slug. Send another one.'),
  rest_taxonomy_invalid: row(404, 'There is no such taxonomy. The list of taxonomies names them.'),
  rest_cannot_view: row('auth', 'You may not read these settings. Use context=view, or sign in as an editor.'),
  rest_type_invalid: row(404, 'There is no such type. The list of types names them.'),
  rest_cannot_read_type: row('auth', 'You may not read this type.'),
  rest_search_invalid_page_number: row(
    400,
    'The page lies beyond the last one. X-WP-TotalPages says how many there are.',
  ),
  rest_status_invalid: row(404, 'There is no such status. The list of statuses names them.'),
  rest_cannot_read_status: row('auth', 'You may not read this status.'),
};

const histories: Record<string, Entry> = {
  rest_post_invalid_parent: row(404, 'There is no such parent. Check the id and the kind of item in the path.'),
  rest_revision_parent_id_mismatch: row(404, 'This revision belongs to another item. Request it below its own parent.'),
  rest_revision_invalid_page_number: row(
    400,
    'The page lies beyond the last one. X-WP-TotalPages says how many there are.',
  ),
  rest_meta_invalid_id: row(404, 'There is no meta entry with this id.'),
  rest_meta_post_mismatch: row(400, 'This meta entry belongs to another post. Request it below its own post.'),
  rest_meta_protected: row(
    403,
    'This meta entry is protected: its key starts with an underscore or its value is structured.',
  ),
  rest_meta_invalid_key: row(400, 'The key is empty after cleaning. Send a key with at least one visible character.'),
  rest_meta_data_invalid: row(400, 'Nothing to change. Send key, value or both.'),
  rest_meta_could_not_add: row(400, 'The meta entry could not be stored. Check key and value.'),
  rest_meta_could_not_update: row(500, 'The change of the meta entry could not be stored. Try again.'),
  rest_meta_could_not_delete: row(500, 'The meta entry could not be deleted. Try again.'),
  rest_meta_database_error: row(500, 'The meta value could not be stored. Try again.'),
  rest_post_invalid_action: row(
    400,
    'This meta value is structured and cannot change here. Use the meta field of the post.',
  ),
};

const own: Record<string, Entry> = {
  rest_invalid_token: row(
    401,
    'The token has expired, was revoked, or is not from this site. Get a new one with your password or refresh token.',
  ),
  rest_idempotency_key_reused: row(
    422,
    'This Idempotency-Key belongs to another request. Use a new key for each request.',
  ),
  rest_invalid_idempotency_key: row(400, 'Idempotency-Key must be 1 to 255 visible ASCII characters.'),
  rest_precondition_failed: row(412, 'The item has changed since you read it. Fetch it again and repeat your change.'),
  rest_response_too_large: row(
    413,
    'The response would be too big. Request fewer items (per_page) or fewer fields (_fields).',
  ),
  rest_bad_request: row(400, 'This is not a valid HTTP request. Check its syntax.'),
  rest_request_timeout: row(408, 'The request took too long to arrive. Send it again without pauses.'),
  rest_request_too_large: row(413, 'The body is too big. Send less at once.'),
  rest_text_too_costly: row(413, 'A text takes too long to process. Nothing was changed; send less, or in parts.'),
  rest_uri_too_long: row(414, 'The URL is too long. Request fewer items at once.'),
  rest_unsupported_media_type: row(415, 'Bodies of this type are not read. Send application/json in UTF-8.'),
  rest_headers_too_large: row(431, 'There are too many headers, or they are too long. Send fewer or shorter ones.'),
  rest_too_many_requests: row(429, 'Too many requests. Wait for as many seconds as Retry-After says.'),
  rest_insufficient_storage: row(507, 'There is no room left to store this. Nothing was changed; tell the operator.'),
  rest_unavailable: row(503, 'The server is busy. Try again after as many seconds as Retry-After says.'),
};

/** Status and message by code. */
export const catalogue: Record<string, Entry | undefined> = {
  ...requests,
  ...content,
  ...comments,
  ...users,
  ...terms,
  ...histories,
  ...own,
};
