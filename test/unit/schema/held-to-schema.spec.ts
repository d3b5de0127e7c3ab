// Permissions, filters, links and rows that contradict the fields and parameters they refer to.
import { expect, it } from '@jest/globals';
import { problemsOf, thing, warningsOf } from './thing-schema.js';

const messagesFor = (parts: Parameters<typeof thing>[0]) => problemsOf({ 'thing.json': thing(parts) }) ?? [];
const steps = (kind: string, step: string, more = '') =>
  messagesFor({ rest: `"permissions": {"${kind}": [${step}], "rules": {"read": true}}${more}` });
const rule = (written: string) => messagesFor({ rest: `"permissions": {"rules": {"read": ${written}}}` });
const NEEDS = '"needs": true, "error": "no"';

it.each<[string, () => string[], RegExp[]]>([
  [
    'more digits after the decimal point than digits',
    () => messagesFor({ fields: '"price": {"type": "decimal", "scale": 4, "precision": 3}' }),
    [/fields\.price\.scale: scale 4 is greater than precision 3$/],
  ],
  [
    'a filter named like a parameter of every list',
    () => messagesFor({ fields: '"context": {"type": "string", "filterable": true}' }),
    [
      /^thing\.json:2:\d+ fields\.context\.filterable: lists have a parameter "context" of their own \(name it with "param"/,
    ],
  ],
  [
    'a filter of several values named so: the hint names that filter',
    () => messagesFor({ fields: '"order": {"type": "string", "filterable": "in"}' }),
    [/fields\.order\.filterable: .*name it with "param", as in \{"in": \{"param": "its_name"\}\}/],
  ],
  [
    'a filter named like the search of the list',
    () =>
      messagesFor({
        rest: '"search": {"fields": ["title"]}, "params": {"search": {"filter": "contains", "field": "title"}}',
      }),
    [/^thing\.json:3:\d+ params\.search: lists have a parameter "search" of their own/],
  ],
  [
    'fields named like members of every item, and like parameters of every request',
    () => messagesFor({ fields: '"_links": {"type": "string"}, "_fields": {"type": "string"}' }),
    [
      /^thing\.json:2:\d+ fields\._links: "_links" is reserved by the engine \(reserved: _links, _embedded, _fields, /,
      /^thing\.json:2:\d+ fields\._fields: "_fields" is reserved by the engine/,
    ],
  ],
  [
    'a step about an unknown field',
    () => steps('create', `{"field": "titel", ${NEEDS}}`),
    [/^thing\.json:3:\d+ permissions\.create\.0\.field: unknown field "titel" \(did you mean "title"\?\)$/],
  ],
  [
    'a step about fields where none are sent',
    () => steps('delete', `{"field": "title", ${NEEDS}}`),
    [/no fields are sent to delete/],
  ],
  [
    'a step about an unknown parameter',
    () => steps('list', `{"param": "contxt", ${NEEDS}}`),
    [/list has no parameter "contxt" \(did you mean "context"\?\)/],
  ],
  [
    'a step of a write about a parameter',
    () => steps('update', `{"param": "context", ${NEEDS}}`),
    [/update has no parameter "context" \(a step names a field of the body/],
  ],
  [
    'a value that the parameter never has',
    () => steps('list', `{"param": "order", "in": ["descc"], ${NEEDS}}`),
    [/permissions\.list\.0\.in\.0: the parameter "order" is never "descc" \(did you mean "desc"\?\)/],
  ],
  [
    'a value that the field never has',
    () => steps('update', `{"field": "status", "in": ["pubish"], ${NEEDS}}`),
    [/the field "status" is never "pubish" \(did you mean "publish"\?\)/],
  ],
  [
    'a value of another type',
    () => steps('update', `{"field": "pages", "notIn": ["1"], ${NEEDS}}`),
    [/holds numbers; "1" is a string/],
  ],
  [
    'the id of the caller among texts',
    () => steps('update', `{"field": "title", "notSelf": true, ${NEEDS}}`),
    [/"title" holds no ids/],
  ],
  [
    'values without a field or parameter',
    () => steps('update', `{"in": [1], ${NEEDS}}`),
    [/"in" is about a value, and the step has none/],
  ],
  [
    'a change of a new item',
    () => steps('create', `{"field": "title", "changed": true, ${NEEDS}}`),
    [/a new item has no stored value/],
  ],
  [
    'is: another word',
    () => rule('{"is": {"status": "pubish"}}'),
    [/permissions\.rules\.read\.is\.status: the field "status" is never "pubish"/],
  ],
  [
    'is: another word in a list, inside others',
    () => rule('{"any": [{"not": {"is": {"status": ["draft", "drat"]}}}]}'),
    [/rules\.read\.any\.0\.not\.is\.status\.1: /],
  ],
  [
    'is: another type',
    () => rule('{"is": {"author": "me"}}'),
    [/holds numbers; "me" is a string \("\$me" is the id of the caller\)/],
  ],
  [
    'is: a boolean that is a text',
    () => rule('{"is": {"sticky": "true"}}'),
    [/holds true or false; "true" is a string/],
  ],
  ['is: null where there is none', () => rule('{"is": {"title": null}}'), [/"title" is never null/]],
  [
    'where: another type',
    () => rule('{"referencedBy": "genre.thing", "where": {"name": 3}}'),
    [/rules\.read\.where\.name: the field "name" holds strings/],
  ],
  [
    'a rule that nothing asks for',
    () => messagesFor({ rest: '"permissions": {"rules": {"raed": true}}' }),
    [/permissions\.rules\.raed: nothing uses the rule "raed" \(did you mean "read"\?\)/],
  ],
  [
    'a link with a parameter that lists do not have',
    () => messagesFor({ rest: '"links": {"x": {"to": "genre", "query": {"thin": "id"}}}' }),
    [/links\.x\.query\.thin: lists of "genre" have no parameter "thin"/],
  ],
  [
    'a link to a row that is not there',
    () => messagesFor({ rest: '"links": {"x": {"to": "shelf", "key": "b"}}' }),
    [/"shelf" has no row "b"/],
  ],
  [
    'a link to a word where items have ids',
    () => messagesFor({ rest: '"links": {"x": {"to": "genre", "key": "b"}}' }),
    [/named by their id, which "b" is not/],
  ],
  [
    'a filter that allows what the field never has',
    () =>
      messagesFor({ rest: '"params": {"status": {"filter": "equals", "type": "string", "enum": ["draft", "drat"]}}' }),
    [/params\.status\.enum\.1: the field "status" is never "drat"/],
  ],
  [
    'a default of a filter',
    () =>
      messagesFor({ rest: '"params": {"status": {"filter": "in", "items": {"type": "string"}, "default": ["drat"]}}' }),
    [/params\.status\.default\.0: the field "status" is never "drat"/],
  ],
  [
    'a row with a member that nothing reads',
    () => messagesFor({ rest: '"listsItselfIn": {"shelf": {"slugg": "x"}}' }),
    [/listsItselfIn\.shelf\.slugg: "shelf" reads no member "slugg" \(did you mean "slug"\?\)/],
  ],
  [
    'a constant that its field shows otherwise',
    () =>
      messagesFor({
        rest: '"storage": {"where": {"kind": "a"}}',
        without: ['kind'],
        fields: '"kind": {"type": "string", "readOnly": true, "default": "b"}',
      }),
    [/fields\.kind\.default: the column "kind" is always "a"/],
  ],
  [
    'two fields written to one column',
    () => messagesFor({ fields: '"heading": {"type": "string", "column": "title"}' }),
    [/fields\.heading: the column "title" is written by the field "title" already/],
  ],
  [
    'an index over values beside the item',
    () => messagesFor({ fields: '"words": {"type": "strings", "index": true}' }),
    [/fields\.words\.index: a field of type strings has no column/],
  ],
  [
    'an empty value that is too short',
    () => messagesFor({ fields: '"a": {"type": "string", "minLength": 2}' }),
    [/fields\.a\.minLength: an item that is made without it would have ""/],
  ],
  [
    'an empty value of a field that is filled in',
    () =>
      messagesFor({
        fields: '"a": {"type": "string", "default": "$uuid", "nullable": false, "pattern": "^[0-9a-f-]{36}$"}',
      }),
    [/fields\.a\.pattern: an item that is older than the field would have "".*\(make it required or nullable\)/],
  ],
  [
    'no caller where one is needed',
    () =>
      messagesFor({
        fields: '"a": {"type": "reference", "to": "member", "default": "$me", "minimum": 1}',
      }),
    [
      /fields\.a\.minimum: an item of a caller who has not signed in would have 0.*refuse in "checks" what is "orphaned"/,
    ],
  ],
  [
    'an empty value below the minimum',
    () => messagesFor({ fields: '"a": {"type": "integer", "minimum": 2}' }),
    [/fields\.a\.minimum: .* would have 0/],
  ],
  [
    'an empty value against a pattern',
    () => messagesFor({ fields: '"a": {"type": "string", "pattern": "^x"}' }),
    [/fields\.a\.pattern: /],
  ],
  [
    'a default that is no URL',
    () => messagesFor({ fields: '"a": {"type": "string", "format": "email", "default": "nobody"}' }),
    [/fields\.a\.default: /],
  ],
  [
    'a value for old items against the rule',
    () => messagesFor({ fields: '"a": {"type": "string", "enum": ["x"], "required": true, "backfill": "y"}' }),
    [/fields\.a\.backfill: /],
  ],
  [
    'a format that is nearly one',
    () => messagesFor({ fields: '"a": {"type": "string", "format": "emial"}' }),
    [/fields\.a\.format: unknown format "emial" \(did you mean "email"\?\)/],
  ],
  [
    'a mark that the other status does not keep',
    () =>
      problemsOf({
        'thing.json': thing({
          traits: '"trashable": {"with": [{"resource": "note", "field": "thing", "mark": "things-trashed"}]}',
        }),
        'note.json': NOTE,
      }) ?? [],
    [
      /traits\.trashable\.with\.0\.mark: the field "status" of "note" does not keep "things-trashed" \(it keeps: thing-trashed\)/,
    ],
  ],
])('%s', (_about, found, expected) => {
  const lines = found();
  expect(lines).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(lines[index]).toMatch(pattern);
});

it.each<[string, string]>([
  [
    'a read-only field that nobody may send',
    `"permissions": {"create": [{"field": "id", "needs": false, "error": "no"}], "rules": {"read": true}}`,
  ],
  [
    'values of a field, of its trash too',
    `"permissions": {"rules": {"read": {"is": {"status": ["draft", "trash"], "author": ["$me", 0], "sticky": [true, 1]}}}}`,
  ],
  [
    'a rule of another resource that is asked there',
    `"permissions": {"rules": {"read": {"through": "parent", "rule": "seen"}, "seen": true}}`,
  ],
  ['a link to a row that is there', `"links": {"x": {"to": "shelf", "key": "a"}}`],
])('%s is valid', (_about, rest) => {
  expect(messagesFor({ rest })).toEqual([]);
});

it('reports where a file is nested too deeply', () => {
  const deep = '{"not": '.repeat(10_000);
  const [only, ...more] = messagesFor({ rest: `"permissions": {"rules": {"read": ${deep}true${'}'.repeat(10_000)}}}` });
  expect(more).toEqual([]);
  expect(only).toMatch(/^thing\.json:3:\d+: nested more than 64 deep/);
});

it('warns of item parameters that nothing reads, and of fields that nearly match those of a trait', () => {
  const rest = '"itemParams": {"hint": {"type": "string"}}, "permissions": "public-read"';
  const found = warningsOf(thing({ traits: '"dated": {}', fields: '"dat": {"type": "string"}', rest }), [
    'manage_options',
  ]);
  expect(found).toEqual([
    'thing.json:2:8 fields.dat: a trait adds the field "date", and this is another one (did you mean "date"?)',
    'thing.json:4:24 itemParams.hint: nothing reads this parameter (check it in a step of "permissions")',
  ]);
});

it('does not warn of fields whose type differs from that of the field of a trait', () => {
  const traits = '"dated": {}';
  const rest = '"permissions": "public-read"';
  expect(warningsOf(thing({ traits, fields: '"rate": {"type": "number"}', rest }), [])).toEqual([]);
  expect(warningsOf(thing({ traits, fields: '"dates": {"type": "datetime"}', rest }), [])).toHaveLength(1);
});

const NOTE = `{"name": "note", "path": "notes", "fields": {"thing": {"type": "reference", "to": "thing"},
  "status": {"type": "string", "allowStored": ["thing-trashed"]}, "marked_status": {"type": "string"}}}`;
