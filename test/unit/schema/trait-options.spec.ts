// Every mistake in the options of a trait is reported with file, line, column and a hint: never with a stack trace, and
// never passed over.
import { describe, expect, it } from '@jest/globals';
import { traits } from '../../../src/traits/registry.js';
import { CASES as KEY_CASES } from './key-cases.js';
import { problemsOf, thing, warningsOf, type Case } from './thing-schema.js';
import { CASES as TRAIT_CASES } from './trait-option-cases.js';

const messagesFor = (change: Case) => problemsOf({ 'thing.json': thing(change) });
const lines = ({ lines: expected }: Case) => expected.map((line) => `thing.json:${line}`);

describe('a valid schema', () => {
  it('has no problems', () => {
    expect(problemsOf({ 'thing.json': thing() })).toBeUndefined();
  });

  it('may use traits together', () => {
    const traits =
      '"trashable": {"resets": {"sticky": false}}, "dated": {"floating": ["draft"]}, "published": {"capabilities": "things"}, "authored": {}, "sluggable": {"from": "title", "blank": ["draft"], "parent": "parent"}, "nested": {"path": true}, "protected": {"fields": ["text"], "excludes": "sticky"}, "filled": {"fields": ["title", "text"]}, "classified": {"fields": ["genres"], "defaults": {"genres": "defaultCategory"}}';
    expect(problemsOf({ 'thing.json': thing({ traits }) })).toBeUndefined();
  });
});

describe('options of traits', () => {
  it.each(TRAIT_CASES.map((change) => [change.about, change] as const))('%s', (_about, change) => {
    expect(messagesFor(change)).toEqual(lines(change));
  });

  it.each([
    '"sluggable": {"from": "title"}, "trashable": {}',
    '"nested": {"path": true}, "sluggable": {"from": "title"}',
    '"published": {"capabilities": "things"}, "dated": {}, "trashable": {}',
  ])('may stand in any order: %s', (order) => {
    expect(problemsOf({ 'thing.json': thing({ traits: order }) })).toBeUndefined();
  });

  it.each([...traits.keys()])('%s: is among the cases', (trait) => {
    expect(TRAIT_CASES.some(({ about }) => about.startsWith(`${trait}: `))).toBe(true);
  });

  it.each([...traits.values()].map((trait) => [trait.name, trait] as const))(
    '%s: every option of the wrong type is reported',
    (name, { options }) => {
      for (const [option, { type }] of Object.entries(options)) {
        const wrong = [type].flat().includes('boolean') ? '"yes"' : 'true';
        const found = messagesFor({ about: '', traits: `"${name}": {"${option}": ${wrong}}`, lines: [] });
        expect(found?.join('\n')).toContain(`traits.${name}.${option}: expected`);
      }
    },
  );
});

describe('other keys', () => {
  it.each(KEY_CASES.map((change) => [change.about, change] as const))('%s', (_about, change) => {
    expect(messagesFor(change)).toEqual(lines(change));
  });

  it('are refused for seeds of accounts', () => {
    const account =
      '{"name": "member", "path": "members", "fields": {"username": {"type": "string"}, "email": {"type": "string"}, "password": {"type": "password"}, "roles": {"type": "strings"}, "friend": {"type": "reference", "to": "member"}}, "traits": {"account": {}},\n"seeds": [{"username": "ann"}]}';
    expect(problemsOf({ 'thing.json': thing(), 'member.json': account })).toEqual([
      'member.json:2:10 seeds: accounts cannot be seeded: their passwords would be stored in plain text (see "user create")',
    ]);
  });
});

describe('warnings', () => {
  const rest =
    '"params": {"hint": {"type": "string"}}, "permissions": {"rules": {"edit": {"any": ["edit_thing", "manage_options"]}}}';

  it('name capabilities that no role has, and unused parameters', () => {
    expect(warningsOf(thing({ rest }), ['edit_things', 'manage_options'])).toEqual([
      'thing.json:3:20 params.hint: nothing reads this parameter (give it a "filter", or check it in a step of "permissions")',
      'thing.json:3:56 permissions: no rule "read": only holders of "manage_options" read this resource (add "read": true to "rules" to let everybody read, or another rule)',
      'thing.json:3:84 permissions.rules.edit.any.0: no role has the capability "edit_thing" (did you mean "edit_things"?)',
    ]);
  });

  it('name roles that do not exist', () => {
    const rules = '"permissions": {"rules": {"read": {"any": [{"role": "nurs"}, {"role": "nurse"}]}}}';
    expect(warningsOf(thing({ rest: rules }), ['nurse', 'manage_options'])).toEqual([
      'thing.json:3:53 permissions.rules.read.any.0.role: there is no role "nurs" (did you mean "nurse"?)',
    ]);
  });

  it('name the capabilities that traits require once', () => {
    const traits = '"trashable": {}, "published": {"capabilities": "things", "schedule": false}';
    const [only, ...more] = warningsOf(thing({ traits }), ['read', 'edit_things']);
    expect(more).toEqual([]);
    expect(only).toContain(
      'thing.json:2:1 traits: no role has the capabilities that traits require: read_private_things, ',
    );
  });
});
