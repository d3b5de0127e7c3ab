// Items by a calendar component of a date-time: `year`, `monthnum`, `w`, `hour`.
import { type DatePart, FALSE, type Predicate } from '../../model/query.js';
import { choiceOf, momentField } from './argument-fields.js';
import { countOf } from './argument-values.js';
import type { ArgumentKind } from './query-argument.js';

const PARTS: readonly DatePart[] = ['year', 'month', 'day', 'week', 'hour', 'minute', 'second', 'dayOfYear', 'weekday'];
const FROM_ONE: ReadonlySet<DatePart> = new Set(['year', 'month', 'day', 'dayOfYear', 'weekday']);
const MAX_VALUE = 9999;

export const calendarArgument: ArgumentKind = {
  name: 'calendar',
  keys: ['field', 'part'],
  description: `A calendar \`part\` of the date-time \`field\`: ${PARTS.join(', ')}.`,
  compile(model, schema, report) {
    const field = momentField(model, schema['field'], 'field', report);
    const part = choiceOf(schema, 'part', PARTS, report);
    return (
      field &&
      ((value, { plan }) => {
        const predicate = partIs(field.column!, part, value);
        if (predicate) plan.where.push(predicate);
      })
    );
  },
};

/** Rows with that calendar component; undefined for a value out of its range. */
export function partIs(column: string, part: DatePart, value: unknown): Predicate | undefined {
  const number = countOf(value);
  if (number === undefined || (number === 0 && FROM_ONE.has(part))) return undefined;
  return number > MAX_VALUE ? FALSE : { op: 'datePart', part, column, value: number };
}
