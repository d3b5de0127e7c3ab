// Mistakes of authors that the check names with their place: links without a URL, words without an effect, unknown operators.
import { describe, expect, it } from '@jest/globals';
import { parseSchema } from '../../../src/schema/load/load.js';
import { withAccounts } from '../../../src/schema/load/accounts.js';
import { problemsOf, thing, warningsOf } from './thing-schema.js';

const BRANCH = `{"name": "branch", "path": "branches", "key": "code",
  "fields": {"code": {"type": "string", "required": true, "unique": true}}}`;
const room = (more = '') => `{"name": "room", "path": "rooms", "parent": {"resource": "genre", "field": "above"${more}},
  "fields": {"above": {"type": "reference", "to": "genre", "readOnly": true}, "thing": {"type": "reference", "to": "thing",
  "filterable": "in"}}}`;
const FIELDS = `"branch": {"type": "reference", "to": "branch"}, "room": {"type": "reference", "to": "room"}`;
const linked = (links: string, rooms = room()) => {
  const others = { 'branch.json': BRANCH, 'room.json': rooms };
  return warningsOf(thing({ fields: FIELDS, rest: `"links": ${links}` }), [], others).filter((line) =>
    line.includes(' links.'),
  );
};

describe('a link without a URL is a warning', () => {
  it.each([
    [
      'to an item that its code names',
      '{"x": {"to": "branch", "id": "branch"}}',
      /links\.x\.id: items of "branch" are/,
    ],
    ['the same by its reference', '{"x": {"id": "branch"}}', /links\.x\.id: items of "branch" are named by their code/],
    ['to an item below another', '{"x": {"to": "room", "id": "room"}}', /links\.x\.id: the path of an item of "room"/],
    ['the same by its reference', '{"x": [{"id": "room"}]}', /links\.x\.0\.id: the path of an item of "room"/],
    ['to a fixed item below another', '{"x": {"to": "room", "key": "3"}}', /links\.x\.key: the path of an item/],
    ['to a list below another', '{"x": {"to": "room"}}', /links\.x\.to: "room" is a list below each "genre"/],
    [
      'to such a list, narrowed',
      '{"x": {"to": "room", "query": {"thing": "id"}}}',
      /links\.x\.query: "room" has a list/,
    ],
  ])('%s', (_about, links, expected) => {
    expect(linked(links)).toEqual([expect.stringMatching(expected)]);
  });

  it('a link with a URL is not', () => {
    const across = room(', "across": true');
    expect(linked('{"x": {"to": "room", "query": {"thing": "id"}}, "y": {"to": "branch"}}', across)).toEqual([]);
    expect(linked('{"x": {"to": "branch", "key": "north"}, "y": {"id": "author"}}')).toEqual([]);
  });
});

describe('missing or unknown parts are reported', () => {
  it('the operators of an expression', () => {
    const value = '{"modulo": [{"field": "pages"}, 2]}';
    const fields = `"odd": {"function": "expression", "options": {"value": ${value}}}`;
    const [message, ...more] = problemsOf({ 'thing.json': thing({ fields }) }) ?? [];
    expect(message).toMatch(
      /value\.modulo: unknown key "modulo" \(allowed: field, add, .*daysBetween, .*count, sum, .*over, where\)/,
    );
    expect(more).toEqual([]);
  });

  it('the missing parts of a guard', () => {
    const fields = '"price": {"type": "integer", "guard": {"needs": true}}';
    expect(problemsOf({ 'thing.json': thing({ fields }) })).toEqual([
      expect.stringMatching(/fields\.price\.guard: "error" or "link" is missing/),
    ]);
  });
});

