import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { datedTrait } from '../../../src/traits/dated.trait.js';
import { draftOf, invent, NOW, type Invented } from './invented.js';
import type { FieldSchema } from '../../../src/model/schema/field-schema.js';

let site: Invented;
beforeAll(async () => {
  const status: FieldSchema = { type: 'string', enum: ['open', 'idea'], default: 'open' };
  site = await invent(
    { name: 'note', path: 'notes', fields: { status }, traits: { dated: { floating: ['idea'] } } },
    { name: 'mark', path: 'marks', fields: {}, traits: { dated: { modified: false } } },
  );
});
afterAll(() => site.close());

/** Four hours behind UTC in May, five in January. */
const NOW_THERE = '2030-05-06T03:08:09';
const STORED = { date: '2030-01-01T00:00:00', date_gmt: '2030-01-01T05:00:00', date_floating: 0, status: 'open' };

function input(resource: string, values: Record<string, unknown>, current?: Record<string, unknown>) {
  const draft = draftOf(values);
  const op = site.op(resource, { kind: current ? 'update' : 'create' });
  void site.hooks(datedTrait, resource).input!(draft, op, current);
  return draft.row;
}

it.each([
  ['now', {}, { date: NOW_THERE, date_gmt: NOW }],
  [
    'a time of the site',
    { date: '2030-01-01T00:00:00' },
    { date: '2030-01-01T00:00:00', date_gmt: '2030-01-01T05:00:00' },
  ],
  [
    'a time as UTC',
    { date_gmt: '2030-01-01T00:00:00' },
    { date: '2029-12-31T19:00:00', date_gmt: '2030-01-01T00:00:00' },
  ],
  [
    'a time with an offset',
    { date: '2030-01-01T00:00:00Z' },
    { date: '2029-12-31T19:00:00', date_gmt: '2030-01-01T00:00:00' },
  ],
  ['nothing', { date: null }, { date: NOW_THERE, date_gmt: NOW }],
])('a new item with %s has both dates', (_name, values, wanted) => {
  expect(input('mark', values)).toMatchObject(wanted);
});

it('the modification date of a new item is its date', () => {
  expect(input('note', { date_gmt: '2030-01-01T00:00:00' })).toMatchObject({ modified_gmt: '2030-01-01T00:00:00' });
  expect(input('mark', {})).not.toHaveProperty('modified');
});

it('a change sets the modification date in both clocks, and keeps the date', () => {
  const row = input('note', {}, STORED);
  expect(row).toEqual({ modified: NOW_THERE, modified_gmt: NOW });
});

it.each([
  ['the clock was set back', '2030-05-06T08:00:00', '2030-01-01T05:00:00', '2030-05-06T08:00:00'],
  ['it was made with a date of the future', '2030-06-01T00:00:00', '2030-06-01T00:00:00', NOW],
])('a change is not earlier than the one before: %s', (_name, modified, date, wanted) => {
  const row = input('note', {}, { ...STORED, date_gmt: date, modified_gmt: modified });
  expect(row['modified_gmt']).toBe(wanted);
});

it.each([
  ['of an idea float', { status: 'idea' }, undefined, 1],
  ['of an item do not', { status: 'open' }, undefined, 0],
  ['that were given do not', { status: 'idea', date: '2030-01-01T00:00:00' }, undefined, 0],
  ['that floated follow a change', { status: 'idea' }, { ...STORED, status: 'idea', date_floating: 1 }, 1],
  ['that floated stay when the item is opened', { status: 'open' }, { ...STORED, status: 'idea', date_floating: 1 }, 0],
  ['that are reset float again', { date: null }, { ...STORED, status: 'idea' }, 1],
])('dates %s', (_name, values, current, floating) => {
  expect(input('note', values, current)['date_floating']).toBe(floating);
});

it('the same date sent again changes nothing', () => {
  const floating = { ...STORED, status: 'idea', date_floating: 1 };
  expect(input('note', { date: STORED.date }, { ...floating, date_floating: 0 })).not.toHaveProperty('date');
});
