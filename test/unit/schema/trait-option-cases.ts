// Options of every trait that are missing, named wrongly or of the wrong kind, with what their author reads. For trait-options.spec.ts.
import type { Case } from './thing-schema.js';

export const CASES: readonly Case[] = [
  {
    about: 'audited: no resource',
    traits: '"audited": {}',
    lines: ['2:23 traits.audited: "into" is missing'],
  },
  {
    about: 'audited: a resource that is no log',
    traits: '"audited": {"into": "member"}',
    lines: ['2:32 traits.audited.into: "member" must have the trait "audit-log"'],
  },
  {
    about: 'audited: an unknown resource',
    traits: '"audited": {"into": "membr"}',
    lines: ['2:32 traits.audited.into: unknown resource "membr" (did you mean "member"?)'],
  },
  {
    about: 'audit-log: less than nothing',
    traits: '"audit-log": {"keepDays": -1}',
    lines: ['2:38 traits.audit-log.keepDays: -1 is less than 0'],
  },
  {
    about: 'webhook: an option that it does not have',
    traits: '"webhook": {"of": "order"}',
    lines: ['2:24 traits.webhook.of: unknown key "of"'],
  },
  {
    about: 'webhook-delivery: no resource',
    traits: '"webhook-delivery": {}',
    lines: ['2:32 traits.webhook-delivery: "of" is missing'],
  },
  {
    about: 'authored: without its field',
    traits: '"authored": {"field": "writer"}',
    lines: [
      '2:34 traits.authored.field: unknown field "writer"; a field of type reference is needed here (there are: author, parent)',
    ],
  },
  {
    about: 'authored: the usual field is missing',
    traits: '"authored": {}',
    without: ['author'],
    lines: [
      '2:24 traits.authored: the trait "authored" needs a field "author" of type reference (declare it under "fields", or name another one in "field")',
    ],
  },
  {
    about: 'authored: a field of another kind',
    traits: '"authored": {"field": "title"}',
    lines: [
      '2:34 traits.authored.field: "title" is of type string; a field of type reference is needed here (there are: author, parent)',
    ],
  },
  {
    about: 'authored: a reference that leads elsewhere',
    traits: '"authored": {"field": "parent"}',
    lines: [
      '2:34 traits.authored.field: the reference "parent" must lead to "member", the resource with the trait "account"',
    ],
  },
  {
    about: 'authored: an option that there is not',
    traits: '"authored": {"fields": "author"}',
    lines: ['2:25 traits.authored.fields: unknown key "fields" (did you mean "field"?)'],
  },
  {
    about: 'classified: missing options',
    traits: '"classified": {}',
    lines: ['2:26 traits.classified: "fields" is missing'],
  },
  {
    about: 'classified: no field',
    traits: '"classified": {"fields": []}',
    lines: ['2:37 traits.classified.fields: has 0 items, at least 1 is expected'],
  },
  {
    about: 'classified: wrong names',
    traits: '"classified": {"fields": ["genre"], "defaults": {"genre": "defaultCategory"}, "counted": "published"}',
    lines: [
      '2:38 traits.classified.fields.0: unknown field "genre"; a field of type references is needed here (did you mean "genres"?)',
      '2:70 traits.classified.defaults.genre: unknown field "genre"; a field of type references is needed here (did you mean "genres"?)',
      '2:101 traits.classified.counted: "published" is not a value of the field "status" (did you mean "publish"?)',
    ],
  },
  {
    about: 'classified: a field of another kind',
    traits: '"classified": {"fields": ["title"]}',
    lines: [
      '2:38 traits.classified.fields.0: "title" is of type string; a field of type references is needed here (there are: genres, friends)',
    ],
  },
  {
    about: 'classified: no terms',
    traits: '"classified": {"fields": ["friends"]}',
    lines: [
      '2:38 traits.classified.fields.0: "friends" leads to "member", which has no trait "term": there is no count to keep',
    ],
  },
  {
    about: 'classified: an unknown setting',
    traits: '"classified": {"fields": ["genres"], "defaults": {"genres": "defaultCategry"}}',
    lines: [
      '2:72 traits.classified.defaults.genres: "defaultCategry" is not one of defaultCategory, commentMaxLinks, closeCommentsDaysOld, trashRetentionDays, passwordMinLength (did you mean "defaultCategory"?)',
    ],
  },
  {
    about: 'classified: no status',
    traits: '"classified": {"fields": ["genres"]}',
    without: ['status'],
    lines: [
      '2:26 traits.classified: the trait "classified" needs a field "status" of type string (items count by their status)',
    ],
  },
  {
    about: 'dated: wrong kinds',
    traits: '"dated": {"modified": "yes", "floating": "draft"}',
    lines: [
      '2:34 traits.dated.modified: expected true or false, found a string',
      '2:53 traits.dated.floating: expected a list of strings, found a string',
    ],
  },
  {
    about: 'dated: a status that there is not',
    traits: '"dated": {"floating": ["drafts"]}',
    lines: ['2:35 traits.dated.floating.0: "drafts" is not a value of the field "status" (did you mean "draft"?)'],
  },
  {
    about: 'dated: no status',
    traits: '"dated": {"floating": ["draft"]}',
    without: ['status'],
    lines: [
      '2:21 traits.dated: the trait "dated" needs a field "status" of type string (dates float by the status of an item)',
    ],
  },
  {
    about: 'dated: dates of another kind',
    traits: '"dated": {}',
    fields: '"date": {"type": "string"}, "modified": {"type": "datetime", "column": "changed"}',
    lines: [
      '2:18 fields.date.type: the trait "dated" needs "date" to be of type datetime, not string',
      '2:72 fields.modified.column: the trait "dated" reads the column "modified"; leave out "column" here',
    ],
  },
  {
    about: 'dated: dates of another clock',
    traits: '"dated": {}',
    fields: '"date": {"type": "datetime", "clock": "utc"}',
    lines: ['3:21 traits.dated: the field "date" must have the clock "site"'],
  },
  {
    about: 'entry: no parent and no fields',
    traits: '"entry": {}',
    lines: [
      '2:21 traits.entry: the trait "entry" needs a field "key" of type string (declare it under "fields")',
      '2:21 traits.entry: the trait "entry" needs a field "value" of type string or text (declare it under "fields")',
      '2:21 traits.entry: entries belong to a parent (add "parent" to the resource)',
    ],
  },
  { about: 'filled: missing options', traits: '"filled": {}', lines: ['2:22 traits.filled: "fields" is missing'] },
  {
    about: 'filled: wrong names',
    traits: '"filled": {"fields": ["titel", "text"]}',
    lines: [
      '2:34 traits.filled.fields.0: unknown field "titel"; a field of type string, text, rendered or slug is needed here (did you mean "title"?)',
    ],
  },
  {
    about: 'filled: a field of another kind',
    traits: '"filled": {"fields": ["pages"]}',
    lines: [
      '2:34 traits.filled.fields.0: "pages" is of type integer; a field of type string, text, rendered or slug is needed here (there are: title, name, text, status, kind)',
    ],
  },
  {
    about: 'force-delete: together with the trash',
    traits: '"trashable": {}, "force-delete": {}',
    lines: [
      '2:45 traits.force-delete: items that go to the trash need no other deletion (leave out "force-delete" or "trashable")',
    ],
  },
  {
    about: 'force-delete: an option that there is not',
    traits: '"force-delete": {"frist": true}',
    lines: ['2:29 traits.force-delete.frist: unknown key "frist" (did you mean "first"?)'],
  },
  { about: 'guarded: missing options', traits: '"guarded": {}', lines: ['2:23 traits.guarded: "through" is missing'] },
  {
    about: 'guarded: wrong names',
    traits: '"guarded": {"through": "parnt", "shown": "shwn", "orphans": "moderate"}',
    lines: [
      '2:35 traits.guarded.through: unknown field "parnt"; a field of type reference is needed here (did you mean "parent"?)',
      '2:53 traits.guarded.shown: unknown rule "shwn" (there are: read, create, edit, delete)',
      '2:72 traits.guarded.orphans: asks for a list parameter "parnt", which "params" does not have',
    ],
  },
  {
    about: 'guarded: a field of another kind',
    traits: '"guarded": {"through": "title"}',
    lines: [
      '2:35 traits.guarded.through: "title" is of type string; a field of type reference is needed here (there are: author, parent)',
    ],
  },
  {
    about: 'guarded: a capability that cannot be',
    traits: '"guarded": {"through": "parent", "orphans": "May Moderate"}',
    lines: [
      '2:56 traits.guarded.orphans: "May Moderate" is not a valid name: lower-case letters, digits and _ . : -, beginning with a letter',
    ],
  },
  {
    about: 'moderated: missing options',
    traits: '"moderated": {}',
    lines: [
      '2:25 traits.moderated: "on" is missing',
      '2:25 traits.moderated: "kind" is missing',
      '2:25 traits.moderated: "account" is missing',
    ],
  },
  {
    about: 'moderated: wrong names',
    traits: '"moderated": {"on": "parnt", "kind": "sort", "account": {"title": "nam"}}',
    lines: [
      '2:25 traits.moderated: the trait "moderated" needs a field "content" of type rendered (declare it under "fields", or name another one in "content")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_name" of type string or text (declare it under "fields", or name another one in "name")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_email" of type string or text (declare it under "fields", or name another one in "email")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_url" of type string or text (declare it under "fields", or name another one in "url")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_ip" of type string or text (declare it under "fields", or name another one in "address")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_user_agent" of type string or text (declare it under "fields", or name another one in "agent")',
      '2:32 traits.moderated.on: unknown field "parnt"; a field of type reference is needed here (did you mean "parent"?)',
      '2:49 traits.moderated.kind: unknown field "sort"; a field of type string is needed here (there are: title, name, status, kind)',
      '2:78 traits.moderated.account.title: unknown field of "member" "nam"; a field with a column is needed here (there are: id, username, email, friend)',
    ],
  },
  {
    about: 'moderated: parts that are not there',
    traits: '"moderated": {"on": "parent", "kind": "kind", "account": {}}',
    lines: [
      '2:25 traits.moderated: the trait "moderated" needs a field "content" of type rendered (declare it under "fields", or name another one in "content")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_name" of type string or text (declare it under "fields", or name another one in "name")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_email" of type string or text (declare it under "fields", or name another one in "email")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_url" of type string or text (declare it under "fields", or name another one in "url")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_ip" of type string or text (declare it under "fields", or name another one in "address")',
      '2:25 traits.moderated: the trait "moderated" needs a field "author_user_agent" of type string or text (declare it under "fields", or name another one in "agent")',
      '2:50 traits.moderated.kind: the field "kind" needs a "default": the kind that clients write',
    ],
  },
  {
    about: 'moderated: wrong targets',
    traits:
      '"moderated": {"on": "parent", "kind": "kind", "account": {}, "parent": "parent", "content": "text", "name": "title", "email": "title", "url": "title", "address": "title", "agent": "title", "accepts": {"opn": "yes"}, "owner": "ownr", "expiring": ["thng"]}',
    lines: [
      '2:50 traits.moderated.kind: the field "kind" needs a "default": the kind that clients write',
      '2:220 traits.moderated.accepts.opn: unknown field "opn"; a field with a column is needed here (there are: id, title, name, text, status, author, parent, sticky, pages, kind)',
      '2:237 traits.moderated.owner: unknown field "ownr"; a field of type reference is needed here (there are: author, parent)',
      '2:258 traits.moderated.expiring.0: "parent" does not lead to a resource "thng" (it leads to: thing)',
    ],
  },
  {
    about: 'nested: without its field',
    traits: '"nested": {}',
    without: ['parent'],
    lines: [
      '2:22 traits.nested: the trait "nested" needs a field "parent" of type reference (declare it under "fields", or name another one in "field")',
    ],
  },
  {
    about: 'nested: wrong names',
    traits: '"nested": {"field": "above", "with": ["membr"]}',
    lines: [
      '2:32 traits.nested.field: unknown field "above"; a field of type reference is needed here (there are: author, parent)',
      '2:50 traits.nested.with.0: unknown resource "membr" (did you mean "member"?)',
    ],
  },
  {
    about: 'nested: a reference that leads elsewhere',
    traits: '"nested": {"field": "author"}',
    lines: ['2:32 traits.nested.field: the reference "author" must lead to "thing"'],
  },
  {
    about: 'nested: paths without slugs',
    traits: '"nested": {"path": true}',
    lines: ['2:22 traits.nested: the trait "nested" needs the trait "sluggable": paths are made of slugs'],
  },
  {
    about: 'nested: resources of another table',
    traits: '"nested": {"with": ["member"]}',
    lines: ['2:32 traits.nested.with.0: "member" keeps its rows in another table than "thing"'],
  },
  {
    about: 'nested: a field of the author under the name of its column',
    traits: '"sluggable": {"from": "title"}, "nested": {"path": true}',
    fields: '"path": {"type": "string"}',
    lines: ['2:9 fields.path: the trait "nested" adds a column with this name (rename the field)'],
  },
  {
    about: 'protected: missing options',
    traits: '"protected": {}',
    lines: ['2:25 traits.protected: "fields" is missing'],
  },
  {
    about: 'protected: wrong names',
    traits: '"protected": {"fields": ["txt"], "excludes": "stick"}',
    lines: [
      '2:37 traits.protected.fields.0: unknown field "txt"; a field of type rendered is needed here (did you mean "text"?)',
      '2:57 traits.protected.excludes: unknown field "stick"; a field of type boolean is needed here (did you mean "sticky"?)',
    ],
  },
  {
    about: 'protected: fields of another kind',
    traits: '"protected": {"fields": ["title"], "excludes": "title"}',
    lines: [
      '2:37 traits.protected.fields.0: "title" is of type string; a field of type rendered is needed here (there are: text)',
      '2:59 traits.protected.excludes: "title" is of type string; a field of type boolean is needed here (there are: sticky)',
    ],
  },
  {
    about: 'protected: a password of another kind',
    traits: '"protected": {"fields": ["text"]}',
    fields: '"password": {"type": "password"}',
    lines: ['2:22 fields.password.type: the trait "protected" needs "password" to be of type string, not password'],
  },
  {
    about: 'published: missing options',
    traits: '"trashable": {}, "dated": {}, "published": {}',
    lines: ['2:55 traits.published: "capabilities" is missing'],
  },
  {
    about: 'published: an ending that cannot be',
    traits: '"trashable": {}, "dated": {}, "published": {"capabilities": "All Things"}',
    lines: [
      '2:72 traits.published.capabilities: "All Things" is not a valid name: lower-case letters, digits and _ . : -, beginning with a letter',
    ],
  },
  {
    about: 'published: wrong names',
    traits:
      '"trashable": {}, "dated": {}, "published": {"capabilities": "things", "author": "auther", "inherit": "parnt", "listed": "published"}',
    lines: [
      '2:92 traits.published.author: unknown field "auther"; a field of type reference is needed here (did you mean "author"?)',
      '2:113 traits.published.inherit: unknown field "parnt"; a field of type reference is needed here (did you mean "parent"?)',
      '2:132 traits.published.listed: "published" is not one of publish, future, draft, pending, private, trash, auto-draft, inherit, any',
    ],
  },
  {
    about: 'published: without the traits it builds on',
    traits: '"published": {"capabilities": "things"}',
    lines: [
      '2:25 traits.published: the trait "published" needs the trait "trashable": who may see what is in the trash depends on the status before',
      '2:25 traits.published: the trait "published" needs the trait "dated": items with a future date wait for it; without dates write "schedule": false',
    ],
  },
  {
    about: 'published: no owner',
    traits: '"trashable": {}, "published": {"capabilities": "things", "schedule": false}',
    without: ['author'],
    lines: [
      '2:42 traits.published: the trait "published" needs a field "author" of type reference (declare it under "fields", or name another one in "author")',
    ],
  },
  {
    about: 'published: a status of another kind',
    traits: '"trashable": {}, "published": {"capabilities": "things", "schedule": false}',
    without: ['status'],
    fields: '"status": {"type": "integer"}',
    lines: [
      '2:20 fields.status.type: the trait "trashable" needs "status" to be of type string, not integer',
      '2:20 fields.status.type: the trait "published" needs "status" to be of type string, not integer',
    ],
  },
  {
    about: 'reassignable: missing options',
    traits: '"reassignable": {}',
    lines: ['2:28 traits.reassignable: "references" is missing'],
  },
  {
    about: 'reassignable: half an option',
    traits: '"reassignable": {"references": [{"resource": "member"}]}',
    lines: ['2:44 traits.reassignable.references.0: "field" is missing'],
  },
  {
    about: 'reassignable: wrong names',
    traits:
      '"reassignable": {"references": [{"resource": "membr", "field": "friend"}, {"resource": "member", "field": "frend"}], "error": "Not Here"}',
    lines: [
      '2:138 traits.reassignable.error: "Not Here" is not a valid name: lower-case letters, digits and _, beginning with a letter',
    ],
  },
  {
    about: 'reassignable: wrong names of fields',
    traits:
      '"reassignable": {"references": [{"resource": "membr", "field": "friend"}, {"resource": "thing", "field": "titel"}]}',
    lines: [
      '2:57 traits.reassignable.references.0.resource: unknown resource "membr" (did you mean "member"?)',
      '2:117 traits.reassignable.references.1.field: unknown field "titel"; a field of type reference is needed here (there are: author, parent)',
    ],
  },
  {
    about: 'reassignable: a reference that leads elsewhere',
    traits: '"reassignable": {"references": [{"resource": "thing", "field": "author"}]}',
    lines: ['2:75 traits.reassignable.references.0.field: the reference "author" must lead to "thing"'],
  },
  {
    about: 'revision: missing options',
    traits: '"revision": {}',
    lines: ['2:24 traits.revision: "fields" is missing'],
  },
  {
    about: 'revision: no parent',
    traits: '"revision": {"fields": ["title"]}',
    lines: ['2:24 traits.revision: revisions belong to a parent (add "parent" to the resource)'],
  },
  {
    about: 'revision: a parent without revisions',
    traits: '"revision": {"fields": ["title", "txt"]}',
    rest: '"parent": {"resource": "member", "field": "author"}',
    lines: [
      '2:24 traits.revision: "member", the parent, must share the table of this resource and have the trait "revisioned"',
      '2:36 traits.revision.fields.0: "member" has no field "title" to restore',
      '2:45 traits.revision.fields.1: "member" has no field "txt" to restore',
    ],
  },
  {
    about: 'revisioned: missing options',
    traits: '"revisioned": {}',
    lines: ['2:26 traits.revisioned: "into" is missing', '2:26 traits.revisioned: "fields" is missing'],
  },
  {
    about: 'revisioned: wrong names',
    traits: '"revisioned": {"into": "thing-revision", "fields": ["titel"]}',
    lines: [
      '2:26 traits.revisioned: the trait "revisioned" needs a column "slug"',
      '2:26 traits.revisioned: the trait "revisioned" needs a column "date"',
      '2:26 traits.revisioned: the trait "revisioned" needs a column "date_gmt"',
      '2:26 traits.revisioned: the trait "revisioned" needs a column "modified"',
      '2:26 traits.revisioned: the trait "revisioned" needs a column "modified_gmt"',
      '2:35 traits.revisioned.into: unknown resource "thing-revision" (did you mean "thing"?)',
      '2:64 traits.revisioned.fields.0: unknown column "titel" (did you mean "title"?)',
    ],
  },
  {
    about: 'revisioned: another table',
    traits: '"sluggable": {"from": "title"}, "dated": {}, "revisioned": {"into": "member", "fields": ["title"]}',
    lines: ['2:80 traits.revisioned.into: "member" must have the table of this resource'],
  },
  {
    about: 'sluggable: missing options',
    traits: '"sluggable": {}',
    lines: ['2:25 traits.sluggable: "from" is missing'],
  },
  {
    about: 'sluggable: wrong kinds',
    traits: '"sluggable": {"from": ["title"], "blank": "draft", "maxLength": "long"}',
    lines: [
      '2:34 traits.sluggable.from: expected a string, found a list',
      '2:54 traits.sluggable.blank: expected a list of strings, found a string',
      '2:76 traits.sluggable.maxLength: expected a whole number, found a string',
    ],
  },
  {
    about: 'sluggable: wrong names',
    traits:
      '"sluggable": {"from": "titel", "scope": [{"kynd": 1}, {"parent": "$parnt"}], "blank": ["drafts"], "parent": "up"}',
    lines: [
      '2:34 traits.sluggable.from: unknown field "titel"; a field of type string, text, rendered, integer or date is needed here (did you mean "title"?)',
      '2:62 traits.sluggable.scope.0.kynd: unknown column "kynd" (did you mean "kind"?)',
      '2:77 traits.sluggable.scope.1.parent: unknown column "parnt" (did you mean "parent"?)',
      '2:99 traits.sluggable.blank.0: "drafts" is not a value of the field "status" (did you mean "draft"?)',
      '2:120 traits.sluggable.parent: unknown field "up"; a field of type reference is needed here (there are: author, parent)',
    ],
  },
  {
    about: 'sluggable: fields of another kind',
    traits: '"sluggable": {"from": "genres", "parent": "author"}',
    lines: [
      '2:34 traits.sluggable.from: "genres" is of type references; a field of type string, text, rendered, integer or date is needed here (there are: title, name, text, status, pages, kind)',
      '2:54 traits.sluggable.parent: the reference "author" must lead to "thing"',
    ],
  },
  {
    about: 'sluggable: a code that cannot be',
    traits: '"sluggable": {"from": "title", "taken": "Is taken"}',
    lines: [
      '2:52 traits.sluggable.taken: "Is taken" is not a valid name: lower-case letters, digits and _, beginning with a letter',
    ],
  },
  {
    about: 'sluggable: a slug in another column',
    traits: '"sluggable": {"from": "title"}',
    fields: '"slug": {"type": "slug", "column": "code"}',
    lines: ['2:36 fields.slug.column: the trait "sluggable" reads the column "slug"; leave out "column" here'],
  },
  {
    about: 'term: without name and slug',
    traits: '"term": {}',
    without: ['name'],
    lines: [
      '2:20 traits.term: the trait "term" needs a field "name" of type string or text (declare it under "fields")',
      '2:20 traits.term: the trait "term" needs a field "slug" of type slug or string (add the trait "sluggable")',
    ],
  },
  {
    about: 'term: wrong names',
    traits: '"sluggable": {"from": "title"}, "term": {"parent": "above", "fallback": "defaultCategry"}',
    lines: [
      '2:84 traits.term.fallback: "defaultCategry" is not one of defaultCategory, commentMaxLinks, closeCommentsDaysOld, trashRetentionDays, passwordMinLength (did you mean "defaultCategory"?)',
    ],
  },
  {
    about: 'term: a parent of another kind',
    traits: '"sluggable": {"from": "title"}, "term": {"parent": "author"}',
    lines: ['2:63 traits.term.parent: the reference "author" must lead to "thing"'],
  },
  {
    about: 'trashable: without status',
    traits: '"trashable": {}',
    without: ['status'],
    lines: [
      '2:25 traits.trashable: the trait "trashable" needs a field "status" of type string (declare it, or add the trait "published")',
    ],
  },
  {
    about: 'trashable: a status of another kind',
    traits: '"trashable": {}',
    without: ['status'],
    fields: '"status": {"type": "boolean"}',
    lines: ['2:20 fields.status.type: the trait "trashable" needs "status" to be of type string, not boolean'],
  },
  {
    about: 'trashable: half an option',
    traits: '"trashable": {"with": [{"resource": "member"}]}',
    lines: ['2:35 traits.trashable.with.0: "field" is missing', '2:35 traits.trashable.with.0: "mark" is missing'],
  },
  {
    about: 'trashable: wrong names',
    traits:
      '"trashable": {"with": [{"resource": "membr", "field": "friend", "mark": "away"}, {"resource": "genre", "field": "thing", "mark": "away"}], "resets": {"stiky": 0}}',
    lines: [
      '2:25 traits.trashable: the trait "trashable" needs a column "status" of "genre"',
      '2:25 traits.trashable: the trait "trashable" needs a column "marked_status" of "genre"',
      '2:48 traits.trashable.with.0.resource: unknown resource "membr" (did you mean "member"?)',
      '2:171 traits.trashable.resets.stiky: unknown column "stiky" (did you mean "sticky"?)',
    ],
  },
  {
    about: 'uploaded: wrong names',
    traits: '"uploaded": {"parent": "parnt", "title": "titel", "caption": "capt"}',
    lines: [
      '2:35 traits.uploaded.parent: unknown field "parnt"; a field of type reference is needed here (did you mean "parent"?)',
      '2:53 traits.uploaded.title: unknown field "titel"; a field of type string, text or rendered is needed here (did you mean "title"?)',
      '2:73 traits.uploaded.caption: unknown field "capt"; a field of type string, text or rendered is needed here (there are: title, name, text, status, kind, mime_type)',
    ],
  },
  {
    about: 'uploaded: fields of another kind',
    traits: '"uploaded": {"parent": "title", "title": "pages"}',
    lines: [
      '2:35 traits.uploaded.parent: "title" is of type string; a field of type reference is needed here (there are: author, parent)',
      '2:53 traits.uploaded.title: "pages" is of type integer; a field of type string, text or rendered is needed here (there are: title, name, text, status, kind, mime_type)',
    ],
  },
  {
    about: 'uploaded: sizes that are none',
    traits: '"uploaded": {"sizes": {"full": {"width": 9}, "none": {}, "cut": {"width": 9, "crop": true}}}',
    lines: [
      '2:43 traits.uploaded.sizes.full: "full" is the name of the image itself (choose another name)',
      '2:65 traits.uploaded.sizes.none: a size needs a width or a height (write { "width": 600 })',
      '2:76 traits.uploaded.sizes.cut: a size with "crop" needs a width and a height (leave out "crop")',
    ],
  },
  {
    about: 'account: without its fields',
    traits: '"account": {}',
    lines: [
      '2:23 traits.account: the trait "account" needs a field "username" of type string (declare it under "fields", or name another one in "username")',
      '2:23 traits.account: the trait "account" needs a field "email" of type string or email (declare it under "fields", or name another one in "email")',
      '2:23 traits.account: the trait "account" needs a field "password" of type password (declare it under "fields", or name another one in "password")',
      '2:23 traits.account: the trait "account" needs a field "roles" of type strings (declare it under "fields", or name another one in "roles")',
      '2:23 traits.account: "member" holds the accounts of this site already; a site has one such resource',
    ],
  },
  {
    about: 'account: a second resource of accounts',
    traits: '"account": {"username": "title", "email": "title", "password": "secret", "roles": "labels"}',
    fields: '"secret": {"type": "password"}, "labels": {"type": "strings"}',
    lines: ['3:23 traits.account: "member" holds the accounts of this site already; a site has one such resource'],
  },
  {
    about: 'account: wrong names',
    traits:
      '"account": {"username": "titel", "email": "genres", "password": "title", "roles": "title", "registered": "born", "locale": "pages", "tooLong": {"titel": "too_long", "text": "too_long"}, "fallbacks": {"name": [["titel"]]}, "authors": {"param": "who", "can": "write"}}',
    lines: [
      '2:23 traits.account: "member" holds the accounts of this site already; a site has one such resource',
      '2:36 traits.account.username: unknown field "titel"; a field of type string is needed here (did you mean "title"?)',
      '2:54 traits.account.email: "genres" is of type references; a field of type string or email is needed here (there are: title, name, status, kind)',
      '2:76 traits.account.password: "title" is of type string; a field of type password is needed here (there is none yet)',
      '2:94 traits.account.roles: "title" is of type string; a field of type strings is needed here (there is none yet)',
      '2:117 traits.account.registered: unknown field "born"; a field of type datetime is needed here (there is none yet)',
      '2:135 traits.account.locale: "pages" is of type integer; a field of type string is needed here (there are: title, name, status, kind)',
      '2:165 traits.account.tooLong.titel: unknown field "titel"; a field of type string, text or slug is needed here (did you mean "title"?)',
      '2:185 traits.account.tooLong.text: "text" is of type rendered; a field of type string, text or slug is needed here (there are: title, name, status, kind)',
      '2:222 traits.account.fallbacks.name.0.0: unknown field "titel"; a field of type string, text or slug is needed here (did you mean "title"?)',
      '2:255 traits.account.authors.param: there is no list parameter "who" (declare it under "params")',
    ],
  },
  {
    about: 'account: wrong kinds',
    traits:
      '"account": {"reserved": "root", "fallbacks": {"title": ["name"]}, "authors": {"param": "who"}, "promote": "Give Roles"}',
    lines: [
      '2:36 traits.account.reserved: expected a list of strings, found a string',
      '2:68 traits.account.fallbacks.title.0: expected a list of strings, found a string',
      '2:89 traits.account.authors: "can" is missing',
      '2:118 traits.account.promote: "Give Roles" is not a valid name: lower-case letters, digits and _ . : -, beginning with a letter',
    ],
  },
  {
    about: 'of a static resource: none are taken',
    traits: '"sluggable": {"from": "title"}',
    without: ['author', 'parent', 'genres', 'friends', 'status'],
    rest: '"key": "title", "operations": ["list"], "storage": {"static": "thing"}',
    lines: [
      '2:1 traits: a static resource takes no traits: its rows are fixed when the server starts (leave out "traits")',
    ],
  },
];
