// Shared implementation of fields that store a structure as JSON text.
import { memberFilter } from '../values/member-contexts.js';
import type { FieldModel } from '../model/field.js';

/** Gives a field one JSON column; text that is not valid JSON is read as `empty`. */
export function jsonColumn(field: FieldModel, empty: unknown): void {
  const name = (field.column = field.schema.column ?? field.name);
  const initial = field.schema.default ?? (field.schema.nullable ? null : empty);
  const { renamedFrom } = field.schema;
  const holds = empty === null ? 'json' : Array.isArray(empty) ? 'array' : 'object';
  field.columns = [
    { name, kind: 'json', nullable: true, default: null, contentType: holds, ...(renamedFrom ? { renamedFrom } : {}) },
  ];
  field.reads = [name];
  field.defaultValue = initial;
  field.toStore = (value, draft) => {
    // Where there is a default, null in the column stands for it: rows from before the field was there.
    draft.row[name] = value === null && initial === null ? null : JSON.stringify(value);
  };
  const stored = (value: unknown): unknown => {
    if (value === null || value === undefined || value === '') return initial;
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      return initial;
    }
  };
  const { type: _type, required: _required, ...schema } = field.schema;
  const shown = memberFilter(schema);
  field.toView = shown ? (row, { context }) => shown(stored(row[name]), context) : (row) => stored(row[name]);
}
