// Optional values without an empty form: dates, e-mail addresses, URLs. Null when absent.
import type { FieldSchema } from '../model/schema/field-schema.js';
import type { FieldModel } from '../model/field.js';

/** The field with `nullable` set to its default, where the schema does not set it. */
export function optionalValue(field: FieldSchema): FieldSchema {
  const given = field.required || field.readOnly || field.hidden || (field.default ?? null) !== null;
  return field.nullable !== undefined || given ? field : { ...field, nullable: true };
}

/** Reads the empty text of rows from before the field was nullable as null. */
export function emptyAsNull(field: FieldModel): void {
  const { toView } = field;
  if (!field.schema.nullable || !toView) return;
  field.nullForEmpty = true;
  field.toView = (row, scope) => toView(row, scope) || null;
}
