// Days and moments that nobody has to give: without one they show null, as nothing else is a date. Called by the date and datetime types.
import type { FieldModel } from '../model/model.js';
import type { FieldSchema } from '../model/schema.js';

/** The field with `nullable` filled in, where its schema leaves that open. */
export function optionalDate(field: FieldSchema): FieldSchema {
  const given = field.required || field.readOnly || field.internal || field.default !== undefined;
  return field.nullable !== undefined || given ? field : { ...field, nullable: true };
}

/** Shows null for the empty text that rows hold from before the field could be null. */
export function emptyAsNull(field: FieldModel): void {
  const { toView } = field;
  if (field.schema.nullable && toView) field.toView = (row, scope) => toView(row, scope) || null;
}
