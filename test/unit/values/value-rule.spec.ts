// What clients may send for a value and what becomes of it: V-01 to V-08 of the behaviours.
import { describe, expect, it } from '@jest/globals';
import { compileRule } from '../../../src/values/compile-value-rule.js';
import type { ValueSchema } from '../../../src/model/schema/value-schema.js';

interface Row {
  id: string;
  schema: ValueSchema;
  /** Sent value to stored value. */
  takes?: [sent: unknown, kept: unknown][];
  /** Sent value to code and parameter. */
  refuses?: [sent: unknown, code: string, param?: string][];
}

const same = (...values: unknown[]): [unknown, unknown][] => values.map((value) => [value, value]);
const types = (...values: unknown[]): [unknown, string][] => values.map((value) => [value, 'rest_invalid_type']);

const rows: Row[] = [
  {
    id: 'V-01 integer',
    schema: { type: 'integer' },
    takes: [
      [10, 10],
      ['10', 10],
      [10.0, 10],
      ['10.0', 10],
      ['-3', -3],
      [' 7 ', 7],
      ['1e2', 100],
      [-0, 0],
    ],
    refuses: [
      ...types('', 'ten', '1.5', 1.5, '10a', '0x10', true, null, [], [1], {}, undefined, Number.NaN, '1,2'),
      ['99999999999999999999', 'rest_out_of_bounds'],
      [Infinity, 'rest_out_of_bounds'],
    ],
  },
  {
    id: 'V-01 number',
    schema: { type: 'number' },
    takes: [
      [1.5, 1.5],
      ['1.5', 1.5],
      ['.5', 0.5],
      ['-2.', -2],
      ['1e-2', 0.01],
    ],
    refuses: [...types('', 'x', '1.2.3', true, null, [], 'Infinity', 'NaN'), ['1e999', 'rest_out_of_bounds']],
  },
  {
    id: 'V-01 boolean',
    schema: { type: 'boolean' },
    takes: [
      [true, true],
      [1, true],
      ['1', true],
      ['TRUE', true],
      ['true', true],
      [false, false],
      [0, false],
      ['0', false],
      ['False', false],
    ],
    refuses: types('', 'yes', 'yes please', 2, null, [], {}, 'on', '01'),
  },
  {
    id: 'V-01 string',
    schema: { type: 'string' },
    takes: same('', 'x', '12', 'grüße 👋', '\\o/ ¯\\_(ツ)_/¯'),
    refuses: types(1, true, null, [], ['x'], {}),
  },
  {
    id: 'V-01 string without NUL and broken characters',
    schema: { type: 'string' },
    refuses: [
      ['a\0b', 'rest_invalid_pattern'],
      ['a\ud800b', 'rest_invalid_pattern'],
      ['\udc00', 'rest_invalid_pattern'],
    ],
  },
  {
    id: 'V-02 email',
    schema: { type: 'string', format: 'email' },
    takes: same('a@b.co', "o'hara+x@mail.example.org", 'a.b@c-d.example'),
    refuses: [
      ...[
        '',
        'nobody',
        'a@b.c',
        'a@b@c.example',
        '@example.org',
        'ann@example',
        'ann@-x.example',
        'ann@x-.example',
        'ann@a..example',
        'a b@example.org',
      ].map((text): [unknown, string] => [text, 'rest_invalid_email']),
      ...types(5),
    ],
  },
  {
    id: 'V-02 date-time',
    schema: { type: 'string', format: 'date-time' },
    takes: same('2016-06-30T05:43:21', '2016-06-30t05:43:21Z', '2016-06-30 05:43:21.123+02:00'),
    refuses: [
      ['', 'rest_invalid_date'],
      ['tomorrow', 'rest_invalid_date'],
      ['2016-06-30', 'rest_invalid_date'],
      ['2016-13-30T05:43:21', 'invalid_date'],
    ],
  },
  {
    id: 'V-02 date',
    schema: { type: 'string', format: 'date' },
    takes: same('2016-06-30', '2024-02-29', '0001-01-01'),
    refuses: [
      ['', 'rest_invalid_date'],
      ['tomorrow', 'rest_invalid_date'],
      ['2016-06-30T05:43:21', 'rest_invalid_date'],
      ['2016-06-30\n', 'rest_invalid_date'],
      ['2023-02-29', 'invalid_date'],
    ],
  },
  {
    id: 'V-02 ip',
    schema: { type: 'string', format: 'ip' },
    takes: same('127.0.0.1', '::1', '2001:db8::ff00:42:8329', '::ffff:10.0.0.1'),
    refuses: [
      ['', 'rest_invalid_ip'],
      ['home', 'rest_invalid_ip'],
      ['256.0.0.1', 'rest_invalid_ip'],
      ['1.2.3', 'rest_invalid_ip'],
      ['fe80::1%eth0', 'rest_invalid_ip'],
    ],
  },
  {
    id: 'V-02 uuid',
    schema: { type: 'string', format: 'uuid' },
    takes: same('123e4567-e89b-12d3-a456-426655440000', '123E4567-E89B-12D3-A456-426655440000'),
    refuses: [
      ['', 'rest_invalid_uuid'],
      ['123e4567e89b12d3a456426655440000', 'rest_invalid_uuid'],
      ['123e4567-e89b-12d3-a456-42665544000g', 'rest_invalid_uuid'],
    ],
  },
  {
    id: 'V-02 hex-color',
    schema: { type: 'string', format: 'hex-color' },
    takes: same('#000', '#FFaa33'),
    refuses: [
      ['000000', 'rest_invalid_hex_color'],
      ['#00', 'rest_invalid_hex_color'],
      ['#0000', 'rest_invalid_hex_color'],
      ['#ggg', 'rest_invalid_hex_color'],
    ],
  },
  {
    id: 'V-02 timezone',
    schema: { type: 'string', format: 'timezone' },
    takes: [...same('UTC', 'Europe/Paris', '-11:00'), ['+2', '+02:00'], ['UTC+5:30', '+05:30'], ['+0530', '+05:30']],
    refuses: [
      ['', 'rest_invalid_param'],
      ['Mars/Olympus', 'rest_invalid_param'],
      ['+15', 'rest_invalid_param'],
      ['+05:75', 'rest_invalid_param'],
      ['+99:99', 'rest_invalid_param'],
    ],
  },
  {
    id: 'V-02 uri is cleaned, never refused',
    schema: { type: 'string', format: 'uri' },
    takes: [
      ...same(
        '',
        'https://example.org/a?b=c&d=%20#e',
        'mailto:ann@example.org',
        '/path',
        '#top',
        '//example.org/x',
        'tel:12345',
      ),
      ['example.org', 'http://example.org'],
      ['example.org:8080/x', 'http://example.org:8080/x'],
      [' https://example.org/a b ', 'https://example.org/a%20b'],
      ['https://example.org/<script>"', 'https://example.org/script'],
      ['javascript:alert(1)', ''],
      ['JavaScript:alert(1)', ''],
      ['java\tscript:alert(1)', ''],
      ['\u0001javascript:alert(1)', ''],
      ['javascript&#58;alert(1)', ''],
      ['javascript&#x3A;alert(1)', ''],
      ['javascript&colon;alert(1)', ''],
      ['data:text/html,x', ''],
      ['vbscript:x', ''],
      ['https://example.org/\r\nSet-Cookie: x', 'https://example.org/Set-Cookie:%20x'],
      ['https://example.org/\0\ud800', 'https://example.org/'],
    ],
  },
  { id: 'V-02 formats look at strings only', schema: { type: 'integer', format: 'email' }, takes: [['5', 5]] },
  { id: 'V-02 unknown formats pass', schema: { type: 'string', format: 'moon-phase' }, takes: same('full') },
  {
    id: 'V-03 list of integers',
    schema: { type: 'array', items: { type: 'integer' } },
    takes: [
      [
        [1, 2],
        [1, 2],
      ],
      [
        ['1', '2'],
        [1, 2],
      ],
      ['1,2 3', [1, 2, 3]],
      ['1, 2\n3,', [1, 2, 3]],
      ['', []],
      [[], []],
      [5, [5]],
    ],
    refuses: [
      ['1,x', 'rest_invalid_type', 'p[1]'],
      ['admin', 'rest_invalid_type', 'p[0]'],
      [[1, null], 'rest_invalid_type', 'p[1]'],
      ...types({}, { 0: 1, 1: 2 }, { first: 1 }, null),
    ],
  },
  {
    id: 'V-03 list of choices',
    schema: { type: 'array', items: { type: 'string', enum: ['publish', 'draft'] } },
    takes: [
      ['draft,publish', ['draft', 'publish']],
      ['publish', ['publish']],
    ],
    refuses: [
      ['publish,secret', 'rest_not_in_enum', 'p[1]'],
      [['publish', 'DRAFT'], 'rest_not_in_enum', 'p[1]'],
    ],
  },
  {
    id: 'V-03 list of lists',
    schema: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
    takes: [
      [
        [[1], ['2']],
        [[1], [2]],
      ],
      [
        ['1,2', '3'],
        [[1, 2], [3]],
      ],
    ],
    refuses: [[[[1], ['x']], 'rest_invalid_type', 'p[1][0]']],
  },
  {
    id: 'V-03 list without items takes any JSON',
    schema: { type: 'array' },
    takes: [
      [
        [1, 'a', null, { b: [true] }],
        [1, 'a', null, { b: [true] }],
      ],
    ],
    refuses: [
      [['a\0'], 'rest_invalid_pattern', 'p[0]'],
      [[{ 'a\0': 1 }], 'rest_invalid_pattern'],
    ],
  },
  {
    id: 'V-04 object',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'object', properties: { c: { type: 'boolean' } } } },
    },
    takes: [
      [{ a: '1' }, { a: 1 }],
      [{ b: { c: '0' } }, { b: { c: false } }],
      ['', {}],
      [{}, {}],
      [{ x: 1 }, { x: 1 }],
    ],
    refuses: [
      [{ a: 'x' }, 'rest_invalid_type', 'p[a]'],
      [{ b: { c: 'x' } }, 'rest_invalid_type', 'p[b][c]'],
      ...types('x', 1, [], [1], null, new Date(0), new Map()),
    ],
  },
  {
    id: 'V-04 additional members forbidden',
    schema: { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false },
    takes: [[{ a: 1 }, { a: 1 }]],
    refuses: [[{ a: 1, z: 2 }, 'rest_additional_properties_forbidden', 'p[z]']],
  },
  {
    id: 'V-04 additional members of a type',
    schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } },
    takes: [
      [
        { a: 'x', z: '2' },
        { a: 'x', z: 2 },
      ],
    ],
    refuses: [[{ z: 'x' }, 'rest_invalid_type', 'p[z]']],
  },
  {
    id: 'V-04 patterned members',
    schema: { type: 'object', patternProperties: { '^[0-9]+$': { type: 'integer' } }, additionalProperties: false },
    takes: [[{ 12: '3' }, { 12: 3 }]],
    refuses: [
      [{ 12: 'x' }, 'rest_invalid_type', 'p[12]'],
      [{ a: 1 }, 'rest_additional_properties_forbidden', 'p[a]'],
    ],
  },
  {
    id: 'V-04 members that are declared and fit patterns must fit all',
    schema: {
      type: 'object',
      properties: { size: { type: 'string' } },
      patternProperties: { '^s': { type: 'string', maxLength: 3 }, e$: { type: 'string', minLength: 2 } },
      additionalProperties: { type: 'integer' },
    },
    takes: [
      [
        { size: 'big', site: 'hq', sum: '', x: '1' },
        { size: 'big', site: 'hq', sum: '', x: 1 },
      ],
    ],
    refuses: [
      [{ size: 'large' }, 'rest_too_long', 'p[size]'],
      [{ size: 'l' }, 'rest_too_short', 'p[size]'],
      [{ site: 'x' }, 'rest_too_short', 'p[site]'],
    ],
  },
  {
    id: 'V-04 members that fit two patterns satisfy both with the value that is kept',
    schema: {
      type: 'object',
      patternProperties: {
        '\\d': { type: ['boolean', 'integer'] },
        '^x': { type: 'array' },
        '^y': { type: 'boolean' },
      },
    },
    takes: [
      [
        { x: false, y1: '1' },
        { x: ['false'], y1: true },
      ],
    ],
    refuses: [
      [{ x1: false }, 'rest_invalid_type', 'p[x1]'],
      [{ x1: [] }, 'rest_invalid_type', 'p[x1]'],
    ],
  },
  {
    id: 'V-04 required, list form',
    schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
    takes: [[{ a: 1 }, { a: 1 }]],
    refuses: [
      [{}, 'rest_property_required', 'p[a]'],
      ['', 'rest_property_required', 'p[a]'],
    ],
  },
  {
    id: 'V-04 required, member form',
    schema: {
      type: 'object',
      properties: {
        a: { type: 'integer', required: true },
        b: { type: 'object', properties: { c: { type: 'string', required: true } } },
      },
    },
    takes: [
      [
        { a: 1, b: { c: '' } },
        { a: 1, b: { c: '' } },
      ],
    ],
    refuses: [
      [{}, 'rest_property_required', 'p[a]'],
      [{ a: 1, b: {} }, 'rest_property_required', 'p[b][c]'],
    ],
  },
  {
    id: 'V-04 counts of members',
    schema: { type: 'object', minProperties: 1, maxProperties: 2 },
    takes: [
      [
        { a: 1, b: 2 },
        { a: 1, b: 2 },
      ],
    ],
    refuses: [
      [{}, 'rest_too_few_properties'],
      [{ a: 1, b: 2, c: 3 }, 'rest_too_many_properties'],
    ],
  },
  {
    id: 'V-04 read-only members are dropped',
    schema: {
      type: 'object',
      properties: { raw: { type: 'string' }, rendered: { type: 'string', readOnly: true } },
      additionalProperties: false,
    },
    takes: [[{ raw: 'x', rendered: 5 }, { raw: 'x' }]],
  },
  {
    id: 'V-04 dangerous names are dropped',
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    takes: [[JSON.parse('{"__proto__": 1, "constructor": 2, "prototype": 3, "a": 4}'), { a: 4 }]],
  },
  { id: 'V-05 null', schema: { type: 'null' }, takes: same(null), refuses: types('', 0, false, 'null') },
  {
    id: 'V-05 string or null',
    schema: { type: ['string', 'null'], format: 'date-time' },
    takes: same(null, '2016-06-30T05:43:21'),
    refuses: [...types(5, true), ['x', 'rest_invalid_date']],
  },
  {
    id: 'V-05 the own type wins, else the order of the schema',
    schema: { type: ['boolean', 'integer', 'string'] },
    takes: [
      [1, 1],
      ['1', true],
      ['5', 5],
      ['x', 'x'],
      ['', ''],
      [true, true],
    ],
    refuses: types([], {}, null, 1.5),
  },
  {
    id: 'V-05 empty text stays a text',
    schema: { type: ['array', 'string'] },
    takes: [
      ['', ''],
      ['a,b', ['a', 'b']],
    ],
  },
  {
    id: 'V-05 string or object',
    schema: { type: ['object', 'string'] },
    takes: same('x', '', { raw: 'y' }),
    refuses: types(5, []),
  },
  {
    id: 'V-06 inclusive bounds',
    schema: { type: 'integer', minimum: 1, maximum: 100 },
    takes: [
      ['1', 1],
      [100, 100],
    ],
    refuses: [
      [0, 'rest_out_of_bounds'],
      ['101', 'rest_out_of_bounds'],
      [-1, 'rest_out_of_bounds'],
    ],
  },
  {
    id: 'V-06 exclusive bounds',
    schema: { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 },
    takes: [[1.5, 1.5]],
    refuses: [
      [1, 'rest_out_of_bounds'],
      [2, 'rest_out_of_bounds'],
    ],
  },
  {
    id: 'V-07 lengths in code points',
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    takes: same('ab', '👋👋', '👋👋👋'),
    refuses: [
      ['👋', 'rest_too_short'],
      ['', 'rest_too_short'],
      ['👋👋👋👋', 'rest_too_long'],
      ['abcd', 'rest_too_long'],
    ],
  },
  {
    id: 'V-07 counts of items',
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
    takes: [
      ['1', [1]],
      [
        [1, 2],
        [1, 2],
      ],
    ],
    refuses: [
      ['', 'rest_too_few_items'],
      ['1,2,3', 'rest_too_many_items'],
    ],
  },
  {
    id: 'V-07 unique items, deep and after coercion',
    schema: { type: 'array', uniqueItems: true },
    takes: [
      [
        [1, '1'],
        [1, '1'],
      ],
      [
        [{ a: 1 }, { a: 2 }],
        [{ a: 1 }, { a: 2 }],
      ],
      [
        [
          [1, 2],
          [2, 1],
        ],
        [
          [1, 2],
          [2, 1],
        ],
      ],
    ],
    refuses: [
      [[1, 1], 'rest_duplicate_items'],
      [
        [
          { a: 1, b: [2] },
          { b: [2], a: 1 },
        ],
        'rest_duplicate_items',
      ],
    ],
  },
  {
    id: 'V-07 pattern',
    schema: { type: 'string', pattern: '^[a-z]👋$' },
    takes: same('a👋'),
    refuses: [
      ['a', 'rest_invalid_pattern'],
      ['x'.repeat(2001), 'rest_too_long'],
    ],
  },
  {
    id: 'V-07 multiples',
    schema: { type: 'number', multipleOf: 0.1 },
    takes: same(0.3, 1.1, 0, -0.7),
    refuses: [[0.35, 'rest_invalid_multiple']],
  },
  {
    id: 'V-07 multiples among large numbers',
    schema: { type: 'number', multipleOf: 2.5 },
    takes: same(2e15, -2e15, 1e300),
    refuses: [
      [2e15 + 1, 'rest_invalid_multiple'],
      [9007199254740991, 'rest_invalid_multiple'],
    ],
  },
  {
    id: 'V-07 multiples of small numbers',
    schema: { type: 'number', multipleOf: 1e-7 },
    takes: same(0.1 + 0.2, 1.2345678, 3e-7, 1e308, 123456789012.3456),
    refuses: [
      [1.23456785, 'rest_invalid_multiple'],
      [5e-8, 'rest_invalid_multiple'],
    ],
  },
  {
    id: 'V-07 multiples of a hundredth',
    schema: { type: 'number', multipleOf: 0.01 },
    takes: same(6e12 + 0.01, 1e22),
    refuses: [[6e12 + 0.005, 'rest_invalid_multiple']],
  },
  {
    id: 'V-07 multiples of a whole number',
    schema: { type: 'number', multipleOf: 1 },
    takes: same(3, -3, 0, 1e15),
    refuses: [
      [0.5, 'rest_invalid_multiple'],
      [1e15 + 0.5, 'rest_invalid_multiple'],
    ],
  },
  {
    id: 'V-07 enum after coercion',
    schema: { type: 'integer', enum: [1, 2] },
    takes: [
      ['1', 1],
      [2, 2],
    ],
    refuses: [
      [3, 'rest_not_in_enum'],
      ['x', 'rest_invalid_type'],
    ],
  },
  {
    id: 'V-07 enum is case-sensitive',
    schema: { type: 'string', enum: ['asc', 'desc'] },
    refuses: [
      ['DESC', 'rest_not_in_enum'],
      ['', 'rest_not_in_enum'],
    ],
  },
  {
    id: 'V-07 enum without a type',
    schema: { enum: ['a', 1] },
    takes: same('a', 1),
    refuses: [['1', 'rest_not_in_enum']],
  },
  {
    id: 'V-08 anyOf',
    schema: { anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 1 }] },
    takes: [
      [true, true],
      ['true', true],
      [1, 1],
      ['7', 7],
    ],
    refuses: [
      ['x', 'rest_no_matching_schema'],
      [0.5, 'rest_no_matching_schema'],
    ],
  },
  {
    id: 'V-08 anyOf beside a type',
    schema: { type: 'string', anyOf: [{ maxLength: 0 }, { format: 'email' }] },
    takes: same('', 'ann@example.org'),
    refuses: [
      ['x', 'rest_no_matching_schema'],
      [5, 'rest_no_matching_schema'],
    ],
  },
  {
    id: 'V-08 oneOf',
    schema: {
      oneOf: [
        { type: 'integer', multipleOf: 3 },
        { type: 'integer', multipleOf: 5 },
      ],
    },
    takes: [
      ['9', 9],
      [5, 5],
    ],
    refuses: [
      [15, 'rest_one_of_multiple_matches'],
      [7, 'rest_no_matching_schema'],
    ],
  },
];

