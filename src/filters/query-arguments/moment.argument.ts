// Items by a prefix of a date-time, digits only: `m`, YYYY[MM[DD[HH[MM[SS]]]]].
import { and, FALSE, type DatePart } from '../../model/query.js';
import { momentField } from './argument-fields.js';
import { textOf } from './argument-values.js';
import { partIs } from './calendar.argument.js';
import type { ArgumentKind } from './query-argument.js';

const PIECES: readonly [DatePart, number, number][] = [
  ['year', 0, 4],
  ['month', 4, 6],
  ['day', 6, 8],
  ['hour', 8, 10],
  ['minute', 10, 12],
  ['second', 12, 14],
];

export const momentArgument: ArgumentKind = {
  name: 'moment',
  keys: ['field'],
  description: 'The beginning of the date-time `field` in digits: YYYY, YYYYMM, … to YYYYMMDDHHMMSS.',
  compile(model, schema, report) {
    const field = momentField(model, schema['field'], 'field', report);
    return (
      field &&
      ((value, { plan }) => {
        const digits = (textOf(value) ?? '').replace(/\D/g, '');
        const pieces = PIECES.filter(([, , end]) => digits.length >= end);
        plan.where.push(
          and(...pieces.map(([part, from, end]) => partIs(field.column!, part, digits.slice(from, end)) ?? FALSE)),
        );
      })
    );
  },
};
