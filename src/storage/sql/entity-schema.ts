// Converts a TableModel to a TypeORM EntitySchema, so that the DataSource has an entity for every table.
import {
  EntitySchema,
  type ColumnType,
  type EntitySchemaColumnOptions,
  type EntitySchemaRelationOptions,
} from 'typeorm';
import type { Dialect } from './dialect.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/**
 * The entity of a table, with the same name. A column that holds ids of another table is also a relation: `author` has
 * `author_item`, `owner_id` has `owner`. Indexes that TypeORM cannot express (full-text, prefixes) are excluded from
 * its synchronization.
 */
export function entitySchema(table: TableModel, dialect: Dialect): EntitySchema<Record<string, unknown>> {
  const columns: Record<string, EntitySchemaColumnOptions> = {};
  const relations: Record<string, EntitySchemaRelationOptions> = {};
  for (const column of table.columns.values()) {
    columns[column.name] = columnOptions(table, column, dialect);
    if (column.references !== undefined) relations[relationName(table, column.name)] = relation(column);
  }
  const indices = [...table.indexes.values()].map((index) => {
    const { name, columns: indexed, unique = false } = index;
    return dialect.isPlainIndex(table, index)
      ? { name, columns: indexed, unique }
      : { name, columns: indexed, synchronize: false as const };
  });
  return new EntitySchema({ name: table.name, tableName: table.name, columns, relations, indices });
}

function columnOptions(table: TableModel, column: ColumnModel, dialect: Dialect): EntitySchemaColumnOptions {
  const { type, length, precision, scale, collation } = dialect.columnType(table, column);
  const isId = column.name === 'id';
  return {
    name: column.name,
    type: type as ColumnType,
    nullable: column.nullable ?? false,
    ...(length === undefined ? {} : { length }),
    ...(precision === undefined || scale === undefined ? {} : { precision, scale }),
    ...(collation === undefined ? {} : { collation }),
    ...defaultOf(column, dialect),
    ...(column.primary || isId ? { primary: true } : {}),
    ...(isId ? { generated: 'increment' as const } : {}),
  };
}

// The default of a decimal is a literal of the database: TypeORM would quote its text.
function defaultOf(column: ColumnModel, dialect: Dialect): Pick<EntitySchemaColumnOptions, 'default'> {
  const { kind, default: said } = column;
  if (said === undefined || said === null) return {};
  return { default: kind === 'decimal' ? () => dialect.migration.literal(column, said) : said };
}

// Without foreign keys: a reference may be 0, and the engine decides what happens to it on deletion.
function relation(column: ColumnModel): EntitySchemaRelationOptions {
  return {
    type: 'many-to-one',
    target: column.references!,
    joinColumn: { name: column.name, referencedColumnName: 'id' },
    nullable: true,
    createForeignKeyConstraints: false,
    persistence: false,
  };
}

function relationName(table: TableModel, column: string): string {
  const short = column.replace(/_id$/, '');
  return table.columns.has(short) ? `${column}_item` : short;
}
