// Broken schemas, each with the exact line that its author reads.
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { formatProblem } from '../../../src/errors/problem.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import { checkGrammar, checkReferences } from '../../../src/schema/check/check-grammar.js';
import { grammarSchema } from '../../../src/schema/grammar/grammar.js';
import { parseSchema } from '../../../src/schema/load/load.js';
import { registries } from './fake-registries.js';

const parse = (texts: Record<string, string>) =>
  Object.entries(texts).map(([file, text]) => parseSchema(file, text).file);
const grammar = (text: string) => checkGrammar(parse({ 'book.json': text }), registries).map(formatProblem);
const references = (texts: Record<string, string>, extended: Record<string, unknown> = {}) =>
  checkReferences(parse(texts), new Map(Object.entries(extended) as [string, ResourceSchema][])).map(formatProblem);

/** A whole file around some members, on the second line. */
const book = (rest: string, head = '"name": "book", "path": "books", "fields": {}') => `{${head},\n${rest}}`;
/** A whole file around some fields, on the second line. */
const fields = (rest: string) => `{"name": "book", "path": "books", "fields": {\n${rest}}}`;

const LIBRARY = {
  'author.json':
    '{"name": "author", "path": "authors", "fields": {"name": {"type": "string"}}, "permissions": {"rules": {"own": true}}}',
};

const SOUND = `{
  "$schema": "../typecase.schema.json",
  "name": "book", "path": "books", "description": "A book.", "labels": {"singular": "Book", "plural": "Books"},
  "parent": {"resource": "author", "param": "author", "field": "author", "errors": {"notFound": "no_author"}},
  "operations": ["list", "retrieve"],
  "storage": {"table": "books", "where": {"kind": "book"}, "partition": ["kind"]},
  "key": "slug",
  "fields": {
    "slug": {"type": "string", "maxLength": 20, "pattern": "^[a-z-]+$", "default": "a-b", "unique": true, "sanitize": "plain"},
    "pages": {"type": "integer", "minimum": 1, "maximum": 10, "default": 3, "contexts": ["view"], "nullable": true},
    "kind": {"type": "string", "enum": ["novel", "essay"], "default": "novel", "column": "book_kind"},
    "title": {"type": "rendered", "from": "slug", "default": ""},
    "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "default": "a, b"},
    "author": {"type": "reference", "to": "author", "emptyValue": null, "default": null},
    "editors": {"type": "references", "to": ["author"], "default": [1]},
    "size": {"type": "object", "properties": {"width": {"type": "number", "contexts": ["edit"], "readOnly": true}}, "additionalProperties": false},
    "meta": {"type": "meta", "keys": {"rating": {"type": "integer", "default": 3, "needs": {"can": "rate"}}, "notes": {"single": false, "default": ["x"]}}},
    "link": {"type": "computed", "function": "permalink", "options": {}, "returns": {"type": "string"}, "readOnly": true}
  },
  "list": {"orderby": ["slug", "include", "relevance", "best", "id"], "orderings": {"best": "rank"}, "defaultOrderby": "best", "selfLink": false, "collectionLink": false},
  "params": {
    "kind": {"filter": "equals", "field": "book_kind", "default": null},
    "editor": {"filter": "in", "field": "editors", "default": "1,2"},
    "author_name": {"filter": "referencedIn", "resource": "author", "field": "name"},
    "rating": {"filter": "equals", "field": "meta.rating"}
  },
  "search": {"fields": ["title"], "privileged": {"fields": ["slug"], "needs": "edit_books"}},
  "traits": {"sluggable": {"from": "title"}, "trashable": {"needs": {"any": [{"can": "x"}, false]}}},
  "permissions": {
    "rules": {"mine": {"is": {"author": "$me", "kind": ["novel"]}}, "edit": {"any": [{"rule": "mine"}, {"through": "author", "rule": "own"}, {"orphaned": "author"}]}},
    "update": [{"field": ["slug"], "needs": {"not": {"rule": "read"}}, "error": "no", "asParameterError": true}]
  },
  "links": {"author": {"to": "author", "id": "author"}, "up": [{"to": "book", "query": {"kind": "kind"}, "attributes": {"x": 1}}]},
  "listsItselfIn": {"kinds": {"name": "x"}},
  "seeds": [{"slug": "a", "kind": "novel"}],
  "errors": {"notFound": "gone"}, "defaultContext": "view", "batch": true, "deleteParams": {}, "itemParams": {}
}`;

