// Introspects existing tables in the system catalogs.
import type { Bound } from '../sql/connection.js';
import type { LiveColumn, LiveTable } from '../sql/dialect.js';
import type { TableModel } from '../../model/table.js';
import { literal } from './ddl.js';

/** Introspects a table; full-text indexes count as existing where the extension is missing. */
export async function inspect(
  table: TableModel,
  read: (sql: string) => Promise<Bound[][]>,
  trigrams: boolean,
): Promise<LiveTable | undefined> {
  // Not by its name alone, which may be that of a table in a later schema of the search path.
  const oid = `(SELECT oid FROM pg_class WHERE relname = ${literal(table.name)} AND relnamespace = current_schema()::regnamespace)`;
  const found = await read(
    `SELECT attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 0 ELSE 1 END,
      CASE WHEN atthasdef OR attidentity <> '' THEN 1 ELSE 0 END
    FROM pg_attribute WHERE attrelid = ${oid} AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  if (found.length === 0) return undefined;
  const columns = new Map<string, LiveColumn>();
  for (const [name, type, nullable, hasDefault] of found) {
    columns.set(String(name), {
      name: String(name),
      type: String(type),
      nullable: nullable === 1,
      hasDefault: hasDefault === 1,
    });
  }
  return { columns, indexes: await liveIndexes(table, oid, read, trigrams) };
}

async function liveIndexes(
  table: TableModel,
  oid: string,
  read: (sql: string) => Promise<Bound[][]>,
  trigrams: boolean,
): Promise<LiveTable['indexes']> {
  const indexes: LiveTable['indexes'] = new Map();
  for (const [name, unique, position, column] of await read(
    `SELECT c.relname, CASE WHEN i.indisunique THEN 1 ELSE 0 END, k.n, a.attname
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY AS k(attnum, n)
    LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum AND k.attnum > 0
    WHERE i.indrelid = ${oid} ORDER BY c.relname, k.n`,
  )) {
    const index = indexes.get(String(name)) ?? { columns: [], unique: unique === 1 };
    indexes.set(String(name), index);
    // A prefix of a long column is an expression without a name: take the name from the model's index.
    const named = column ?? table.indexes.get(String(name))?.columns[Number(position) - 1];
    index.columns.push(String(named));
  }
  for (const index of table.indexes.values()) {
    if (index.fulltext && !trigrams) indexes.set(index.name, { columns: index.columns, unique: false });
  }
  return indexes;
}
