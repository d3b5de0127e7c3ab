// Mistakes in a schema are refused with their place.
import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../../../src/errors/problem.js';
import { compileSite } from '../../../src/schema/compile-site.js';

const folder = mkdtempSync(join(tmpdir(), 'typecase-mistakes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fields = {
  name: { type: 'string' },
  start: { type: 'datetime' },
  day: { type: 'date' },
  price: { type: 'decimal', scale: 2 },
  rate: { type: 'decimal', scale: 4 },
  facts: { type: 'json' },
  up: { type: 'reference', to: 'thing' },
  local: { type: 'datetime', clock: 'site' },
  unseen: { type: 'integer', hidden: true },
};
const field = (it: object) => ({ fields: { ...fields, it } });
const countOf = (where: object) => calculated({ count: 'thing.up', where });
const calculated = (value: unknown, more: object = {}) =>
  field({ function: 'expression', options: { value, ...more } });
const named = (name: string) => ({ field: name });
const rule = (is: object) => ({ permissions: { rules: { read: { is } } } });
const param = (it: object) => ({ params: { it } });

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { add: [nested(levels - 1), 1] };
}

function problems(more: object): string[] {
  writeFileSync(join(folder, 'thing.json'), JSON.stringify({ name: 'thing', path: 'things', fields, ...more }));
  try {
    compileSite(folder);
    return [];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

describe('a schema is refused for', () => {
  it.each<[string, object, RegExp]>([
    [
      'a moment in a number',
      field({ type: 'integer', default: '$now' }),
      /fields.it.default: "\$now" fits datetime, date, time/,
    ],
    ['a caller in a date', field({ type: 'date', onUpdate: '$me' }), /fields.it.onUpdate: "\$me" fits reference/],
    [
      'a caller where no account is',
      field({ type: 'reference', to: 'thing', default: '$me' }),
      /fields.it: "\$me" is an account/,
    ],
    [
      'a list that is written once',
      field({ type: 'strings', writeOnce: true }),
      /fields.it.writeOnce: the type strings/,
    ],
    [
      'a number compared without case',
      field({ type: 'integer', nullable: true, unique: { ignore: ['case'] } }),
      /fields.it.unique: only string/,
    ],
    ['an unknown field of a group', { unique: [['name', 'nmae']] }, /unique.0.1: unknown field "nmae"/],
    [
      'a comparison in a rule of creating',
      {
        permissions: {
          rules: {
            read: true,
            create: { all: [{ signedIn: true }, { rule: 'early' }] },
            early: { is: { day: { gt: '$now' } } },
          },
        },
      },
      /permissions.rules.early.is.day: this is checked when an item is created/,
    ],
    [
      'a comparison in a step of creating',
      { permissions: { create: [{ needs: { not: { is: { price: { gt: 5 } } } }, error: 'dear' }] } },
      /permissions.create.0.needs.not.is.price: this is checked/,
    ],
    ['a reference without its field', calculated({ count: 'thing' }), /value.count: "thing" names no field/],
    [
      'a partition of decimals',
      { storage: { partition: ['price'] } },
      /storage.partition.0: rows cannot be counted by a column of type decimal/,
    ],
    ['an expression without a value', field({ function: 'expression' }), /fields.it: "options" is missing/],
    ['an unknown operator', calculated({ ad: [1, 2] }), /fields.it.options.value.ad: unknown key "ad"/],
    ['two operators', calculated({ add: [1, 2], multiply: [1, 2] }), /fields.it.options.value/],
    ['an empty expression', calculated({}), /fields.it.options.value/],
    ['digits alone', calculated({ digits: 2 }), /fields.it.options.value/],
    ['one operand', calculated({ add: [1] }), /fields.it.options.value.add: .*at least 2/],
    ['three operands of a pair', calculated({ divide: [1, 2, 3] }), /fields.it.options.value.divide: .*at most 2/],
    ['too many digits', calculated({ round: 1, digits: 11 }), /fields.it.options.value.digits/],
    ['rounding to nothing', calculated({ round: 1 }), /fields.it.options.value: .*"digits"/],
    ['a sum of nothing', calculated({ sum: 'price' }), /fields.it.options.value: .*"over"/],
    [
      'an unknown field in an expression',
      calculated({ add: [1, { multiply: [2, named('pirce')] }] }),
      /fields.it.options.value.add.1.multiply.1.field: unknown field "pirce"/,
    ],
    ['a field of no value', calculated(named('facts')), /fields.it.options.value.field: "facts" is of type json/],
    [
      'a text in a sum',
      calculated({ add: [1, 'x'] }),
      /fields.it.options.value.add.1: a number is needed here, this is a text/,
    ],
    [
      'a date in a product',
      calculated({ round: named('day'), digits: 1 }),
      /fields.it.options.value.round: a number .* date$/,
    ],
    ['days since a number', calculated({ daysBetween: [named('day'), 5] }), /value.daysBetween.1: a date or datetime/],
    [
      'seconds of days',
      calculated({ secondsBetween: [named('day'), named('day')] }),
      /value.secondsBetween.0: a datetime/,
    ],
    ['two clocks', calculated({ daysBetween: [named('start'), named('local')] }), /options.value: one of the two/],
    ['a text in place of a number', calculated({ coalesce: [named('price'), ''] }), /value.coalesce.1: a number/],
    ['a number in place of a text', calculated({ coalesce: [named('name'), 0] }), /value.coalesce.1: a text/],
    ['a text as a number', calculated({ concat: ['a', 'b'] }, { as: 'number' }), /options.as: has no effect/],
    ['an unknown resource', calculated({ count: 'thin.up' }), /value.count: unknown resource "thin"/],
    ['an unknown reference', calculated({ count: 'thing.upp' }), /value.count: unknown field.* "upp"/],
    ['no reference', calculated({ sum: 'price', over: 'thing.day' }), /value.over: "day" is of type date/],
    ['a sum of texts', calculated({ sum: 'name', over: 'thing.up' }), /value.sum: "name" is of type string/],
    ['a sum that nobody can read', calculated({ sum: 'unseen', over: 'thing.up' }), /value.sum: nobody can read/],
    ['an unknown field in where', countOf({ upp: 1 }), /value.where.upp: unknown field "upp"/],
    ['a field of no value in where', countOf({ facts: 1 }), /value.where.facts: "facts" is of type json/],
    [
      'a field in where that nobody can read',
      countOf({ unseen: 1 }),
      /value.where.unseen: nobody can read the field "unseen"/,
    ],
    ['a value in where of another type', countOf({ price: [1, 'much'] }), /value.where.price.1: "much" is no value of/],
    [
      'null in where for a field that has none',
      countOf({ name: null }),
      /value.where.name: the field "name".* never null/,
    ],
    ['null in where for a reference', countOf({ up: [1, null] }), /value.where.up.1: .* never null/],
    ['where without items', calculated({ add: [1, 2], where: { price: 1 } }), /fields.it.options.value/],
    ['too many digits of a product', calculated({ multiply: Array(11).fill(named('rate')) }), /value: .* 44 digits/],
    ['too many levels', calculated(nested(17)), /an expression has at most 16 levels/],
    ['a decimal of no digits', field({ type: 'decimal', precision: 19 }), /fields.it.precision/],
    ['a message of no rule', field({ type: 'string', messages: { size: 'x' } }), /fields.it.messages/],
    [
      'an order by any JSON',
      { list: { orderby: ['facts'] } },
      /list.orderby.0: lists cannot be ordered by the type json/,
    ],
    ['a filter of any JSON', param({ filter: 'equals', field: 'facts' }), /params.it.field/],
    ['a text compared', rule({ name: { gt: 'a' } }), /"name" cannot be compared/],
    ['a number as a moment', rule({ start: { gt: 5 } }), /5 is not a value of "start"/],
    ['no distance', rule({ start: { gt: { now: 'soon' } } }), /permissions.rules.read.is.start.gt.now/],
    ['a word as a price', rule({ price: 'much' }), /"much" is not a decimal number/],
    ['the time of a price', rule({ price: { gt: '$now' } }), /permissions.rules.read.is.price.gt/],
    ['a day beside a moment', rule({ start: { gt: { field: 'day' } } }), /"day" is not a field of the same type/],
    ['a decimal of other digits', rule({ price: { gt: { field: 'rate' } } }), /"rate" is not a field of the same type/],
    ['more digits than are kept', rule({ price: { gt: '1.005' } }), /is not a value of "price"/],
    [
      'a path through no reference',
      param({ filter: 'in', field: 'name.name' }),
      /params.it.field: "name" is not a reference field/,
    ],
    ['a path to no field', param({ filter: 'in', field: 'up.nmae' }), /"thing" has no field "nmae"/],
    ['a path of four', param({ filter: 'in', field: 'up.up.up.name' }), /a path has at most 2 references/],
    [
      'a check of an unknown field',
      { checks: [{ rule: true, message: 'x', fields: ['x'] }] },
      /checks.0.fields.0: unknown field "x"/,
    ],
    [
      'a hidden status beside another',
      {
        traits: { trashable: { hidden: true } },
        ...field({ type: 'string' }),
        fields: { ...fields, status: { type: 'string' } },
      },
      /leave out|marks the trash/,
    ],
  ])('%s', (_name, more, message) => {
    expect(problems(more).join('\n')).toMatch(message);
  });

  it('nothing when it is right', () => {
    expect(
      problems({
        ...rule({ start: { gt: { now: '-2d' }, lte: '$now' } }),
        ...param({ filter: 'in', field: 'up.up.name' }),
      }),
    ).toEqual([]);
  });
});
