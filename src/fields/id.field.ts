// The integer key of a resource; made by the database.
import type { FieldType } from '../model/registry.js';

export const idField: FieldType = {
  name: 'id',
  description:
    'The integer that identifies an item. Every resource with a table of its own gets one if it declares none.',
  keys: {},
  value: (field) => ({ type: 'integer', description: field.description ?? 'Unique identifier.' }),
  compile(field) {
    field.readOnly = true;
    field.column = field.schema.column ?? field.name;
    field.columns = [{ name: field.column, kind: 'integer', primary: true }];
    field.reads = [field.column];
    field.sortColumn = field.column;
    const column = field.column;
    field.toView = (row) => row[column];
  },
};
