// Shared implementation of fields that store one scalar in one column.
import type { Operation } from '../model/operation.js';
import type { Scalar } from '../model/schema/schema.js';
import type { ColumnModel } from '../model/table.js';
import type { FieldModel } from '../model/field.js';

/** Gives a field one column and the default conversions; `empty` is the column's value when nothing was sent. */
export function scalarColumn(
  field: FieldModel,
  column: Omit<ColumnModel, 'name'>,
  empty: Scalar,
  convert: { toStore?(value: any, op?: Operation): Scalar; toView?(stored: any): unknown } = {},
): void {
  const name = (field.column = field.schema.column ?? field.name);
  const nullable = field.schema.nullable === true;
  const initial = (field.schema.default as Scalar | undefined) ?? (nullable ? null : empty);
  const { toStore = (value: any) => value, toView } = convert;
  field.columns = [
    {
      ...column,
      // PostgreSQL has no columns for empty texts alone.
      ...(column.length === 0 ? { length: 1 } : {}),
      name,
      nullable,
      default: initial === null ? null : toStore(initial),
      ...(!nullable && field.schema.default === undefined ? { implied: true } : {}),
      ...(field.schema.renamedFrom ? { renamedFrom: field.schema.renamedFrom } : {}),
    },
  ];
  field.reads = [name];
  field.sortColumn = name;
  field.defaultValue = initial;
  field.toStore = (value, draft, op) => {
    draft.row[name] = value === null ? null : toStore(value, op);
  };
  field.toView = toView ? (row) => (row[name] === null ? null : toView(row[name])) : (row) => row[name];
}
