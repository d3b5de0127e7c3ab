// The generated classes of request bodies: what class-validator knows of them, what they accept, and how what they reject
// becomes an error.
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as swagger from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { getMetadataStorage } from 'class-validator';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { describeBody } from '../../../src/http/openapi/body-properties.js';
import {
  checkBody,
  createBodyClass,
  toInstance,
  validateBody,
  type BodyClass,
} from '../../../src/http/validation/dto.factory.js';
import type { ResourceModel } from '../../../src/model/model.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { extendSchema } from '../../../src/schema/extend/extend-schema.js';
import { walkedRule } from '../../../src/values/rule.js';
import { collectProblems } from '../../support/collect-problems.js';
import { expectLinear } from '../../support/growth.js';
import { argumentsOf } from '../../../src/http/resource/argument-documents.js';

const member: ResourceSchema = {
  name: 'club-member',
  path: 'members',
  fields: {
    name: { type: 'string', required: true, minLength: 2, maxLength: 20, description: 'Name.' },
    mail: { type: 'string', required: true, format: 'email', description: 'Address.' },
    story: { type: 'rendered', description: 'Story.' },
    age: { type: 'integer', minimum: 18, nullable: true, description: 'Age.' },
    level: { type: 'string', enum: ['new', 'old'], allowStored: ['left'], default: 'new', description: 'Level.' },
    price: { type: 'string', pattern: '^\\$value [0-9]+$', default: '$value 1', description: 'Price.' },
    born: { type: 'date', description: 'Day of birth.' },
    days: {
      type: 'array',
      items: { type: 'integer', maximum: 7 },
      maxItems: 3,
      uniqueItems: true,
      description: 'Days.',
    },
    home: {
      type: 'object',
      properties: { street: { type: 'string' }, number: { type: 'integer' } },
      additionalProperties: { type: 'boolean' },
      description: 'Home.',
    },
    code: { type: 'string', anyOf: [{ minLength: 3 }, { enum: ['x'] }], description: 'Code.' },
    secret: { type: 'string', hidden: true },
    visits: { type: 'integer', readOnly: true, default: 0, description: 'Visits.' },
  },
  permissions: 'public-read',
} as ResourceSchema;

const sound = { name: 'Ann Lee', mail: 'ann@example.org' };
let model: ResourceModel;
let create: BodyClass;
let update: BodyClass;

beforeAll(() => {
  const { report, problems } = collectProblems('member');
  model = compileModels([{ schema: extendSchema(member, report), report }]).byName.get('club-member')!;
  expect(problems).toEqual([]);
  create = createBodyClass(model, 'create');
  update = createBodyClass(model, 'update');
});

/** Names of the constraints that class-validator holds for each property. */
function constraintsOf(type: BodyClass): Record<string, string[]> {
  const found = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names: Record<string, string[]> = {};
  for (const { propertyName, constraintCls } of found) {
    const [constraint] = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
    names[propertyName] = [...(names[propertyName] ?? []), constraint!.name];
  }
  return names;
}

function refusal(type: BodyClass, sent: Record<string, unknown>): ResourceError {
  try {
    checkBody(type, sent);
  } catch (error) {
    if (error instanceof ResourceError) return error;
    throw error;
  }
  throw new Error('The body was accepted.');
}

describe('the DTO class of a body', () => {
  it('is named after the model and the operation', () => {
    expect([create, update].map(({ name }) => name)).toEqual(['ClubMemberCreate', 'ClubMemberUpdate']);
  });

  it('has a constraint of class-validator for each error code of a field', () => {
    expect(constraintsOf(update)).toEqual({
      name: ['rest_invalid_type', 'rest_invalid_pattern', 'rest_too_long', 'rest_too_short'],
      mail: ['rest_invalid_type', 'rest_invalid_pattern', 'rest_too_long', 'rest_invalid_email'],
      story: ['rest_invalid_type', 'rest_invalid_pattern'],
      age: ['rest_invalid_type', 'rest_out_of_bounds', 'rest_out_of_bounds'],
      level: ['rest_invalid_type', 'rest_invalid_pattern', 'rest_not_in_enum'],
      price: ['rest_invalid_type', 'rest_invalid_pattern', 'rest_too_long', 'rest_too_long', 'rest_invalid_pattern'],
      born: ['rest_invalid_type', 'rest_invalid_pattern', 'rest_invalid_date', 'invalid_date'],
      days: ['rest_invalid_type', 'rest_too_many_items', 'rest_out_of_bounds', 'rest_duplicate_items'],
      home: ['rest_invalid_type', 'rest_invalid_pattern', 'rest_out_of_bounds'],
      code: ['rest_no_matching_schema', 'rest_invalid_type', 'rest_invalid_pattern', 'rest_too_long'],
    });
  });

  it('requires fields in creations, but not in updates', () => {
    const required = (type: BodyClass) =>
      Object.entries(constraintsOf(type))
        .filter(([, codes]) => codes.includes('rest_missing_callback_param'))
        .map(([name]) => name);
    expect(required(create)).toEqual(['name', 'mail']);
    expect(required(update)).toEqual([]);
  });
});