describe('"required" of a field that clients cannot send', () => {
  const messagesFor = (field: string) =>
    warningsOf(thing({ fields: `"it": ${field}`, rest: '"permissions": "public-read"' }), ['manage_options']);

  it.each(['readOnly', 'hidden'])('causes a warning: %s', (word) => {
    expect(messagesFor(`{"type": "integer", "required": true, "${word}": true}`)).toEqual([
      expect.stringMatching(/^thing\.json:2:\d+ fields\.it\.required: has no effect: no client can send a field/),
    ]);
  });

  it.each([
    '{"type": "datetime", "required": true, "readOnly": true, "default": "$now"}',
    '{"type": "integer", "required": true}',
    '{"type": "integer", "readOnly": true}',
  ])('causes no warning: %s', (field) => {
    expect(messagesFor(field)).toEqual([]);
  });
});

describe('a reference that onDelete empties although it must not be empty', () => {
  const messagesFor = (field: string, others: Record<string, string> = {}) =>
    warningsOf(thing({ fields: `"it": ${field}`, rest: '"permissions": "public-read"' }), ['manage_options'], others);
  const kept =
    '{"name": "kept", "path": "kept", "operations": ["list", "create"], "fields": {"a": {"type": "string"}}}';

  it.each([
    ['minimum', '{"type": "reference", "to": "genre", "required": true, "minimum": 1}', 'becomes 0'],
    [
      'exclusiveMinimum',
      '{"type": "reference", "to": ["genre"], "required": true, "exclusiveMinimum": 0}',
      'becomes 0',
    ],
    ['minItems', '{"type": "references", "to": "genre", "required": true, "minItems": 1}', 'can become empty'],
  ])('causes a warning: %s', (word, field, becomes) => {
    expect(messagesFor(field)).toEqual([
      expect.stringMatching(
        `^thing\\.json:2:\\d+ fields\\.it\\.${word}: the field ${becomes} when its "genre" is deleted, .* \\(add "onDelete": "restrict"`,
      ),
    ]);
  });

  it.each([
    '{"type": "reference", "to": "genre", "required": true}',
    '{"type": "reference", "to": "genre", "minimum": 0}',
    '{"type": "reference", "to": "genre", "required": true, "minimum": 1, "onDelete": "restrict"}',
    '{"type": "reference", "to": "genre", "required": true, "minimum": 1, "onDelete": "cascade"}',
    '{"type": "reference", "to": "genre", "minimum": 1, "readOnly": true}',
    '{"type": "reference", "to": "genre", "required": true, "minimum": 1, "emptyValue": null}',
    '{"type": "reference", "to": "kept", "required": true, "minimum": 1}',
    '{"type": "references", "to": "genre", "required": true, "minItems": 1, "onDelete": "restrict"}',
  ])('causes no warning: %s', (field) => {
    expect(messagesFor(field, { 'kept.json': kept })).toEqual([]);
  });
});

describe('a formula written as text', () => {
  const messagesFor = (value: string) =>
    warningsOf(
      thing({
        fields: `"it": {"function": "expression", "options": {"value": ${value}}}`,
        rest: '"permissions": "public-read"',
      }),
      ['manage_options'],
    );

  it.each([
    ['"pages * 2"', 'value', 'pages'],
    ['"(pages+1)/2"', 'value', 'pages'],
    ['"sum(pages)"', 'value', 'pages'],
    ['"title"', 'value', 'title'],
    ['"{title} by {author}"', 'value', 'title'],
    ['{"concat": [{"field": "title"}, "${kind}"]}', 'value.concat.1', 'kind'],
    ['{"concat": ["pages - 1", "x"]}', 'value.concat.0', 'pages'],
  ])('causes a warning: %s', (value, place, field) => {
    expect(messagesFor(value)).toEqual([
      expect.stringMatching(
        `^thing\\.json:2:\\d+ fields\\.it\\.options\\.${place}: the constant text ".*", and not the value of the field "${field}"`,
      ),
    ]);
  });

  it.each([
    '"fixed"',
    '"2026-01-01"',
    '"price * 2"',
    '"-"',
    '"{other}"',
    '"a thing of many pages"',
    '{"concat": ["title", ": ", {"field": "title"}, " - ", {"field": "kind"}]}',
    '{"multiply": [{"field": "pages"}, 2]}',
    '{"sum": "pages", "over": "thing.parent"}',
  ])('causes no warning: %s', (value) => {
    expect(messagesFor(value)).toEqual([]);
  });
});

