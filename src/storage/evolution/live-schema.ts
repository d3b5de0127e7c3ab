// The database as it is: tables with their columns and indexes, read once per planning. Called by settle-plan.ts.
import type { TableModel } from '../../model/model.js';
import type { Bound } from '../connection.js';
import type { Dialect, LiveColumn, LiveTable } from '../dialect.js';

/** Reads rows. */
export type Read = (sql: string) => Promise<Bound[][]>;

/** A column with what SQLite needs to make its table again. */
export interface LiveField extends LiveColumn {
  /** Its name in the database before the plan runs. */
  origin: string;
  /** The default in the words of the database. */
  fallback?: string | null;
  /** Place in the primary key, from 1. */
  key?: number;
}

/** A table found in the database. */
export interface LiveShape {
  name: string;
  /** What the database calls it until the plan has run, when that is something else. */
  asked?: string;
  columns: Map<string, LiveField>;
  indexes: LiveTable['indexes'];
  /** SQLite: the statement it was made with, its triggers and indexes, the columns that have a full-text table. */
  made?: { sql: string; extras: { name: string; kind: string; sql: string }[]; fulltext: string[] };
}

/** Everything the planner knows of a database. */
export interface LiveSchema {
  tables: Map<string, LiveShape>;
  /** Tables and indexes that Typecase made, by the record of migrations. */
  made: ReadonlySet<string>;
  /** What columns held at the last migration, under `table.column`; undefined: no record says. */
  held: ReadonlyMap<string, string> | undefined;
}

/** What one database answers about itself. */
export interface LiveWords {
  /** Names of all tables. */
  readonly tables: string;
  /** Completes what `inspect` of the dialect has found. */
  complete?(shape: LiveShape, read: Read): Promise<void>;
}

/** Reads the tables of the models, and the names and columns of the others. */
export async function readLive(
  dialect: Dialect,
  words: LiveWords,
  models: readonly TableModel[],
  { made, held }: Pick<LiveSchema, 'made' | 'held'>,
  read: Read,
): Promise<LiveSchema> {
  const names = (await read(words.tables)).map(([name]) => String(name));
  const tables = new Map<string, LiveShape>();
  const byName = new Map(models.map((model) => [model.name, model]));
  for (const name of names) {
    const model = byName.get(name) ?? { name, columns: new Map(), indexes: new Map(), counted: [] };
    const live = await dialect.inspect(model, read);
    if (!live) continue;
    const columns = new Map([...live.columns].map(([key, column]) => [key, { ...column, origin: key }]));
    const shape: LiveShape = { name, columns, indexes: live.indexes };
    await words.complete?.(shape, read);
    tables.set(name, shape);
  }
  return { tables, made, held };
}