describe('a valid schema', () => {
  it('has no problems', () => {
    const texts = { ...LIBRARY, 'book.json': SOUND };
    expect(grammar(SOUND)).toEqual([]);
    expect(references(texts, { 'book.json': JSON.parse(SOUND) })).toEqual([]);
  });
});

it('names of properties of JavaScript objects are refused', () => {
  const meant = (at: string, name: string) =>
    `book.json:${at}: "${name}" is a property of every JavaScript object (choose another name)`;
  expect(
    grammar(
      `{"name": "book", "path": "books", "params": {"toString": {"type": "string"}}, "links": {"constructor": {"self": true}}, "fields": {
"constructor": {"type": "string"},
"__proto__": {"type": "string"},
"size": {"type": "object", "properties": {"toString": {"type": "number"}, "constructor": {"type": "number"}}},
"year": {"type": "integer", "filterable": {"equals": {"param": "valueOf"}}}}}`,
    ),
  ).toEqual([
    meant('1:46 params.toString', 'toString'),
    meant('1:89 links.constructor', 'constructor'),
    meant('2:1 fields.constructor', 'constructor'),
    meant('3:1 fields.__proto__', '__proto__'),
    meant('4:75 fields.size.properties.constructor', 'constructor'),
    meant('5:64 fields.year.filterable.equals.param', 'valueOf'),
  ]);
});

describe('words of earlier releases', () => {
  const field = (text: string) => book(`"fields": {"a": ${text}}`);
  const step = (text: string) => book(`"permissions": {"create": [{"needs": true, "error": "no", ${text}}]}`);
  const rule = (text: string) => book(`"permissions": {"rules": {"own": ${text}}}`);
  const param = (filter: string) => book(`"params": {"a": {"filter": "${filter}", "resource": "author"}}`);

  it.each<[string, string[]]>([
    [
      field('{"type": "string", "clean": "plain"}'),
      ['book.json:2:36 fields.a.clean: "clean" is now called "sanitize"'],
    ],
    [field('{"type": "string", "internal": true}'), ['"internal" is now called "hidden"']],
    [field('{"type": "string", "setting": "showAvatars"}'), ['"setting" is now called "enabledBy"']],
    [field('{"type": "reference", "to": "author", "empty": null}'), ['"empty" is now called "emptyValue"']],
    // The new word has no place there.
    [field('{"type": "integer", "clean": "plain"}'), ['unknown key "clean"']],
    [step('"given": "a"'), ['"given" is now called "field"']],
    [step('"notMe": true'), ['"notMe" is now called "notSelf"']],
    [step('"late": true'), ['"late" is now called "keepAllow"']],
    [step('"detail": true'), ['"detail" is now called "asParameterError"']],
    [rule('{"known": true}'), ['"known" is now called "signedIn"']],
    [rule('{"dangling": "a"}'), ['"dangling" is now called "orphaned"']],
    [rule('{"holds": "a"}'), ['"holds" is now called "capabilityIn"']],
    [param('any'), ['params.a.filter: "any" is now called "in"']],
    [param('through'), ['params.a.filter: "through" is now called "referencedIn"']],
    [book('"list": {"beyondLastPage": "no"}'), ['"beyondLastPage" is now called "pageOutOfRange"']],
    [book('"list": {"bareLinks": true}'), ['"bareLinks" is now called "selfLink" (write "selfLink": false;']],
    [book('"storage": {"registry": "kinds"}'), ['storage.registry: "registry" is now called "static"']],
    [book('"registers": {}'), ['book.json:2:1 registers: "registers" is now called "listsItselfIn"']],
    [
      field('{"type": "integer", "minimum": 1, "exclusiveMinimum": true}'),
      ['expected a number, found true (write the bound itself, in place of "minimum" or "maximum")'],
    ],
  ])('%s', (text, expected) => {
    expect(grammar(text)).toEqual(expected.map((each) => expect.stringContaining(each)));
  });
});