describe('an accepted body', () => {
  it('is coerced; unknown, read-only and internal members are dropped', () => {
    const sent = { ...sound, age: '44', days: '1, 2', story: { raw: 'Long.' }, visits: 5, secret: 'x', other: {} };
    expect(toInstance(create, sent)).toBeInstanceOf(create);
    expect(checkBody(create, sent)).toEqual({ ...sound, age: 44, days: [1, 2], story: 'Long.' });
  });

  it('keeps null where a field allows it, and drops it elsewhere', () => {
    expect(checkBody(update, { age: null, born: null, price: null, days: null })).toEqual({ age: null, born: null });
  });

  it('drops a text that is sent without its raw form', () => {
    expect(checkBody(update, { story: { rendered: '<p>Old.</p>' } })).toEqual({});
  });

  it('may contain unchanged stored values only in updates', () => {
    expect(checkBody(update, { level: 'left' })).toEqual({ level: 'left' });
    expect(refusal(create, { ...sound, level: 'left' }).details.data).toMatchObject({
      details: { level: { code: 'rest_not_in_enum' } },
    });
  });

  it('does not change prototypes and constructors with hostile members', () => {
    const home = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "x", "toString": true, "then": false}');
    const body = checkBody(update, { home, constructor: 'x', toString: 'x' });
    expect(Object.entries(body['home'] as object)).toEqual([
      ['toString', true],
      ['then', false],
    ]);
    expect(Object.keys(body)).toEqual(['home']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('contains a large text without a copy', () => {
    const list = [1, 2, 3];
    const [text, home] = ['x'.repeat(2 ** 20), { street: 'y' }];
    const body = checkBody(update, { story: text, days: list, home });
    expect(body['story']).toBe(text);
    expect(body['days']).not.toBe(list);
    expect([list, home]).toEqual([[1, 2, 3], { street: 'y' }]);
  });

  it('is checked in time linear in its size', () => {
    expectLinear(
      (size) => ({ home: Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, true])) }),
      (sent) => checkBody(update, sent),
    );
  });
});

