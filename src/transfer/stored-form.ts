// Formats of column values beyond the SQL type: a day, a time, a structure of one kind. The API and type changes store
// only values of the format, but another program may have written others into the database.
import { isDateTime } from '../values/date-time.js';
import type { ColumnModel } from '../model/table.js';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The name of a format, and whether a value other than null has it. */
type Form = readonly [name: string, holds: (value: unknown) => boolean];

/** A format of texts; each allows an empty text, which stands for no value. */
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

/** Whether the column has a format that stored values may lack; a `json` column may contain texts that are not JSON. */
export function hasForm(column: ColumnModel): boolean {
  return column.kind === 'json' || formOf(column) !== undefined;
}

function formOf({ kind, contentType }: ColumnModel): Form | undefined {
  return kind === 'datetime' ? DATE_TIME : contentType && FORMS[contentType];
}

/** The name of the format that a value lacks, such as `a list`; undefined where it has the format. Structures are given parsed. */
export function missingForm(column: ColumnModel, value: unknown): string | undefined {
  const form = formOf(column);
  return !form || value === null || form[1](value) ? undefined : form[0];
}