describe('the grammar', () => {
  it.each<[string, string[]]>([
    ['[]', ['book.json:1:1: expected an object, found a list']],
    [
      '{}',
      ['book.json:1:1: "name" is missing', 'book.json:1:1: "path" is missing', 'book.json:1:1: "fields" is missing'],
    ],
    [book('"fieldz": {}'), ['book.json:2:1 fieldz: unknown key "fieldz" (did you mean "fields"?)']],
    [book('"zebra": 1'), ['book.json:2:1 zebra: unknown key "zebra"']],
    [
      book('"permissions": {"read": true}'),
      ['book.json:2:17 permissions.read: unknown key "read" (rules belong in "rules": {"read": …})'],
    ],
    [book('"batch": "yes"'), ['book.json:2:10 batch: expected true or false, found a string']],
    [book('"operations": "list"'), ['book.json:2:15 operations: expected a list of strings, found a string']],
    [
      book('"operations": ["list", "destroy"]'),
      ['book.json:2:24 operations.1: "destroy" is not one of list, retrieve, create, update, delete'],
    ],
    [book('"operations": ["list", "list"]'), ['book.json:2:24 operations.1: "list" is in the list twice']],
    [book('"labels": {"singular": "Book"}'), ['book.json:2:11 labels: "plural" is missing']],
    [
      book('"labels": {"singular": "Book", "plurals": "Books"}'),
      [
        'book.json:2:11 labels: "plural" is missing (is "plurals" meant for it?)',
        'book.json:2:32 labels.plurals: unknown key "plurals" (did you mean "plural"?)',
      ],
    ],
    [
      book('"list": {"defaultOrder": "ASC"}'),
      ['book.json:2:26 list.defaultOrder: "ASC" is not one of asc, desc (did you mean "asc"?)'],
    ],
    [book('"list": {"perPage": -1}'), ['book.json:2:21 list.perPage: -1 is less than 0']],
    [book('"list": {"perPage": 1.5}'), ['book.json:2:21 list.perPage: expected a whole number, found a number']],
    [
      book('"storage": {"static": "kinds", "where": {}}'),
      ['book.json:2:32 storage.where: unknown key "where" (allowed: static, rows)'],
    ],
    [book('"search": {"fields": []}'), ['book.json:2:22 search.fields: has 0 items, at least 1 is expected']],
    [book('"seeds": [1]'), ['book.json:2:11 seeds.0: expected an object, found a number']],
    [book('"key": ""'), ['book.json:2:8 key: must not be empty']],
    [
      book('"traits": {"trashabel": {}}'),
      ['book.json:2:12 traits.trashabel: unknown trait "trashabel" (did you mean "trashable"?)'],
    ],
    [book('"traits": {"trashable": true}'), ['book.json:2:25 traits.trashable: expected an object, found true']],
    [
      book('"traits": {"sluggable": {"length": 1}}'),
      [
        'book.json:2:25 traits.sluggable: "from" is missing',
        'book.json:2:36 traits.sluggable.length: 1 is not greater than 1',
      ],
    ],
    [
      book('"traits": {"trashable": {"needs": {"ay": []}}}'),
      ['book.json:2:36 traits.trashable.needs.ay: unknown key "ay" (did you mean "any"?)'],
    ],
    [
      book('"params": {"kind": {"filter": "equal"}}'),
      ['book.json:2:31 params.kind.filter: "equal" is not one of equals, in, referencedIn (did you mean "equals"?)'],
    ],
    [book('"params": {"a b": {}}'), ['book.json:2:12 params.a b: "a b" is not a valid name: letters, digits, _ and -']],
    [
      book('"permissions": {"create": [{"needs": 1, "error": "no"}]}'),
      ['book.json:2:38 permissions.create.0.needs: expected true or false, a string or an object, found a number'],
    ],
    [
      book('"permissions": {"create": [{"needs": {"al": ["x"]}}]}'),
      [
        'book.json:2:28 permissions.create.0: "error" is missing',
        'book.json:2:39 permissions.create.0.needs.al: unknown key "al" (did you mean "all"?)',
      ],
    ],
    [
      book('"permissions": {"rules": {"edit": {"can": "x", "rule": "y"}}}'),
      ['book.json:2:35 permissions.rules.edit: has 2 members, at most 1 is expected (can, rule)'],
    ],
    [
      book('"permissions": {"rules": {"edit": {"any": [{"through": "author"}]}}}'),
      ['book.json:2:44 permissions.rules.edit.any.0: "rule" is missing'],
    ],
    [
      book('"links": {"author": [{"too": "author"}]}'),
      ['book.json:2:23 links.author.0.too: unknown key "too" (did you mean "to"?)'],
    ],
    [
      book('"links": {"author": "author"}'),
      ['book.json:2:21 links.author: expected an object or a list, found a string'],
    ],
    [
      book('"errors": {"notfound": "x"}'),
      ['book.json:2:12 errors.notfound: unknown key "notfound" (did you mean "notFound"?)'],
    ],
    [
      '{"name": "Book", "path": "/books", "fields": {}}',
      [
        'book.json:1:10 name: "Book" is not a valid name: lower-case letters, digits, _ and -, beginning with a letter',
        'book.json:1:26 path: "/books" is not a valid name: lower-case letters, digits, _ and -, beginning with a letter or digit; no slashes',
      ],
    ],
    [
      '{"name": "auth", "path": "docs", "fields": {}}',
      [
        'book.json:1:10 name: "auth" is reserved by the engine (reserved: batch, auth, docs, uploads, livez, readyz, metrics, mcp)',
        'book.json:1:26 path: "docs" is reserved by the engine (reserved: batch, auth, docs, uploads, livez, readyz, metrics, mcp)',
      ],
    ],
  ])('%s', (text, expected) => {
    expect(grammar(text)).toEqual(expected);
  });
});

