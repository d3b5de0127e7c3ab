// What the published schema of a value accepts, the engine accepts as it is, and the other way round; Ajv is the judge.
import { describe, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { openApiSchema } from '../../../src/http/openapi/json-schema-31.js';
import type { ValueSchema } from '../../../src/model/schema/value-schema.js';
import { compileRule } from '../../../src/values/compile-value-rule.js';
import { isUnchanged } from '../../../src/values/json-value.js';
import { argSchema, draft04 } from '../../../src/values/json-schema.js';
import { runs } from '../../support/runs.js';

const some = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const bound = fc.constantFrom(-5, -1, 0, 1, 2, 3, 5, 0.5, 1.5);
const count = fc.nat(3);
const pattern = fc.constantFrom('^a', '\\d', '.', 'b$', '^.{2}$', '\\p{L}', '^[^a]*$');
const name = fc.constantFrom('a', 'b', 'ab', 'x1', '1', 'é');
const texts = { minLength: count, maxLength: count, pattern };
const numbers = { minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound };

const VALUES = [
  '',
  'a',
  'ab',
  'abc',
  'b',
  '1',
  'é',
  '😀',
  '😀a',
  'true',
  0,
  -0,
  1,
  2,
  3,
  5,
  -1,
  0.5,
  1.5,
  true,
  false,
  null,
];

const scalar = fc.oneof(
  keywords({ type: fc.constantFrom('string', ['string', 'null']), ...texts }),
  keywords({ type: fc.constantFrom('string', ['string', 'null']), enum: some('a', 'b', '1', 'ab', '') }),
  keywords({
    type: fc.constantFrom('integer', 'number', ['integer', 'null'], ['number', 'boolean']),
    ...numbers,
    multipleOf: fc.constantFrom(1, 2, 0.5, 3),
  }),
  keywords({ type: fc.constantFrom('integer', 'number'), enum: some(-1, 0, 0.5, 2) }),
  fc.constantFrom<ValueSchema>({ type: 'boolean' }, { type: 'null' }, {}, { enum: ['a', 1, null] }),
);

const { schema } = fc.letrec<{ schema: ValueSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    keywords({
      type: fc.constantFrom('array', ['array', 'null']),
      items: tie('schema'),
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
    }),
    keywords({
      type: fc.constantFrom('object', ['object', 'null']),
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
      patternProperties: fc.dictionary(pattern, tie('schema'), { maxKeys: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      required: some('a', 'b', '1'),
      minProperties: count,
      maxProperties: count,
    }),
    fc.record<ValueSchema>({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record<ValueSchema>({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record<ValueSchema>({
      type: fc.constantFrom('integer', 'number'),
      anyOf: fc.array(keywords(numbers), { minLength: 1, maxLength: 2 }),
    }),
  ),
}));

/** Some of these keywords, and the type. */
function keywords(all: { [K in keyof ValueSchema]: fc.Arbitrary<unknown> }): fc.Arbitrary<ValueSchema> {
  return fc.record(all, { requiredKeys: 'type' in all ? ['type'] : [] }) as fc.Arbitrary<ValueSchema>;
}

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    {
      weight: 4,
      arbitrary: fc.constantFrom(...VALUES),
    },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 2, arbitrary: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }) },
  ),
}));

describe.each([
  ['properties', (written: ValueSchema) => openApiSchema(draft04(written))],
  [
    'members of arguments',
    (written: ValueSchema) => openApiSchema(argSchema({ properties: { p: written } }).properties!['p']!),
  ],
])('%s', (_what, publish) => {
  it('published schemas accept the same values as the rules of the engine', () => {
    const ajv = new Ajv2020({ strict: false });
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 12 }), (written, values) => {
        const judge = ajv.compile(publish(written));
        const rule = compileRule(written);
        for (const sent of values) {
          const checked = rule(sent, 'p');
          const accepted = 'value' in checked && isUnchanged(sent, checked.value);
          if (accepted !== judge(sent))
            throw new Error(`${JSON.stringify(sent)}: ${JSON.stringify({ checked, others: judge.errors })}`);
        }
      }),
      { numRuns: runs(1_000) },
    );
  });
});