describe('a rejected body', () => {
  const wrong: [string, Record<string, unknown>, string, string][] = [
    ['type', { name: 5 }, 'rest_invalid_type', 'name must be a string.'],
    ['length', { name: 'A' }, 'rest_too_short', 'name must have at least 2 characters.'],
    ['format', { mail: 'ann' }, 'rest_invalid_email', 'mail must be an e-mail address such as ann@example.org.'],
    ['bound', { age: '17' }, 'rest_out_of_bounds', 'age must be at least 18.'],
    ['choice', { level: 'late' }, 'rest_not_in_enum', 'level must be one of "new" or "old".'],
    ['pattern', { price: '$5' }, 'rest_invalid_pattern', 'price must match the pattern ^\\$value [0-9]+$.'],
    ['calendar', { born: '2024-02-30' }, 'invalid_date', 'born is not in the calendar. Check month and day.'],
    ['count', { days: [1, 2, 3, 4] }, 'rest_too_many_items', 'days must have at most 3 items.'],
    ['item', { days: [1, 'x', 9] }, 'rest_invalid_type', 'days[1] must be a whole number.'],
    ['later item', { days: [1, 9, 'x'] }, 'rest_out_of_bounds', 'days[1] must be at most 7.'],
    ['repetition', { days: '1,1' }, 'rest_duplicate_items', 'days must not contain the same item twice.'],
    ['member', { home: { number: 'x' } }, 'rest_invalid_type', 'home[number] must be a whole number.'],
    ['strange member', { home: { $target: 1.5 } }, 'rest_invalid_type', 'home[$target] must be true or false.'],
    ['raw text', { story: { raw: 5 } }, 'rest_invalid_type', 'story[raw] must be a string.'],
  ];

  it.each(wrong)('for its %s has that one constraint', (_, sent, code, message) => {
    const errors = validateBody(toInstance(update, sent));
    const [field] = Object.keys(sent);
    expect(errors.map(({ property }) => property)).toEqual([field]);
    expect(Object.keys(errors[0]!.constraints!)).toEqual([code]);
    const { data } = refusal(update, sent).details;
    expect(data).toMatchObject({ params: { [field!]: message }, details: { [field!]: { code, message } } });
  });

  it('has the path of a wrong type in the data of its error', () => {
    const { details } = refusal(update, { name: 5, days: ['x'], level: 'late' }).details.data as unknown as {
      details: Record<string, { data: unknown }>;
    };
    expect(Object.entries(details).map(([name, { data }]) => [name, data])).toEqual([
      ['name', { param: 'name' }],
      ['level', null],
      ['days', { param: 'days[0]' }],
    ]);
  });

  it('reports the first problem of each field, in the order of the fields', () => {
    const errors = validateBody(toInstance(update, { days: ['x', 'x'], age: 1, name: '\0' }));
    expect(errors.map(({ property, constraints }) => [property, ...Object.keys(constraints!)])).toEqual([
      ['name', 'rest_invalid_pattern'],
      ['age', 'rest_out_of_bounds'],
      ['days', 'rest_invalid_type'],
    ]);
  });

  it('is rejected for an error code without a constraint, too', () => {
    const fields = new Map(model.fields);
    const rule = walkedRule(
      (_value, param) => ({ issue: { code: 'unknown', param, message: `${param} is odd.` } }),
      [],
    );
    fields.set('name', { ...model.fields.get('name')!, rule });
    const strange = createBodyClass({ ...model, fields }, 'update');
    expect(refusal(strange, { name: 'x' }).details.data).toMatchObject({ params: { name: 'name is odd.' } });
  });

  it('is rejected for missing fields before invalid ones', () => {
    const sent = { name: null, age: 1 };
    const errors = validateBody(toInstance(create, sent));
    expect(errors.map(({ property, constraints }) => [property, ...Object.keys(constraints!)])).toEqual([
      ['name', 'rest_missing_callback_param'],
      ['mail', 'rest_missing_callback_param'],
      ['age', 'rest_out_of_bounds'],
    ]);
    expect(refusal(create, sent)).toMatchObject({
      code: 'rest_missing_callback_param',
      details: { data: { params: ['name', 'mail'] } },
    });
  });
});

describe('the Swagger document', () => {
  it('has the classes as schemas, with the constraints of the fields', async () => {
    const app = (await Test.createTestingModule({}).compile()).createNestApplication({ logger: false });
    describeBody(swagger, create, argumentsOf(model, 'create'), model.fields, 'create');
    const config = new swagger.DocumentBuilder().setOpenAPIVersion('3.1.0').build();
    const { components } = swagger.SwaggerModule.createDocument(app, config, { extraModels: [create] });
    const shown = components!.schemas!['ClubMemberCreate'] as { required: string[]; properties: object };
    expect(shown.required).toEqual(['name', 'mail']);
    expect(shown.properties).toMatchObject({
      name: { type: 'string', minLength: 2, maxLength: 20, description: 'Name.' },
      age: { type: ['integer', 'null'], minimum: 18 },
      level: { type: 'string', enum: ['new', 'old'], description: 'Level. Default: "new".' },
      days: { type: 'array', items: { type: 'integer', maximum: 7 }, maxItems: 3, uniqueItems: true },
      home: { type: 'object', properties: { number: { type: 'integer' } }, additionalProperties: { type: 'boolean' } },
      code: { allOf: [{ type: 'string', anyOf: [{ minLength: 3 }, { enum: ['x'] }] }] },
    });
    expect(Object.keys(shown.properties)).toEqual(create.fields);
  });
});
