// TableModel -> TypeORM EntitySchema, so that whoever holds the DataSource finds every table in it. Called when a store opens.
import { EntitySchema } from 'typeorm';
/** The entity of a table, named like it. Full-text indexes are the dialect's own and not part of it. */
export function entitySchema(table, dialect) {
    const columns = {};
    for (const column of table.columns.values())
        columns[column.name] = columnOptions(column, dialect);
    const indices = [...table.indexes.values()]
        .filter((index) => !index.fulltext)
        .map(({ name, columns, unique }) => ({ name, columns, unique: unique ?? false }));
    return new EntitySchema({ name: table.name, tableName: table.name, columns, indices });
}
function columnOptions(column, dialect) {
    const { type, length } = dialect.entityType(column);
    const isId = column.name === 'id';
    return {
        name: column.name,
        type: type,
        nullable: column.nullable ?? false,
        ...(length === undefined ? {} : { length }),
        ...(column.default === undefined || column.default === null ? {} : { default: column.default }),
        ...(column.primary || isId ? { primary: true } : {}),
        ...(isId ? { generated: 'increment' } : {}),
    };
}
