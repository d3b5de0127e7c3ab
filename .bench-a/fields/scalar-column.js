/** Gives a field one column and the plain way in and out; `empty` is the column's value when nothing was ever sent. */
export function scalarColumn(field, column, empty, convert = {}) {
    const name = (field.column = field.schema.column ?? field.name);
    const nullable = field.schema.nullable === true;
    const initial = field.schema.default ?? (nullable ? null : empty);
    const { toStore = (value) => value, toView } = convert;
    field.columns = [
        {
            ...column,
            name,
            nullable,
            default: initial === null ? null : toStore(initial),
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
