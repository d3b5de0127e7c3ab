// Tables and columns that a schema will have, before it is compiled.
import type { ResourceSchema } from '../../model/schema/schema.js';
import { tableStorage } from '../../model/schema/storage-schema.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';

/** Types whose values are not stored in a column of the item. */
const WITHOUT_COLUMN = new Set(['computed', 'references', 'strings', 'metadata']);

/** Whether a field stores one value in a column that may be compared and returned. */
export function hasColumn(field: FieldSchema): boolean {
  return !WITHOUT_COLUMN.has(field.type) && field.type !== 'password';
}

/** Table of a resource; none for a static resource and for one of found items. */
export function tableNameOf(schema: ResourceSchema): string | undefined {
  const storage = tableStorage(schema);
  return storage && (storage.table ?? schema.path.replaceAll('-', '_'));
}

/** Whether a column is one of the resource's own. */
export function ownsColumn(schema: ResourceSchema, name: string): boolean {
  return columnsOf(schema).includes(name);
}

/** Columns of one resource: those of its fields and its discriminator. */
function columnsOf(schema: ResourceSchema): string[] {
  const constants = Object.keys(tableStorage(schema)?.where ?? {});
  const ofFields = Object.entries(schema.fields).flatMap(([name, field]) =>
    WITHOUT_COLUMN.has(field.type) ? [] : [field.column ?? name],
  );
  return ['id', ...constants, ...ofFields];
}

/** Columns of the table of a resource, of all resources that share it. */
export function columnsOfTable(
  schema: ResourceSchema,
  resources: ReadonlyMap<string, ResourceSchema>,
): ReadonlySet<string> {
  const table = tableNameOf(schema);
  const sharing = [...resources.values()].filter((other) => tableNameOf(other) === table);
  return new Set([schema, ...sharing].flatMap(columnsOf));
}
