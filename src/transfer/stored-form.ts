// What a value of a column must be beyond its SQL type: a day, a time, a structure of one kind. The API and changes of
// type store nothing else; another program may have written anything into the database.
import { isDateTime } from '../values/date-time.js';
import type { ColumnModel } from '../model/table.js';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How the form is called, and whether a value that is not null has it. */
type Form = readonly [name: string, holds: (value: unknown) => boolean];

/** An empty text stands for no value, in each of them. */
const ofText = (holds: (text: string) => boolean) => (value: unknown) =>
  value === '' || (typeof value === 'string' && holds(value));

const DATE_TIME: Form = ['a date and time, YYYY-MM-DDTHH:MM:SS', ofText(isDateTime)];

const FORMS: Partial<Record<NonNullable<ColumnModel['contentType']>, Form>> = {
  date: ['a day of the calendar, YYYY-MM-DD', ofText((text) => isDateTime(`${text}T00:00:00`))],
  time: ['a time of day, HH:MM:SS', ofText((text) => TIME.test(text))],
  uuid: ['a UUID in lower case', ofText((text) => UUID.test(text))],
  object: ['an object', (value) => typeof value === 'object' && !Array.isArray(value)],
  array: ['a list', Array.isArray],
};

/** Whether texts of the column may lack its form; those of `json` may be no JSON. */
export function hasForm(column: ColumnModel): boolean {
  return column.kind === 'json' || formOf(column) !== undefined;
}

function formOf({ kind, contentType }: ColumnModel): Form | undefined {
  return kind === 'datetime' ? DATE_TIME : contentType && FORMS[contentType];
}

/** The form that a value of a column lacks, such as `a list`; undefined where it has it. Structures are parsed. */
export function missingForm(column: ColumnModel, value: unknown): string | undefined {
  const form = formOf(column);
  return !form || value === null || form[1](value) ? undefined : form[0];
}