describe.each(rows)('$id', ({ schema, takes = [], refuses = [] }) => {
  const rule = compileRule(schema);

  if (takes.length > 0) {
    it.each(takes)('accepts %j as %j', (sent, stored) => {
      expect(rule(sent, 'p')).toEqual({ value: stored });
    });
  }

  if (refuses.length > 0) {
    it.each(refuses)('refuses %j with %s', (sent, code, param = 'p') => {
      const checked = rule(sent, 'p');
      expect(checked).toMatchObject({ issue: { code } });
      if (code === 'rest_invalid_type') expect(checked).toMatchObject({ issue: { param, data: { param } } });
      if ('issue' in checked) {
        expect(checked.issue.param).toContain(param);
        expect(checked.issue.message.startsWith(checked.issue.param)).toBe(true);
      }
    });
  }
});

describe('messages say what is allowed', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 100 }, 0, 'per_page must be at least 1 and at most 100.'],
    [{ type: 'string', enum: ['asc', 'desc'] }, 'up', 'per_page must be one of "asc" or "desc".'],
    [{ type: ['string', 'null'] }, 5, 'per_page must be a string or null.'],
    [{ type: 'array', maxItems: 1 }, 'a,b', 'per_page must have at most 1 item.'],
    [{ type: 'object', minProperties: 2 }, {}, 'per_page must have at least 2 properties.'],
    [
      { type: 'object', properties: { lat: {}, lng: {} }, additionalProperties: false },
      { alt: 1 },
      'per_page[alt] is not allowed. Allowed: lat or lng.',
    ],
    [
      { anyOf: [{ type: 'boolean' }, { type: 'integer' }] },
      'x',
      'per_page fits none of the allowed forms: per_page must be true or false; or per_page must be a whole number.',
    ],
  ] as [ValueSchema, unknown, string][])('%j', (schema, sent, message) => {
    expect(compileRule(schema)(sent, 'per_page')).toMatchObject({ issue: { message } });
  });
});