it('the resource of engine accounts avoids a table name that is in use', () => {
  const named = (text: string) => withAccounts([parseSchema('a.json', text).file]).map(({ schema }) => schema);
  const fields = '"fields": {"title": {"type": "string"}}';
  const [, inTheWay] = named(`{"name": "person", "path": "people", "storage": {"table": "accounts"}, ${fields}}`);
  expect(inTheWay).toMatchObject({ name: 'site-account', path: 'site-accounts' });
  const [, usual] = named(`{"name": "person", "path": "people", ${fields}}`);
  expect(usual).toMatchObject({ name: 'account', path: 'accounts' });
});

describe('a key that creations may leave out causes a warning', () => {
  const keyed = (field: string, rest = '') =>
    warningsOf(thing({ fields: `"code": ${field}`, rest: `"key": "code", "permissions": "public-read"${rest}` }), [
      'manage_options',
    ]).filter((line) => line.includes('has no URL'));

  it.each([
    ['a text', '{"type": "string", "unique": true, "nullable": true}'],
    ['a number', '{"type": "integer", "unique": true, "nullable": true}'],
    ['a uuid', '{"type": "uuid", "unique": true}'],
  ])('%s', (_, field) => {
    expect(keyed(field)).toEqual([
      expect.stringMatching(
        /"code" is not required: an item that is created without it has no URL \(add "required": true/,
      ),
    ]);
  });

  it.each([
    ['required', '{"type": "string", "unique": true, "required": true}', ''],
    ['filled in', '{"type": "uuid", "unique": true, "default": "$uuid"}', ''],
    [
      'of items that nobody creates',
      '{"type": "string", "unique": true, "nullable": true}',
      ', "operations": ["list", "retrieve", "update"]',
    ],
  ])('but not one that is %s', (_, field, rest) => expect(keyed(field, rest)).toEqual([]));
});

describe('fields that work in another way than they say cause a warning', () => {
  const found = (fields: string, rest = '', traits = '') =>
    warningsOf(thing({ fields, traits, rest: `"permissions": "public-read"${rest}` }), ['manage_options']);

  it.each([
    ['rendered', '"it": {"type": "rendered", "nullable": true}'],
    ['metadata', '"it": {"type": "metadata", "nullable": true, "keys": {"a": {}}}'],
  ])('null in a field of type %s', (type, field) => {
    expect(found(field)).toEqual([
      expect.stringMatching(
        `fields\\.it\\.nullable: has no effect: a field of type ${type} is never null \\(leave out`,
      ),
    ]);
  });

  it.each([
    ['if_match', /agents cannot send this field: "if_match" is an argument of their own \(choose another name\)/],
    ['idempotency_key', /agents cannot send this field/],
    ['and', /lists take no conditions on this field: "and" is a word of the query language/],
    ['or', /lists take no conditions on this field/],
    ['aggregate', /lists take no conditions on this field/],
  ])('a field named %s', (name, message) => {
    expect(found(`"${name}": {"type": "integer"}`)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['that nobody sends', '"if_match": {"type": "string", "readOnly": true}', ''],
    ['of lists without the query language', '"and": {"type": "integer"}', ', "list": {"query": false}'],
    ['that a parameter takes', '"group": {"type": "integer", "filterable": true}', ''],
  ])('but not such a name of a field %s', (_, field, rest) => expect(found(field, rest)).toEqual([]));

  it('a slug that nothing makes unique as the key', () => {
    expect(found('"code": {"type": "slug"}', ', "key": "code"')).toEqual([
      expect.stringMatching(/ key: two items could have the same code, .*add "unique": true and "required": true/),
    ]);
  });

  it.each([
    ['that a trait makes', '"slug": {"type": "slug"}', '"sluggable": {"from": "title"}', ', "key": "slug"'],
    ['that is unique', '"code": {"type": "slug", "unique": true, "required": true}', '', ', "key": "code"'],
  ])('but not a slug %s', (_, field, traits, rest) => expect(found(field, rest, traits)).toEqual([]));
});
