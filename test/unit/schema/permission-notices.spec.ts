// Warnings of `check` about permissions: closed resources, rules that single items forget, fields that nobody may read.
import { expect, it } from '@jest/globals';
import { problemsOf, warningsOf } from './thing-schema.js';

const HELD = ['manage_options'];
const messagesFor = (text: string) => problemsOf({ 'thing.json': text }) ?? [];
const thing = (more: object, fields: object = {}): string =>
  JSON.stringify({ name: 'thing', path: 'things', fields: { title: { type: 'string' }, ...fields }, ...more });
const open = (more: object, fields: object = {}) => thing({ permissions: 'public-read', ...more }, fields);
const HIDDEN = { pin: { type: 'string', contexts: [] }, trace: { type: 'string', hidden: true } };

const BOX = {
  type: 'object',
  minProperties: 1,
  maxProperties: 2,
  properties: { cost: { type: 'integer', read: true } },
};
const ROWS = { type: 'array', uniqueItems: true, items: { type: 'object', properties: { box: BOX } } };
/** Its rights are those of the whole field. */
const TAGS = { type: 'array', read: true, uniqueItems: true, items: { type: 'object', maxProperties: 1 } };

it.each<[string, string, RegExp[]]>([
  ['no permissions', thing({}), [/^thing\.json:1:1: no permissions: .*"permissions": "public-read"/]],
  ['closed on purpose', thing({ permissions: 'closed' }), []],
  ['public', open({}), []],
  ['no rule read', thing({ permissions: { rules: { edit: true } } }), [/permissions: no rule "read".*"read": true/]],
  [
    'an item that forgets the rule read',
    thing({
      permissions: {
        rules: { read: { is: { title: 'x' } } },
        retrieve: [{ needs: { signedIn: true }, error: 'rest_forbidden' }],
      },
    }),
    [/permissions\.retrieve: no step checks the rule "read"/],
  ],
  ['a filter', open({ params: { pin: { filter: 'equals' } } }, HIDDEN), [/^thing\.json:1:\d+ params\.pin: looks at/]],
  [
    'a filter of the field itself',
    open({}, { pin: { type: 'string', contexts: [], filterable: true } }),
    [/^thing\.json:1:\d+ fields\.pin\.filterable: looks at/],
  ],
  [
    'an order',
    open({ list: { orderby: ['id', 'trace'] } }, HIDDEN),
    [/list\.orderby\.1: orders by a field that nobody/],
  ],
  [
    'the usual order',
    open({ list: { orderby: ['rank'] } }, { rank: { type: 'integer', contexts: ['edit'] } }),
    [/list\.orderby\.0: orders by a field that not everybody/],
  ],
  ['a search', open({ search: { fields: ['title', 'pin'] } }, HIDDEN), [/search\.fields\.1: is a field that nobody/]],
  [
    'a required field that no role may set',
    open({}, { price: { type: 'integer', required: true, write: 'set_prices' } }),
    [/fields\.price\.write: no role has the capability/, /fields\.price\.write: is required, and no role may set it/],
  ],
  [
    'a filter by a field that its rule shows to nobody',
    open({ params: { price: { filter: 'equals' } } }, { price: { type: 'integer', read: false } }),
    [/params\.price: looks at a field that nobody may read/],
  ],
  [
    'keywords that look at members with rights',
    open({}, { rows: ROWS, tags: TAGS }),
    [
      /fields\.rows\.uniqueItems: looks at members with "read" or "write"/,
      /fields\.rows\.items\.properties\.box\.minProperties: looks at members/,
      /fields\.rows\.items\.properties\.box\.maxProperties: looks at members/,
    ],
  ],
  ['one that a role may set', open({}, { price: { type: 'integer', required: true, write: 'manage_options' } }), []],
  [
    'a step that decides',
    thing(
      {
        params: { pin: { filter: 'equals' } },
        permissions: { rules: { read: true }, list: [{ param: 'pin', needs: 'manage_options', error: 'no_pin' }] },
      },
      HIDDEN,
    ),
    [],
  ],
])('%s', (_about, text, expected) => {
  expect(messagesFor(text)).toEqual([]);
  const found = warningsOf(text, HELD);
  expect(found).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(found[index]).toMatch(pattern);
});

it('warns that no role can manage the site', () => {
  expect(warningsOf(thing({}), []).join()).toContain('"manage_options", which no role has,');
});

it('presets must be known words', () => {
  expect(messagesFor(thing({ permissions: 'public' })).join()).toMatch(/permissions: "public" is not one of/);
});

it('no preset makes accounts public', () => {
  const fields = {
    username: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'password' },
    roles: { type: 'strings' },
  };
  const found = messagesFor(open({ traits: { account: {} } }, fields)).join();
  expect(found).toContain('permissions: "public-read" does not open a resource with the trait "account"');
});