describe('fields', () => {
  it.each<[string, string[]]>([
    ['"title": {}', ['book.json:2:10 fields.title: "type" is missing']],
    ['"title": {"typ": "string"}', ['book.json:2:10 fields.title: "type" is missing (is "typ" meant for it?)']],
    [
      '"title": {"type": "strnig"}',
      [
        'book.json:2:19 fields.title.type: "strnig" is not one of id, string, integer, number, boolean, text, object, array, datetime, reference, references, rendered, … (did you mean "string"?)',
      ],
    ],
    [
      '"title": {"type": "string", "requird": true}',
      ['book.json:2:29 fields.title.requird: unknown key "requird" (did you mean "required"?)'],
    ],
    [
      '"title": {"type": "string", "read_only": true}',
      ['book.json:2:29 fields.title.read_only: unknown key "read_only" (did you mean "readOnly"?)'],
    ],
    [
      '"pages": {"type": "integer", "maxLength": 3}',
      ['book.json:2:30 fields.pages.maxLength: unknown key "maxLength"'],
    ],
    ['"pages": {"type": "integer", "to": "author"}', ['book.json:2:30 fields.pages.to: unknown key "to"']],
    [
      '"Title": {"type": "string"}',
      [
        'book.json:2:1 fields.Title: "Title" is not a valid name: lower-case letters, digits, _ and -, beginning with a letter'.replace(
          ', _ and -, beginning with a letter',
          ' and _, not beginning with a digit',
        ),
      ],
    ],
    [
      '"title": {"type": "string", "column": "a-b"}',
      [
        'book.json:2:39 fields.title.column: "a-b" is not a valid name: lower-case letters, digits and _, not beginning with a digit',
      ],
    ],
    [
      '"title": {"type": "string", "contexts": ["view", "edti"]}',
      ['book.json:2:50 fields.title.contexts.1: "edti" is not one of view, embed, edit (did you mean "edit"?)'],
    ],
    [
      '"title": {"type": "string", "contexts": 3}',
      ['book.json:2:41 fields.title.contexts: expected a list of strings, found a number'],
    ],
    [
      '"at": {"type": "datetime", "clock": "UTC"}',
      ['book.json:2:37 fields.at.clock: "UTC" is not one of site, utc, offset (did you mean "utc"?)'],
    ],
    ['"author": {"type": "reference"}', ['book.json:2:11 fields.author: "to" is missing']],
    [
      '"author": {"type": "reference", "to": 7}',
      ['book.json:2:39 fields.author.to: expected a string or a list of strings, found a number'],
    ],
    [
      '"url": {"type": "computed", "function": "permalnk"}',
      ['book.json:2:41 fields.url.function: "permalnk" is not permalink (did you mean "permalink"?)'],
    ],
    [
      '"size": {"type": "object", "properties": {"w": {"type": "number", "readonly": true}}}',
      ['book.json:2:67 fields.size.properties.w.readonly: unknown key "readonly" (did you mean "readOnly"?)'],
    ],
    [
      '"size": {"type": "object", "properties": {"w": {"type": "float"}}}',
      [
        'book.json:2:57 fields.size.properties.w.type: "float" is not one of string, integer, number, boolean, array, object, null (did you mean "number"?)',
      ],
    ],
    [
      '"meta": {"type": "meta", "keys": {"rating": {"singel": true}}}',
      ['book.json:2:46 fields.meta.keys.rating.singel: unknown key "singel" (did you mean "single"?)'],
    ],
    [
      '"status": {"type": "string", "enum": ["publish", "future", "draft"],\n"default": "pub"}',
      ['book.json:3:12 fields.status.default: "pub" is not one of publish, future, draft (did you mean "publish"?)'],
    ],
    [
      '"pages": {"type": "integer", "default": "3"}',
      ['book.json:2:41 fields.pages.default: expected a whole number, found a string'],
    ],
    [
      '"pages": {"type": "integer", "maximum": 9, "default": 10}',
      ['book.json:2:55 fields.pages.default: 10 is greater than 9'],
    ],
    [
      '"slug": {"type": "string", "maxLength": 2, "default": "abc"}',
      ['book.json:2:55 fields.slug.default: "abc" is longer than 2 characters'],
    ],
    ['"slug": {"type": "string", "minLength": 2, "maxLength": 3, "default": "😀😀😀"}', []],
    [
      '"slug": {"type": "string", "minLength": 2, "default": "😀"}',
      ['book.json:2:55 fields.slug.default: "😀" is shorter than 2 characters'],
    ],
    [
      '"pages": {"type": "integer", "minimum": 1, "default": 0}',
      ['book.json:2:55 fields.pages.default: 0 is less than 1'],
    ],
    [
      '"tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "default": []}',
      ['book.json:2:82 fields.tags.default: has 0 items, at least 1 is expected'],
    ],
    [
      '"slug": {"type": "string", "pattern": "^a", "default": "b"}',
      ['book.json:2:56 fields.slug.default: "b" does not match ^a'],
    ],
    [
      '"title": {"type": "rendered", "default": 1}',
      ['book.json:2:42 fields.title.default: expected an object, found a number'],
    ],
    [
      '"tags": {"type": "array", "items": {"type": "string"}, "default": ["a", 1]}',
      ['book.json:2:73 fields.tags.default.1: expected a string, found a number'],
    ],
    [
      '"tags": {"type": "array", "items": {"type": "string", "enum": ["a"]}, "default": "a,b"}',
      ['book.json:2:82 fields.tags.default: "b" is not a'],
    ],
    [
      '"meta": {"type": "meta", "keys": {"rating": {"type": "integer", "default": "x"}}}',
      ['book.json:2:76 fields.meta.keys.rating.default: expected a whole number, found a string'],
    ],
    ['"meta": {"type": "meta", "keys": {"notes": {"single": false, "default": "x y"}}}', []],
    [
      '"pages": {"type": "integer", "enum": [1, "2"]}',
      ['book.json:2:42 fields.pages.enum.1: "2" is a string, the type is integer'],
    ],
    [
      '"tags": {"type": "array", "enum": ["a"]}',
      [
        'book.json:2:36 fields.tags.enum.0: "a" is a string, the type is array (allowed values of the items of a list stand inside "items")',
      ],
    ],
    [
      '"pages": {"type": "integer", "minimum": 3, "maximum": 2}',
      ['book.json:2:41 fields.pages.minimum: minimum 3 is greater than maximum 2'],
    ],
    [
      '"slug": {"type": "string", "minLength": 3, "maxLength": 2}',
      ['book.json:2:41 fields.slug.minLength: minLength 3 is greater than maxLength 2'],
    ],
    [
      '"tags": {"type": "array", "minItems": 3, "maxItems": 2}',
      ['book.json:2:39 fields.tags.minItems: minItems 3 is greater than maxItems 2'],
    ],
    [
      '"slug": {"type": "string", "pattern": "("}',
      ['book.json:2:39 fields.slug.pattern: "(" is not a regular expression: unterminated group'],
    ],
    [
      '"size": {"type": "object", "patternProperties": {"[": {"type": "string"}}}',
      ['book.json:2:50 fields.size.patternProperties.[: "[" is not a regular expression: unterminated character class'],
    ],
    [
      '"slug": {"type": "string", "pattern": "^(?!x)"}',
      [
        'book.json:2:39 fields.slug.pattern: "^(?!x)" is not allowed: look-ahead and look-behind take too long on some texts (describe what the text is made of; lengths are bounded by "minLength" and "maxLength", choices by "enum")',
      ],
    ],
    [
      '"tags": {"type": "array", "items": {"type": "integer", "minimum": 2, "maximum": 1}}',
      ['book.json:2:67 fields.tags.items.minimum: minimum 2 is greater than maximum 1'],
    ],
  ])('%s', (text, expected) => {
    expect(grammar(fields(text))).toEqual(expected);
  });

  it('have their parameters checked by the type of the filter', () => {
    expect(grammar(book('"params": {"ids": {"filter": "in", "default": "1,x"}}'))).toEqual([
      'book.json:2:47 params.ids.default: expected a whole number, found a string',
    ]);
  });

  it('have all problems reported together, in the order of the files', () => {
    const files = parse({
      'b.json': fields('"x": {"type": "nix"},\n"y": {"type": "integer", "nul": 1}'),
      'a.json': '{"name": 1, "path": "a", "fields": {}}',
    });
    expect(checkGrammar(files, registries).map(({ file, line }) => `${file}:${line}`)).toEqual([
      'a.json:1',
      'b.json:2',
      'b.json:3',
    ]);
  });
});

