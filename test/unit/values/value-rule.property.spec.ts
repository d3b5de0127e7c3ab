// Properties of rules for any value: they never throw, accept their own results unchanged, and stay fast.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { cleanUri } from '../../../src/values/clean-uri.js';
import { compileRule } from '../../../src/values/compile-value-rule.js';
import { codesOf } from '../../../src/values/rule.js';
import { runs } from '../../support/runs.js';
import { anyText } from '../../support/any-text.js';
import type { ValueSchema } from '../../../src/model/schema/value-schema.js';

const scalarSchema = fc.oneof(
  fc.record<ValueSchema>(
    {
      type: fc.constantFrom('string', ['string', 'null'], ['integer', 'string'], ['boolean', 'integer']),
      minLength: fc.nat(3),
      maxLength: fc.integer({ min: 2, max: 30 }),
      format: fc.constantFrom('email', 'uri', 'ip', 'uuid', 'date-time', 'hex-color', 'other'),
      pattern: fc.constantFrom('^a', '\\d', '.'),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record<ValueSchema>(
    {
      type: fc.constantFrom('integer', 'number', ['number', 'boolean'], ['null', 'integer']),
      minimum: fc.integer({ min: -5, max: 5 }),
      exclusiveMinimum: fc.integer({ min: -5, max: 5 }),
      multipleOf: fc.constantFrom(1, 0.5, 3),
      enum: fc.constant([1, 2, '3', -0]),
    },
    { requiredKeys: ['type'] },
  ),
  fc.constantFrom<ValueSchema>({ type: 'boolean' }, { type: 'null' }, {}),
);

const { schema } = fc.letrec<{ schema: ValueSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalarSchema,
    fc.record<ValueSchema>(
      {
        type: fc.constantFrom('array', ['array', 'string']),
        items: tie('schema'),
        maxItems: fc.nat(5),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record<ValueSchema>(
      {
        type: fc.constantFrom('object', ['object', 'string']),
        properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema')),
        patternProperties: fc.dictionary(fc.constantFrom('^x', '\\d'), tie('schema')),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        required: fc.constantFrom(['a'], []),
        maxProperties: fc.nat(4),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record<ValueSchema>({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
  ),
}));

const value = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
  fc.jsonValue(),
  fc.constantFrom('1', '01', '1,2', '-0', 'true', '2024-01-01T00:00:00', 'javascript:x', 'a@b.example'),
  anyText(),
  fc.dictionary(fc.constantFrom('a', 'b', 'x1', '__proto__', 'constructor'), fc.jsonValue()),
);

describe('any schema, any value', () => {
  it('is rejected only with codes of its constraints', () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 8 }), (written, values) => {
        const rule = compileRule(written);
        for (const sent of values) {
          const checked = rule(sent, 'p');
          if ('issue' in checked) expect(codesOf(rule)).toContain(checked.issue.code);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('V-01 to V-08 never throws, and accepts its own result unchanged', () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 8 }), (written, values) => {
        const rule = compileRule(written);
        for (const sent of values) {
          const checked = rule(sent, 'p');
          if ('value' in checked) expect(rule(checked.value, 'p')).toEqual({ value: checked.value });
          else expect(checked.issue.message).toMatch(/^p.*\S$/s);
        }
      }),
      { numRuns: runs(800) },
    );
  });

  it('V-02 a sanitized address is valid', () => {
    fc.assert(fc.property(anyText(), (text) => cleanUri(cleanUri(text)) === cleanUri(text)));
    fc.assert(fc.property(fc.webUrl(), (url) => !cleanUri(url).includes('<') && cleanUri(url).startsWith('http')));
  });

  it('V-04 changes no prototype', () => {
    const rule = compileRule({});
    const checked = rule(JSON.parse('{"__proto__": {"polluted": true}, "a": {"constructor": {"x": 1}}}'), 'p');
    expect(checked).toEqual({ value: { a: {} } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('hostile values', () => {
  const deep = (levels: number): unknown => {
    let nested: unknown = 1;
    for (let level = 0; level < levels; level++) nested = [nested];
    return nested;
  };

  it.each<[string, ValueSchema, unknown]>([
    ['deep nesting', {}, deep(50_000)],
    ['deep nesting in unique items', { type: 'array', uniqueItems: true }, deep(50_000)],
    [
      'a million items',
      { type: 'array', items: { type: 'integer' }, maxItems: 100 },
      ','.concat('1,'.repeat(1_000_000)),
    ],
    ['a long text against a pattern', { type: 'string', pattern: '^(?:a|b)*$' }, 'a'.repeat(1_000_000).concat('!')],
    ['many equal items', { type: 'array', uniqueItems: true }, Array.from({ length: 100_000 }, () => ({ a: 1 }))],
    ['a long number', { type: 'integer' }, '1'.repeat(1_000_000)],
    ['spaces before a number', { type: 'integer' }, ' '.repeat(1_000_000).concat('x')],
    ['dots in an e-mail address', { type: 'string', format: 'email' }, `a@${'a-'.repeat(500_000)}.b`],
    ['colons in an ip', { type: 'string', format: 'ip' }, ':'.repeat(1_000_000)],
    ['spaces in a URL', { type: 'string', format: 'uri' }, ' x'.repeat(500_000)],
    ['dashes in a host', { type: 'string', format: 'uri' }, `${'a-.'.repeat(300_000)}:x`],
    ['digits in a date', { type: 'string', format: 'date-time' }, `2024-01-01T00:00:00.${'1'.repeat(1_000_000)}x`],
    ['a long name of a member', { type: 'object', additionalProperties: false }, { ['x'.repeat(1_000_000)]: 1 }],
  ])('%s ends with a short result', (_name, written, sent) => {
    const rule = compileRule(written);
    const checked = rule(sent, 'p');
    if ('issue' in checked) expect(checked.issue.message.length).toBeLessThan(1_000);
  });
});
