// Keys of a schema beside its traits that could not work or would have no effect. For trait-options.spec.ts.
import type { Case } from './thing-schema.js';

export const CASES: readonly Case[] = [
  {
    about: 'a schema: list.without',
    rest: '"list": {"without": ["serach"]}',
    lines: [
      '3:22 list.without.0: "serach" is not one of context, page, per_page, search, exclude, include, offset, order, orderby (did you mean "search"?)',
    ],
  },
  {
    about: 'a schema: key that does not tell items apart',
    rest: '"key": "title"',
    lines: ['3:8 key: two items could have the same title (make the field "title" unique)'],
  },
  {
    about: 'a schema: key of a kind that names nothing',
    rest: '"key": "genres"',
    lines: ['3:8 key: the type references cannot name an item in an address'],
  },
  {
    about: 'a schema: key that there is not',
    rest: '"key": "titel"',
    lines: ['3:8 key: unknown field "titel" (did you mean "title"?)'],
  },
  {
    about: 'a schema: codes that cannot be',
    rest: '"list": {"beyondLastPage": "Too far"}, "errors": {"notFound": "no-such"}, "permissions": {"create": [{"needs": true, "error": "No!"}]}',
    lines: [
      '3:28 list.beyondLastPage: "Too far" is no valid name: lower-case letters, digits and _, beginning with a letter',
      '3:63 errors.notFound: "no-such" is no valid name: lower-case letters, digits and _, beginning with a letter',
      '3:127 permissions.create.0.error: "No!" is no valid name: lower-case letters, digits and _, beginning with a letter',
    ],
  },
  {
    about: 'a schema: orderings without order',
    fields: '"secret": {"type": "password"}',
    rest: '"list": {"orderby": ["secret", "genres"]}',
    lines: [
      '4:22 list.orderby.0: lists cannot be ordered by the type password',
      '4:32 list.orderby.1: lists cannot be ordered by the type references',
    ],
  },
  {
    about: 'a schema: a keyed list of a table',
    rest: '"list": {"keyedBy": "title"}',
    lines: ['3:21 list.keyedBy: only the list of a registry can be keyed by a field'],
  },
  {
    about: 'a schema: a search that no list offers',
    rest: '"list": {"paginated": false}, "search": {"fields": ["title"]}',
    lines: ['3:31 search: lists that are not paginated cannot be searched (leave out "paginated": false)'],
  },
  {
    about: 'a schema: further fields of a search by words',
    rest: '"search": {"fields": ["title"], "privileged": {"fields": ["name"], "needs": "see"}}',
    lines: ['3:47 search.privileged: further fields are looked into with "mode": "phrase" only'],
  },
  {
    about: 'a schema: options of a filter that has none',
    rest: '"params": {"p": {"filter": "equals", "field": "pages", "options": {"a": 1}}}',
    lines: ['3:68 params.p.options.a: unknown key "a"'],
  },
  {
    about: 'a schema: wrong options of a filter',
    rest: '"params": {"p": {"filter": "prefix", "field": "title", "options": {"seperator": "/"}}}',
    lines: ['3:68 params.p.options.seperator: unknown key "seperator" (did you mean "separator"?)'],
  },
  {
    about: 'a schema: keys of another filter',
    rest: '"params": {"p": {"filter": "any", "field": "pages", "resource": "genre", "function": "x"}}',
    lines: [
      '3:65 params.p.resource: the filter "any" takes no "resource"',
      '3:86 params.p.function: the filter "any" takes no "function"',
    ],
  },
  {
    about: 'a schema: keys of a filter without one',
    rest: '"params": {"p": {"type": "integer", "field": "pages"}}',
    lines: ['3:46 params.p.field: "field" says something to a filter, and there is none (add "filter")'],
  },
  {
    about: 'a schema: filters on fields of the wrong kind',
    fields: '"secret": {"type": "password"}',
    rest: '"params": {"a": {"filter": "after", "field": "title"}, "b": {"filter": "contains", "field": "pages"}, "c": {"filter": "any", "field": "secret"}}',
    lines: [
      '4:46 params.a.field: the filter needs a stored field; "title": it cannot look at the type string, only at date, datetime',
      '4:93 params.b.field: the filter needs a stored field; "pages": it cannot look at the type integer, only at string, text, slug, rendered',
      '4:135 params.c.field: the filter needs a stored field; "secret": it cannot look at the type password, only at id, integer, number, boolean, string, text, slug, date, datetime, reference, references, strings',
    ],
  },
  {
    about: 'a schema: a filter without its keys',
    rest: '"params": {"p": {"filter": "through", "field": "genres"}, "f": {"filter": "function"}}',
    lines: ['3:17 params.p: "resource" is missing', '3:64 params.f: "function" is missing'],
  },
  {
    about: 'a schema: through what is no set',
    rest: '"params": {"p": {"filter": "through", "resource": "thing", "field": "author"}}',
    lines: ['3:17 params.p: "resource" and "field" must name a references field of another resource'],
  },
  {
    about: 'a schema: a function that there is not',
    rest: '"params": {"p": {"filter": "function", "function": "query-argument"}}',
    lines: ['3:52 params.p.function: unknown function; there are: query-arguments'],
  },
  {
    about: 'a schema: arguments that mean nothing',
    rest: '"params": {"p": {"filter": "function", "function": "query-arguments", "options": {"arguments": {"a": {"kind": "ids", "field": "author", "mtch": "all"}, "b": {"kind": "idz"}, "d": 1}}}}',
    lines: [
      '3:145 params.p.options.arguments.a.mtch: unknown key "mtch"; this kind takes: field, match, tree, slug, private',
      '3:167 params.p.options.arguments.b.kind: unknown kind of argument; there are: ids, slugs, term, text, search, calendar, moment, dates, order, float, param, rule',
      '3:180 params.p.options.arguments.d.kind: unknown kind of argument; there are: ids, slugs, term, text, search, calendar, moment, dates, order, float, param, rule',
    ],
  },
  {
    about: 'a schema: an argument for a parameter that there is not',
    rest: '"params": {"p": {"filter": "function", "function": "query-arguments", "options": {"arguments": {"c": {"kind": "param", "param": "offst"}}}}}',
    lines: ['3:129 params.p.options.arguments.c.param: unknown parameter "offst" (did you mean "offset"?)'],
  },
  {
    about: 'a schema: a filter of one item',
    rest: '"itemParams": {"p": {"filter": "equals", "field": "pages"}}',
    lines: ['3:32 itemParams.p.filter: only lists are filtered: "params" has their parameters'],
  },
  {
    about: 'a schema: a computed function without its options',
    fields: '"link": {"type": "computed", "function": "anchor-link"}',
    rest: '"list": {}',
    lines: ['2:9 fields.link: "options" is missing'],
  },
  {
    about: 'a schema: options of a computed function',
    fields: '"a": {"type": "computed", "function": "path-link", "options": {"colum": "title"}}',
    rest: '"list": {}',
    lines: ['2:64 fields.a.options.colum: unknown key "colum" (did you mean "column"?)'],
  },
  {
    about: 'a schema: names in options of computed functions',
    fields:
      '"a": {"type": "computed", "function": "path-link", "options": {"column": "titel"}}, "b": {"type": "computed", "function": "anchor-link", "options": {"through": "parnt"}}, "c": {"type": "computed", "function": "guid", "options": {"file": "fyle"}}, "d": {"type": "computed", "function": "file-url"}, "e": {"type": "computed", "function": "permalink", "options": {"style": "tree"}}, "f": {"type": "computed", "function": "granted-capabilities"}, "g": {"type": "computed", "function": "avatar-urls"}, "h": {"type": "computed", "function": "media-kind"}, "i": {"type": "computed", "function": "generated-slug", "options": {"from": "titel"}}, "j": {"type": "computed", "function": "flags", "options": {"column": "title"}}',
    rest: '"list": {}',
    lines: [
      '2:74 fields.a.options.column: unknown column "titel" (did you mean "title"?)',
      '2:161 fields.b.options.through: unknown field "parnt"; a field of type reference is needed here (did you mean "parent"?)',
      '2:238 fields.c.options.file: unknown column "fyle" (there are: id, title, name, text, status, author, parent, sticky, pages, kind)',
      '2:253 fields.d.options: the function "file-url" needs a column "file"',
      '2:361 fields.e.options: the function "permalink" needs a column "slug"',
      '2:361 fields.e.options: the function "permalink" needs a column "path"',
      '2:371 fields.e.options.style: trees are made of the trait "nested" with "path": true',
      '2:386 fields.f.options: the function "granted-capabilities" needs a field "roles" of type strings (declare it under "fields", or name another one in "roles")',
      '2:386 fields.f.options: the function "granted-capabilities" needs a column "extra"',
      '2:449 fields.g.options: the function "avatar-urls" needs a column "email"',
      '2:503 fields.h.options: the function "media-kind" needs a column "mime_type"',
      '2:618 fields.i.options: the function "generated-slug" needs a column "slug"',
      '2:627 fields.i.options.from: unknown column "titel" (did you mean "title"?)',
      '2:696 fields.j.options: the rows of a registry are shown so; keep a list in the type "strings"',
    ],
  },
  {
    about: 'a schema: batch without writing',
    rest: '"batch": true, "operations": ["list"]',
    lines: ['3:10 batch: batches write, and this resource offers no operation that writes (leave out "batch")'],
  },
  {
    about: 'a schema: selfAlias without accounts',
    rest: '"selfAlias": "me"',
    lines: ['3:14 selfAlias: stands for the account of the caller; this resource has no trait "account"'],
  },
  {
    about: 'a schema: seeds that do not fit',
    fields: '"link": {"type": "computed", "function": "path-link", "options": {"column": "title"}}',
    rest: '"seeds": [{"titel": "x"}, {"link": "x"}]',
    lines: [
      '4:12 seeds.0.titel: unknown field "titel" (did you mean "title"?)',
      '4:36 seeds.1.link: a field of type computed cannot be given',
    ],
  },
  {
    about: 'a schema: seeds with values that fields refuse',
    rest: '"seeds": [{"pages": "many", "status": "gone", "author": "x"}]',
    lines: [
      '3:21 seeds.0.pages: pages must be a whole number.',
      '3:39 seeds.0.status: status must be one of "draft" or "publish".',
      '3:57 seeds.0.author: author must be a whole number.',
    ],
  },
  {
    about: 'a schema: a reference to a registry',
    fields: '"up": {"type": "reference", "to": "shelf"}',
    rest: '"list": {}',
    lines: ['2:35 fields.up.to: "shelf" is a registry: its items have no ids to refer to'],
  },
  {
    about: 'a schema: seeds that lack or repeat',
    fields:
      '"code": {"type": "string", "unique": true, "required": true}, "label": {"type": "string", "required": true}',
    rest: '"seeds": [{"code": "a", "label": "x"}, {"code": "a"}]',
    lines: [
      '4:40 seeds.1: the required field "label" is missing',
      '4:49 seeds.1.code: another seed has this code already',
    ],
  },
  {
    about: 'a schema: a parent that is no reference',
    rest: '"parent": {"resource": "genre", "field": "title"}',
    lines: ['3:42 parent.field: "title" must be a reference to "genre"'],
  },
  {
    about: 'a schema: settings beside what they stand for',
    fields:
      '"a": {"type": "string", "enum": ["x"], "default": "x", "defaultSetting": "locale"}, "b": {"type": "string", "enum": ["x"], "enumSetting": "locales"}',
    rest: '"list": {}',
    lines: [
      '2:51 fields.a.default: "defaultSetting" says already what the default is (leave one of them out)',
      '2:74 fields.a.defaultSetting: the setting is "en_US", which is not one of x',
      '2:117 fields.b.enum: "enumSetting" says already what is allowed (leave one of them out)',
    ],
  },
  {
    about: 'a schema: settings that there are not',
    fields:
      '"a": {"type": "string", "defaultSetting": "lokale"}, "b": {"type": "integer", "defaultSetting": "locale"}, "c": {"type": "boolean", "setting": "showAvatar"}',
    rest: '"list": {}',
    lines: [
      '2:43 fields.a.defaultSetting: "lokale" is not one of title, description, timezone, locale, defaultRole, defaultCommentStatus, defaultPingStatus, avatarUrl, avatarDefault, permalinkStructure (did you mean "locale"?)',
      '2:97 fields.b.defaultSetting: "locale" is not one of defaultCategory, commentMaxLinks, closeCommentsDaysOld, trashRetentionDays, passwordMinLength',
      '2:144 fields.c.setting: "showAvatar" is not one of requireNameEmail, commentRegistration, allowAnonymousComments, commentModeration, commentPreviouslyApproved, closeCommentsForOldPosts, showAvatars, trash (did you mean "showAvatars"?)',
    ],
  },
  {
    about: 'a schema: a register that there is not',
    rest: '"registers": {"kinds": {}}',
    lines: ['3:15 registers.kinds: there is no registry "kinds"'],
  },
  {
    about: 'a schema: a partition by nothing',
    rest: '"storage": {"partition": ["stat"]}',
    lines: ['3:27 storage.partition.0: unknown column "stat" (did you mean "status"?)'],
  },
  {
    about: 'a schema: a reference to two tables',
    fields: '"up": {"type": "reference", "to": ["genre", "member"]}',
    rest: '"list": {}',
    lines: ['2:35 fields.up.to: "member" and "genre" do not share a table: one reference cannot lead to both'],
  },
  {
    about: 'a schema: a link that tells more of an item than its kind',
    rest: '"links": {"writer": {"id": "author", "attributes": {"name": "$name"}}}',
    lines: [
      '3:61 links.writer.attributes.name: "$name" is no column of "storage.where" of the items that "id" leads to',
    ],
  },
  {
    about: 'a schema: columns of two kinds',
    fields: '"name_key": {"type": "integer"}',
    rest: '"storage": {"table": "genres", "where": {"kynd": "thing"}}',
    lines: [
      '2:13 fields.name_key: the column "name_key" of the table "genres" holds varchar already, not integer (give the field another "column")',
    ],
  },
  {
    about: 'a schema: a registry with the keys of a table',
    without: ['author', 'parent', 'genres', 'friends'],
    rest: '"key": "title", "storage": {"registry": "thing"}, "operations": ["list", "create"], "seeds": [], "search": {"fields": ["title"]}, "params": {"p": {"filter": "equals", "field": "title"}}',
    lines: [
      '3:74 operations.1: a registry cannot create; it offers list and retrieve',
      '3:85 seeds: a registry has no use for "seeds"',
      '3:98 search: a registry has no use for "search"',
      '3:158 params.p.filter: rows of a registry are kept by "field" alone; leave out "filter"',
    ],
  },
  {
    about: 'a schema: a registry without key',
    without: ['author', 'parent', 'genres', 'friends'],
    rest: '"storage": {"registry": "thing"}',
    lines: ['3:25 storage.registry: a registry needs "key": the field that names its rows'],
  },
];