describe('names', () => {
  const NAMED =
    '"name": "book", "path": "books", "fields": {"title": {"type": "string"}, "author": {"type": "reference", "to": "author"}}';
  it.each<[string, string[]]>([
    ['"key": "tilte"', ['book.json:2:8 key: unknown field "tilte" (did you mean "title"?)']],
    [
      '"parent": {"resource": "auther", "field": "auhtor"}',
      [
        'book.json:2:24 parent.resource: unknown resource "auther" (did you mean "author"?)',
        'book.json:2:43 parent.field: unknown field "auhtor" (did you mean "author"?)',
      ],
    ],
    [
      '"list": {"orderby": ["title", "relevanc"], "defaultOrderby": "rank"}',
      [
        'book.json:2:31 list.orderby.1: unknown ordering "relevanc" (did you mean "relevance"?)',
        'book.json:2:62 list.defaultOrderby: unknown ordering "rank"',
      ],
    ],
    ['"list": {"keyedBy": "slug"}', ['book.json:2:21 list.keyedBy: unknown field "slug"']],
    ['"search": {"fields": ["title", "body"]}', ['book.json:2:32 search.fields.1: unknown field "body"']],
    [
      '"search": {"fields": ["title"], "privileged": {"fields": ["titel"], "needs": {"rule": "ed"}}}',
      [
        'book.json:2:59 search.privileged.fields.0: unknown field "titel" (did you mean "title"?)',
        'book.json:2:87 search.privileged.needs.rule: unknown rule "ed"',
      ],
    ],
    [
      '"params": {"a": {"field": "titles"}, "b": {"resource": "autor", "field": "x"}}',
      [
        'book.json:2:27 params.a.field: unknown field "titles" (did you mean "title"?)',
        'book.json:2:56 params.b.resource: unknown resource "autor" (did you mean "author"?)',
      ],
    ],
    [
      '"params": {"a": {"resource": "author", "field": "nam"}}',
      ['book.json:2:49 params.a.field: unknown field "nam" (did you mean "name"?)'],
    ],
    [
      '"links": {"a": {"to": "authors"}, "b": [{"to": "author", "id": "autor"}]}',
      [
        'book.json:2:23 links.a.to: unknown resource "authors" (did you mean "author"?)',
        'book.json:2:64 links.b.0.id: unknown field "autor" (did you mean "author"?)',
      ],
    ],
    [
      '"links": {"a": {"to": "author", "query": {"x": "titel"}, "when": "titel"}, "b": {"path": "titel", "when": "#c"}}',
      [
        'book.json:2:48 links.a.query.x: unknown field "titel" (did you mean "title"?)',
        'book.json:2:66 links.a.when: unknown field "titel" (did you mean "title"?)',
        'book.json:2:90 links.b.path: unknown field "titel" (did you mean "title"?)',
        'book.json:2:107 links.b.when: unknown field "#c"',
      ],
    ],
    [
      '"permissions": {"rules": {"edit": {"is": {"auther": "$me"}}}}',
      ['book.json:2:43 permissions.rules.edit.is.auther: unknown field "auther" (did you mean "author"?)'],
    ],
    [
      '"permissions": {"list": [{"needs": {"any": [{"not": {"rule": "raed"}}]}, "error": "x"}]}',
      ['book.json:2:62 permissions.list.0.needs.any.0.not.rule: unknown rule "raed" (did you mean "read"?)'],
    ],
    [
      '"permissions": {"rules": {"edit": {"through": "authr", "rule": "read"}, "x": {"orphaned": "y"}}}',
      [
        'book.json:2:47 permissions.rules.edit.through: unknown field "authr" (did you mean "author"?)',
        'book.json:2:91 permissions.rules.x.orphaned: unknown field "y"',
      ],
    ],
    [
      '"permissions": {"rules": {"edit": {"through": "author", "rule": "owner"}}}',
      ['book.json:2:65 permissions.rules.edit.rule: unknown rule of "author" "owner" (did you mean "own"?)'],
    ],
    [
      '"permissions": {"rules": {"edit": {"rule": "own"}, "own": {"not": {"rule": "edit"}}}}',
      ['book.json:2:27 permissions.rules.edit: rules in a circle: edit → own → edit'],
    ],
    [
      '"seeds": [{"title": "A"}, {"titel": "B"}]',
      ['book.json:2:28 seeds.1.titel: unknown field "titel" (did you mean "title"?)'],
    ],
  ])('%s', (text, expected) => {
    expect(references({ ...LIBRARY, 'book.json': book(text, NAMED) })).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['"author": {"type": "reference", "to": "writer"}', ['book.json:2:39 fields.author.to: unknown resource "writer"']],
    [
      '"author": {"type": "reference", "to": ["author", "boook"]}',
      ['book.json:2:50 fields.author.to.1: unknown resource "boook" (did you mean "book"?)'],
    ],
    [
      '"lead": {"type": "rendered", "from": "bdy"}, "body": {"type": "text"}',
      ['book.json:2:38 fields.lead.from: unknown field "bdy" (did you mean "body"?)'],
    ],
    [
      '"m": {"type": "meta", "keys": {"k": {"needs": {"rule": "edti"}}}}',
      ['book.json:2:56 fields.m.keys.k.needs.rule: unknown rule "edti" (did you mean "edit"?)'],
    ],
  ])('%s', (text, expected) => {
    expect(references({ ...LIBRARY, 'book.json': fields(text) })).toEqual(expected);
  });

  it('of rules are refused when the rules refer to each other too often', () => {
    const twice = (at: number) => `"r${at}": {"all": [{"rule": "r${at + 1}"}, {"rule": "r${at + 1}"}]}`;
    const rules = Array.from({ length: 12 }, (_, at) => twice(at)).join(', ');
    const many = Array.from({ length: 64 }, (_, at) => twice(at)).join(', ');
    const sound = (text: string, last: number) => book(`"permissions": {"rules": {${text}, "r${last}": true}}`);
    const message = 'it refers to more than 1000 rules, itself or through them, each counted as often as it occurs';
    expect(references({ 'book.json': sound(rules, 12) }).map((problem) => problem.replace(/^.*? /, ''))).toEqual([
      `permissions.rules.r3: ${message}`,
    ]);
    expect(references({ 'book.json': sound(many, 64) })).toHaveLength(7);
  });

  it('may be those that traits add, once the traits are applied', () => {
    const text = book('"traits": {"sluggable": {}}, "key": "slug", "search": {"fields": ["slgu"]}');
    const extended = { ...JSON.parse(text), fields: { slug: { type: 'string' } }, links: { up: { to: 'shelf' } } };
    expect(references({ 'book.json': text })).toEqual([]);
    expect(references({ 'book.json': text }, { 'book.json': extended })).toEqual([
      'book.json:2:1 links.up.to: unknown resource "shelf" (added by a trait)',
      'book.json:2:67 search.fields.0: unknown field "slgu" (did you mean "slug"?)',
    ]);
  });

  it('in a file that is not JSON are not reported as unknown', () => {
    expect(
      references({
        'author.json': '{"name": "author", ',
        'book.json': fields('"a": {"type": "reference", "to": "author"}'),
      }),
    ).toEqual([]);
  });
});

