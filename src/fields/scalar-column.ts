// The common shape of a field that keeps one scalar in one column. Called by the scalar field types.
import type { ColumnModel, FieldModel } from '../model/model.js';
import type { Scalar } from '../model/schema.js';

/** Gives a field one column and the plain way in and out; `empty` is the column's value when nothing was ever sent. */
export function scalarColumn(
  field: FieldModel,
  column: Omit<ColumnModel, 'name'>,
  empty: Scalar,
  convert: { toStore?(value: any): Scalar; toView?(stored: any): unknown } = {},
): void {
  const name = (field.column = field.schema.column ?? field.name);
  const nullable = field.schema.nullable === true;
  const initial = (field.schema.default as Scalar | undefined) ?? (nullable ? null : empty);
  const { toStore = (value: any) => value, toView } = convert;
  field.columns = [
    {
      ...column,
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
  field.toStore = (value, draft) => {
    draft.row[name] = value === null ? null : toStore(value);
  };
  field.toView = toView ? (row) => (row[name] === null ? null : toView(row[name])) : (row) => row[name];
}
