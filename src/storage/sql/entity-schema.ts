// Converts a TableModel to a TypeORM EntitySchema, so that the DataSource knows every table.
import { EntitySchema, type ColumnType, type EntitySchemaColumnOptions } from 'typeorm';
import type { ColumnModel, TableModel } from '../../model/model.js';
import type { Dialect } from './dialect.js';

/** The entity of a table, with the same name. Full-text indexes are specific to the dialect and not part of it. */
export function entitySchema(table: TableModel, dialect: Dialect): EntitySchema<Record<string, unknown>> {
  const columns: Record<string, EntitySchemaColumnOptions> = {};
  for (const column of table.columns.values()) columns[column.name] = columnOptions(column, dialect);
  const indices = [...table.indexes.values()]
    .filter((index) => !index.fulltext)
    .map(({ name, columns, unique }) => ({ name, columns, unique: unique ?? false }));
  return new EntitySchema({ name: table.name, tableName: table.name, columns, indices });
}

function columnOptions(column: ColumnModel, dialect: Dialect): EntitySchemaColumnOptions {
  const { type, length } = dialect.entityType(column);
  const isId = column.name === 'id';
  return {
    name: column.name,
    type: type as ColumnType,
    nullable: column.nullable ?? false,
    ...(length === undefined ? {} : { length }),
    ...(column.default === undefined || column.default === null ? {} : { default: column.default }),
    ...(column.primary || isId ? { primary: true } : {}),
    ...(isId ? { generated: 'increment' as const } : {}),
  };
}