describe('the site', () => {
  const file = (name: string, path: string, rest = '') =>
    `{"name": "${name}", "path": "${path}",\n"fields": {"up": {"type": "integer"}}${rest}}`;
  const stored = (where: string) => `, "storage": {"table": "t", "where": ${where}}`;
  const below = (parent: string) => `, "parent": {"resource": "${parent}", "field": "up"}`;
  it.each<[string, Record<string, string>, string[]]>([
    [
      'equal names',
      { 'a.json': file('a', 'a'), 'b.json': file('a', 'b') },
      ['b.json:1:10 name: "a" is the name of a.json already'],
    ],
    [
      'equal paths',
      { 'a.json': file('a', 'x'), 'b.json': file('b', 'x') },
      ['b.json:1:23 path: /x is the path of resource "a" already'],
    ],
    [
      'equal paths below one parent',
      { 'a.json': file('a', 'a'), 'b.json': file('b', 'x', below('a')), 'c.json': file('c', 'x', below('a')) },
      ['c.json:1:23 path: /a/<id>/x is the path of resource "b" already'],
    ],
    [
      'equal paths below two parents',
      {
        'a.json': file('a', 'a'),
        'b.json': file('b', 'b'),
        'c.json': file('c', 'x', below('a')),
        'd.json': file('d', 'x', below('b')),
      },
      [],
    ],
    [
      'a circle of parents',
      { 'a.json': file('a', 'a', below('b')), 'b.json': file('b', 'b', below('a')) },
      [
        'a.json:2:63 parent.resource: parents in a circle: "a" → "b" → "a"',
        'b.json:2:63 parent.resource: parents in a circle: "b" → "a" → "b"',
      ],
    ],
    [
      'one table, different constants',
      { 'a.json': file('a', 'a', stored('{"type": "a"}')), 'b.json': file('b', 'b', stored('{"type": "b"}')) },
      [],
    ],
    [
      'one table, equal constants',
      { 'a.json': file('a', 'a', stored('{"type": "a"}')), 'b.json': file('b', 'b', stored('{"type": "a"}')) },
      [
        'b.json:2:75 storage.where: table "t" is shared with resource "a", but nothing tells their rows apart (give both a "where" with different values of one column)',
      ],
    ],
    [
      'one table, no constants',
      { 'a.json': file('a', 'a', stored('{"type": "a"}')), 'b.json': file('b', 'b', ', "storage": {"table": "t"}') },
      [
        'b.json:2:61 storage.table: table "t" is shared with resource "a", but nothing tells their rows apart (give both a "where" with different values of one column)',
      ],
    ],
    [
      'the table of another by default',
      { 'a.json': file('a', 't'), 'b.json': file('b', 'b', ', "storage": {"table": "t"}') },
      [
        'b.json:2:61 storage.table: table "t" is shared with resource "a", but nothing tells their rows apart (give both a "where" with different values of one column)',
      ],
    ],
  ])('%s', (_name, texts, expected) => {
    expect(references(texts)).toEqual(expected);
  });
});

