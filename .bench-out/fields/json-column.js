/** Gives a field one JSON column; unreadable text shows as `empty`. */
export function jsonColumn(field, empty) {
    const name = (field.column = field.schema.column ?? field.name);
    const initial = field.schema.default ?? (field.schema.nullable ? null : empty);
    field.columns = [{ name, kind: 'json', nullable: true, default: null }];
    field.reads = [name];
    field.defaultValue = initial;
    field.toStore = (value, draft) => {
        draft.row[name] = value === null ? null : JSON.stringify(value);
    };
    field.toView = (row) => {
        const stored = row[name];
        if (stored === null || stored === undefined || stored === '')
            return initial;
        if (typeof stored !== 'string')
            return stored;
        try {
            return JSON.parse(stored);
        }
        catch {
            return initial;
        }
    };
}
//# sourceMappingURL=json-column.js.map