// The schema of the live database: tables with their columns and indexes, read once per plan.
import type { Dialect } from '../sql/dialect.js';
import type { LiveShape, Read } from '../sql/migration-dialect.js';
import type { History } from './history.js';
import type { TableModel } from '../../model/table.js';

/** Everything the planner knows about a database. */
export interface LiveSchema {
  tables: Map<string, LiveShape>;
  /** Tables and indexes that Typecase created, according to the migration history. */
  created: ReadonlySet<string>;
  /** Content types of columns after the last migration, by `table.column`; undefined: unknown. */
  previousTypes: ReadonlyMap<string, string> | undefined;
  /** Whether the last migration was begun and not finished. */
  interrupted: boolean;
}

/** Reads the tables of the models, and the names and columns of all others. */
export async function readLive(
  dialect: Dialect,
  models: readonly TableModel[],
  { created, previousTypes, last }: History,
  read: Read,
): Promise<LiveSchema> {
  const names = (await read(dialect.migration.tables)).map(([name]) => String(name));
  const tables = new Map<string, LiveShape>();
  const byName = new Map(models.map((model) => [model.name, model]));
  for (const name of names) {
    const model = byName.get(name) ?? { name, columns: new Map(), indexes: new Map(), counted: [] };
    const live = await dialect.inspect(model, read);
    if (!live) continue;
    const columns = new Map([...live.columns].map(([key, column]) => [key, { ...column, origin: key }]));
    const shape: LiveShape = { name, columns, indexes: live.indexes };
    await dialect.migration.complete?.(shape, read);
    tables.set(name, shape);
  }
  return { tables, created, previousTypes, interrupted: last?.finished === false };
}