describe('random damage to a schema', () => {
  it('is reported as problems without exceptions', () => {
    const junk = [null, 1, -0.5, '', 'x', '(', true, [], [[]], {}, { a: null }, ['x', 1]];
    const spots: [holder: any, key: string | number][] = [];
    const collect = (value: any) => {
      if (typeof value !== 'object' || value === null) return;
      for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
        spots.push([value, key]);
        collect(value[key]);
      }
    };
    const schema = JSON.parse(SOUND);
    collect(schema);
    const texts = spots.flatMap(([holder, key], index) => {
      const kept = holder[key];
      const damaged = junk
        .filter((_, at) => (at + index) % 6 === 0)
        .map((value) => {
          holder[key] = value;
          return JSON.stringify(schema);
        });
      holder[key] = kept;
      return damaged;
    });
    const files = texts.map((text, index) => parseSchema(`${index}.json`, text).file);
    expect(texts.length).toBeGreaterThan(300);
    expect(checkGrammar(files, registries).every(({ line, message }) => line === 1 && message !== '')).toBe(true);
    for (const file of files) {
      const extended = new Map([[file.file, file.schema as ResourceSchema]]);
      expect(() => checkReferences([...parse(LIBRARY), file], extended)).not.toThrow();
    }
  });
});

describe('the published grammar', () => {
  const text = JSON.stringify(grammarSchema(registries));

  it('is a valid JSON Schema 2020-12', () => {
    expect(new Ajv2020({ strict: false }).validateSchema(JSON.parse(text))).toBe(true);
  });

  // Keys of fields come from the field types as well, so these are not checked here.
  it('contains every key of the written schema', () => {
    const files = ['schema', 'field-schema', 'value-schema'].map((name) => `src/model/schema/${name}.ts`);
    const source = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    const interfaces = [...source.matchAll(/export interface (\w+)[^{]*\{\n(.*?)\n\}/gs)].filter(
      ([, name]) => name !== 'FieldSchema',
    );
    const keys = interfaces.flatMap(([, , body]) => [...body!.matchAll(/^ {2}(\$?\w+)\??:/gm)].map(([, key]) => key!));
    expect(keys.length).toBeGreaterThan(80);
    expect(keys.filter((key) => !text.includes(`"${key}":`))).toEqual([]);
  });
});
