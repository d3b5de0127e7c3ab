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
    about: 'a schema: rights without effect, or of what cannot have any',
    fields:
      '"box": {"type": "object", "properties": {"in": {"type": "string", "required": true, "write": "b.c"}}}, "made": {"type": "date", "readOnly": true, "write": true}, "pass": {"type": "password", "read": true}',
    lines: [
      '2:48 fields.box.properties.in: a member with its own rights cannot be required: callers who may not send it could not send the object (leave out "required")',
      '2:156 fields.made.write: has no effect: the field is read only (leave out "write")',
      '2:200 fields.pass.read: has no effect: nobody can read a password (leave out "read")',
    ],
  },
  {
    about: 'a schema: names in the rules of fields and members',
    fields:
      '"price": {"type": "integer", "read": {"rule": "reed"}}, "rows": {"type": "array", "items": {"type": "object", "properties": {"cost": {"type": "integer", "read": {"is": {"titel": "x"}}}}}}',
    lines: [
      '2:47 fields.price.read.rule: unknown rule "reed" (did you mean "read"?)',
      '2:170 fields.rows.items.properties.cost.read.is.titel: unknown field "titel" (did you mean "title"?)',
    ],
  },
  {
    about: 'a schema: rights of members that are only there in some forms of a value',
    fields:
      '"any": {"type": "object", "anyOf": [{"properties": {"a": {"type": "string", "read": true}}}], "additionalProperties": {"type": "object", "properties": {"b": {"write": true}}}}',
    lines: [
      '2:85 fields.any.anyOf.0.properties.a.read: only members in "properties" of the field or of its "items" have rights (move the member there)',
      '2:168 fields.any.additionalProperties.properties.b.write: only members in "properties" of the field or of its "items" have rights (move the member there)',
    ],
  },
  {
    about: 'a schema: key of a kind that names nothing',
    rest: '"key": "genres"',
    lines: ['3:8 key: the type references cannot name an item in a URL'],
  },
  {
    about: 'a schema: key that there is not',
    rest: '"key": "titel"',
    lines: ['3:8 key: unknown field "titel" (did you mean "title"?)'],
  },
  {
    about: 'a schema: codes that cannot be',
    rest: '"list": {"pageOutOfRange": "Too far"}, "errors": {"notFound": "no-such"}, "permissions": {"create": [{"needs": true, "error": "No!"}]}',
    lines: [
      '3:28 list.pageOutOfRange: "Too far" is not a valid name: lower-case letters, digits and _, beginning with a letter',
      '3:63 errors.notFound: "no-such" is not a valid name: lower-case letters, digits and _, beginning with a letter',
      '3:127 permissions.create.0.error: "No!" is not a valid name: lower-case letters, digits and _, beginning with a letter',
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
    lines: ['3:21 list.keyedBy: only the list of a static resource can be keyed by a field'],
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
    rest: '"params": {"p": {"filter": "in", "field": "pages", "resource": "genre", "function": "x"}}',
    lines: [
      '3:64 params.p.resource: the filter "in" takes no "resource"',
      '3:85 params.p.function: the filter "in" takes no "function"',
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
    rest: '"params": {"a": {"filter": "after", "field": "title"}, "b": {"filter": "contains", "field": "pages"}, "c": {"filter": "in", "field": "secret"}}',
    lines: [
      '4:46 params.a.field: the filter needs a stored field; "title": it cannot look at the type string, only at date, datetime, time',
      '4:93 params.b.field: the filter needs a stored field; "pages": it cannot look at the type integer, only at string, text, slug, rendered, email, uri',
      '4:134 params.c.field: the filter needs a stored field; "secret": it cannot look at the type password, only at id, integer, number, decimal, boolean, string, text, slug, date, datetime, time, uuid, email, uri, reference, references, strings',
    ],
  },
  {
    about: 'a schema: a filter without its keys',
    rest: '"params": {"p": {"filter": "referencedIn", "field": "genres"}, "f": {"filter": "function"}}',
    lines: ['3:17 params.p: "resource" is missing', '3:69 params.f: "function" is missing'],
  },
  {
    about: 'a schema: through what is no set',
    rest: '"params": {"p": {"filter": "referencedIn", "resource": "thing", "field": "author"}}',
    lines: ['3:17 params.p: "resource" and "field" must name a references field of another resource'],
  },
  {
    about: 'a schema: a function that there is not',
    rest: '"params": {"p": {"filter": "function", "function": "query-argument"}}',
    lines: ['3:52 params.p.function: unknown function; there are: query-arguments'],
  },
  {
    about: 'a schema: two parameters of one name',
    fields: '"a": {"type": "string", "filterable": ["in", "equals"]}, "b": {"type": "string", "filterable": true}',
    rest: '"params": {"b": {"filter": "prefix"}}',
    lines: [
      '2:39 fields.a.filterable: there is a parameter "a" already (give it another name with "param", or leave the other one out)',
      '2:96 fields.b.filterable: there is a parameter "b" already (give it another name with "param", or leave the other one out)',
    ],
  },
  {
    about: 'a schema: a filter that there is not',
    fields: '"d": {"type": "string", "filterable": {"between": true}}',
    lines: [
      '2:40 fields.d.filterable.between: unknown key "between" (allowed: equals, in, notIn, after, before, gte, lte, contains, prefix, positive)',
    ],
  },
  {
    about: 'a schema: arguments that mean nothing',
    rest: '"params": {"p": {"filter": "function", "function": "query-arguments", "options": {"arguments": {"ids": {"a": {"field": "author", "mtch": "all"}}, "idz": {"b": "author"}, "text": 1}}}}',
    lines: [
      '3:138 params.p.options.arguments.ids.a.mtch: unknown key "mtch"; this kind takes: field, match, tree, slug, private',
      '3:154 params.p.options.arguments.idz: unknown kind of argument; there are: ids, slugs, term, text, search, calendar, moment, dates, order, float, param, rule',
      '3:179 params.p.options.arguments.text: must be an object',
    ],
  },
  {
    about: 'a schema: an argument for a parameter that there is not',
    rest: '"params": {"p": {"filter": "function", "function": "query-arguments", "options": {"arguments": {"param": {"c": "offst"}}}}}',
    lines: ['3:112 params.p.options.arguments.param.c.param: unknown parameter "offst" (did you mean "offset"?)'],
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
      '2:627 fields.i.options.from: unknown column "titel" (did you mean "title"?)',
      '2:696 fields.j.options: the rows of a static resource are shown so; keep a list in the type "strings"',
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
    about: 'a schema: a reference to a static resource',
    fields: '"up": {"type": "reference", "to": "shelf"}',
    rest: '"list": {}',
    lines: ['2:35 fields.up.to: "shelf" is a static resource: its items have no ids to refer to'],
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
      '"a": {"type": "string", "defaultSetting": "lokale"}, "b": {"type": "integer", "defaultSetting": "locale"}, "c": {"type": "boolean", "enabledBy": "showAvatar"}',
    rest: '"list": {}',
    lines: [
      '2:43 fields.a.defaultSetting: "lokale" is not one of title, description, timezone, locale, defaultRole, defaultCommentStatus, defaultPingStatus, avatarUrl, avatarDefault, permalinkStructure (did you mean "locale"?)',
      '2:97 fields.b.defaultSetting: "locale" is not one of defaultCategory, commentMaxLinks, closeCommentsDaysOld, trashRetentionDays, passwordMinLength',
      '2:146 fields.c.enabledBy: "showAvatar" is not one of requireNameEmail, commentRegistration, allowAnonymousComments, commentModeration, commentPreviouslyApproved, closeCommentsForOldPosts, showAvatars, trash (did you mean "showAvatars"?)',
    ],
  },
  {
    about: 'a schema: a singleton of a list',
    traits: '"dated": {}',
    rest: '"singleton": true, "operations": ["list", "update"], "seeds": [{}, {}], "list": {}, "storage": {"table": "members"}',
    lines: [
      '2:21 traits.dated: traits are behaviours of items that are created (leave out "dated")',
      '3:1 singleton: its item needs its own table, and other resources use "members"',
      '3:35 operations.0: a singleton has one item: it cannot list; it offers retrieve and update',
      '3:68 seeds.1: a singleton has one item (leave out the others)',
      '3:73 list: a singleton has no use for "list"',
      '3:106 storage.table: table "members" is shared with resource "member", but nothing tells their rows apart (give both a "where" with different values of one column)',
    ],
  },
  {
    about: 'a schema: settings that nothing may change',
    fields: '"a": {"type": "string", "setting": "locale"}',
    rest: '"singleton": true',
    lines: [
      '2:36 fields.a.setting: "locale" is not one of title, description, timezone, defaultCommentStatus, defaultPingStatus',
    ],
  },
  {
    about: 'a schema: settings that many items would set, or that stand beside a value',
    fields:
      '"a": {"type": "string", "setting": "title"}, "b": {"type": "string", "setting": "description", "default": "x", "nullable": false}',
    rest: '"list": {}',
    lines: [
      '2:36 fields.a.setting: many items would set it (only fields of a "singleton" set settings)',
      '2:81 fields.b.setting: many items would set it (only fields of a "singleton" set settings)',
      '2:107 fields.b.default: without a value the setting is as configured (leave out "default")',
      '2:124 fields.b.nullable: null stands for the configured value (leave out "nullable")',
    ],
  },
  {
    about: 'a schema: a setting with two fields, and one that enables a field',
    fields:
      '"a": {"type": "string", "setting": "title"}, "b": {"type": "string", "setting": "title"}, "c": {"type": "boolean", "setting": "commentModeration"}, "d": {"type": "string", "enabledBy": "requireNameEmail"}, "e": {"type": "boolean", "setting": "requireNameEmail"}',
    rest: '"singleton": true',
    lines: [
      '2:81 fields.b.setting: the field "thing.a" sets "title" already (leave one of them out)',
      '2:186 fields.d.enabledBy: fields are enabled at the start, and "thing.e" changes "requireNameEmail" later (leave one of them out)',
    ],
  },
  {
    about: 'a schema: a register that there is not',
    rest: '"listsItselfIn": {"kinds": {}}',
    lines: ['3:19 listsItselfIn.kinds: there is no static resource "kinds"'],
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
      '3:61 links.writer.attributes.name: "$name" is not a column of "storage.where" of the items that "id" leads to',
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
    about: 'a schema: a static resource with the keys of a table',
    without: ['author', 'parent', 'genres', 'friends'],
    rest: '"key": "title", "storage": {"static": "thing"}, "operations": ["list", "create"], "seeds": [], "search": {"fields": ["title"]}, "params": {"p": {"filter": "equals", "field": "title"}}',
    lines: [
      '3:72 operations.1: a static resource cannot create; it offers list and retrieve',
      '3:83 seeds: a static resource has no use for "seeds"',
      '3:96 search: a static resource has no use for "search"',
      '3:156 params.p.filter: rows of a static resource are selected by "field" alone; leave out "filter"',
    ],
  },
  {
    about: 'a schema: a static resource without key',
    without: ['author', 'parent', 'genres', 'friends'],
    rest: '"storage": {"static": "thing"}',
    lines: ['3:23 storage.static: a static resource needs "key": the field that names its rows'],
  },
  {
    about: 'a schema: meta keys that could not be told apart',
    fields: `"m": {"type": "metadata", "keys": {"a": {}, "b": {"as": "a"}, "${'k'.repeat(256)}": {}}}, "n": {"type": "metadata", "read": false, "keys": {"a": {}}}`,
    lines: [
      '2:57 fields.m.keys.b.as: "a" is the name of the key "a" already (choose another name)',
      `2:323 fields.m.keys.${'k'.repeat(256)}: a key has 1 to 255 characters (choose another key, and show it under any name with "as")`,
      '2:384 fields.n.keys.a: the field "m" has this key already: both would show one value (choose another key)',
    ],
  },
  {
    about: 'a schema: meta keys in the table of a set',
    fields: '"m": {"type": "metadata", "keys": {"a": {}}}, "meta": {"type": "strings"}',
    lines: [
      '2:6 fields.m: its values are kept in the table "things_meta", as those of "meta" are (give "meta" another "column")',
    ],
  },
  {
    about: 'a schema: sets of other values',
    fields:
      '"a": {"type": "strings", "items": {"type": "integer"}}, "b": {"type": "references", "to": "genre", "items": {"type": ["integer", "string"]}}',
    lines: [
      '2:44 fields.a.items.type: each value of the type strings is of type string (leave out "type", or use a field of type array)',
      '2:118 fields.b.items.type: each value of the type references is of type integer (leave out "type", or use a field of type array)',
    ],
  },
  {
    about: 'a schema: parameters that every list or item has',
    rest: '"params": {"per_page": {"type": "string"}, "_fields": {"type": "string"}}, "itemParams": {"context": {"type": "string"}}',
    lines: [
      '3:44 params._fields: "_fields" is reserved by the engine (reserved: _links, _embedded, _fields, _embed, _envelope, _pretty, _method)',
    ],
  },
  {
    about: 'a schema: parameters of every list and item with another type',
    rest: '"params": {"per_page": {"type": "string"}}, "itemParams": {"context": {"type": "string"}}',
    lines: [
      '3:12 params.per_page: lists have a parameter "per_page" of their own (give it another name, or leave it out: "list" has what may be said of those parameters)',
      '3:60 itemParams.context: single items have a parameter "context" of their own (leave it out)',
    ],
  },
  {
    about: 'a schema: a filter named like a parameter of every request',
    fields: '"a": {"type": "string", "filterable": {"equals": {"param": "_method"}}}',
    lines: [
      '2:60 fields.a.filterable.equals.param: "_method" is reserved by the engine (reserved: _links, _embedded, _fields, _embed, _envelope, _pretty, _method)',
    ],
  },
  {
    about: 'a schema: two shapes of decimals in one column',
    fields:
      '"a": {"type": "decimal", "scale": 2}, "b": {"type": "decimal", "scale": 4, "column": "a", "readOnly": true}',
    lines: [
      '2:44 fields.b: the column "a" of the table "things" holds decimals of 18 digits, 2 of them after the point (give the field the same "precision" and "scale", or another "column")',
    ],
  },
  {
    about: 'a schema: the column of a password in another field',
    fields: '"a": {"type": "password"}, "b": {"type": "string", "column": "a", "readOnly": true}',
    lines: [
      '2:33 fields.b: the column "a" is that of a password, which no other field may show or change (give one of them another "column")',
    ],
  },
  {
    about: 'a schema: fields that cannot be switched off',
    fields:
      '"a": {"type": "string", "required": true, "unique": true, "enabledBy": "showAvatars"}, "b": {"type": "string", "enabledBy": "trash"}',
    rest: '"key": "a", "storage": {"partition": ["b"]}',
    lines: [
      '2:72 fields.a.enabledBy: the field names the items in URLs: it cannot be switched off (leave out "enabledBy")',
      '2:125 fields.b.enabledBy: the field is a column of "partition": it cannot be switched off (leave out "enabledBy")',
    ],
  },
  {
    about: 'a schema: bounds with no number between them',
    fields: '"a": {"type": "integer", "required": true, "exclusiveMinimum": 5, "maximum": 5}',
    lines: ['2:64 fields.a.exclusiveMinimum: exclusiveMinimum 5 is not less than maximum 5: no number is between them'],
  },
  {
    about: 'a schema: empty texts for numbers, and settings that do not fit',
    fields:
      '"a": {"type": "decimal", "default": ""}, "b": {"type": "integer", "backfill": ""}, "c": {"type": "string", "defaultSetting": "title", "maxLength": 3}',
    lines: [
      '2:37 fields.a.default: an empty text is not a value of the type decimal (leave it out)',
      '2:79 fields.b.backfill: an empty text is not a value of the type integer (leave it out)',
      '2:126 fields.c.defaultSetting: the setting is "Typecase": c must have at most 3 characters.',
    ],
  },
  {
    about: 'a schema: a guard about values that a creation does not see',
    fields:
      '"a": {"type": "date", "guard": {"needs": {"is": {"a": {"lt": "$now"}}}, "error": "no"}}, "b": {"type": "date", "guard": {"needs": {"is": {"a": {"lt": "$now"}}}, "error": "no", "on": "update"}}',
    lines: [
      '2:55 fields.a.guard.needs.is.a: this is checked when an item is created, and is never true then: rules cannot see the values of a new item (say what the values must be in "checks", and who may create in the rule "create")',
    ],
  },
  {
    about: 'a schema: a parent in a path under a name of JavaScript',
    rest: '"parent": {"resource": "member", "field": "author", "param": "__proto__"}',
    lines: ['3:62 parent.param: "__proto__" is a property of every JavaScript object (choose another name)'],
  },
  {
    about: 'a schema: a constant that no column holds',
    rest: '"storage": {"table": "t", "where": {"k": 1e20}}',
    lines: ['3:42 storage.where.k: 100000000000000000000 is greater than 9007199254740991'],
  },
  {
    about: 'a schema: a search in passwords',
    fields: '"a": {"type": "password"}',
    rest: '"search": {"fields": ["title", "a"]}, "permissions": {"list": [{"param": "search", "needs": true, "error": "no"}]}',
    lines: ['4:32 search.fields.1: a password cannot be searched (leave it out)'],
  },
  {
    about: 'a schema: exclusive bounds that an empty value breaks',
    fields: '"a": {"type": "integer", "exclusiveMinimum": 0}, "b": {"type": "number", "exclusiveMaximum": 0}',
    lines: [
      '2:46 fields.a.exclusiveMinimum: an item that is made without it would have 0, which breaks this: a must be greater than 0. (give it a default, or make it required or nullable)',
      '2:94 fields.b.exclusiveMaximum: an item that is made without it would have 0, which breaks this: b must be less than 0. (give it a default, or make it required or nullable)',
    ],
  },
];
