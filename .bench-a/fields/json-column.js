import { memberFilter } from './member-contexts.js';
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
    const stored = (value) => {
        if (value === null || value === undefined || value === '')
            return initial;
        if (typeof value !== 'string')
            return value;
        try {
            return JSON.parse(value);
        }
        catch {
            return initial;
        }
    };
    const { type: _type, required: _required, ...schema } = field.schema;
    const shown = memberFilter(schema);
    field.toView = shown ? (row, { context }) => shown(stored(row[name]), context) : (row) => stored(row[name]);
}
