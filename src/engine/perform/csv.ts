// Items as lines of CSV (RFC 4180). Members of objects that a schema describes are columns of their own,
// `title.rendered`; lists and all other objects are JSON in one cell.
import type { ResourceModel } from '../../model/model.js';
import type { Operation, View } from '../../model/operation.js';
import type { Context } from '../../model/schema/schema.js';
import { neverSeen } from '../rights/field-rights.js';
import { selectionOf } from '../presentation/selection.js';
import { exportedFields } from './export.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';

/** A column: names on the way to its value. */
type Column = readonly string[];

/** First characters of texts that spreadsheets take for formulas. */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/** The columns of an export: the fields that the caller may see, in the order of items. */
export function csvColumns(op: Operation): Column[] {
  const { model, query, context } = op;
  if (query?.aggregate) {
    const { values, group } = query.aggregate;
    return [
      ...group.map((name) => ['group', name]),
      ...values.map(({ name, field }) => (field === undefined ? [name] : [name, field])),
    ];
  }
  const expanded = new Set((query?.expand ?? []).map(([name]) => name));
  const columns = selectionOf(model, context, op.fields, false, neverSeen(model, op.actor)).fields.flatMap((field) =>
    expanded.has(field.name) ? [[field.name]] : columnsOf([field.name], field.json, context),
  );
  // Of a cell of JSON, `_fields` may select a part.
  return columns.filter((column) => exportedFields(op).reaches(column));
}

function columnsOf(path: Column, schema: ValueSchema, context: Context): Column[] {
  const members = Object.entries(schema.properties ?? {});
  const isClosed = schema.type === 'object' && members.length > 0 && !schema.patternProperties;
  if (!isClosed || (schema.additionalProperties ?? false) !== false) return [path];
  return members
    .filter(([, member]) => shows(member, context))
    .flatMap(([name, member]) => columnsOf([...path, name], member, context));
}

function shows(member: ValueSchema & { context?: readonly Context[] }, context: Context): boolean {
  return member.context === undefined || member.context.includes(context);
}

/** One line, with its end. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** The line of an item. */
export function csvItem(view: View, columns: readonly Column[]): string {
  return csvLine(columns.map((path) => path.reduce<any>((value, name) => value?.[name], view)));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? harmless(value) : JSON.stringify(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that a spreadsheet would take for a formula is prefixed with an apostrophe; numbers are not. */
function harmless(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Name of the file that an export is saved as. */
export function csvName({ path }: ResourceModel): string {
  return `${path}.csv`;
}
