// Detects statements that fail because another process has changed the tables for other schemas while this one serves.
import { ResourceError } from '../../errors/resource-error.js';
import type { ColumnModel, TableModel } from '../../model/table.js';
import type { Bound } from '../sql/connection.js';
import type { Dialect, LiveColumn, LiveTable } from '../sql/dialect.js';
import type { Statements } from '../sql/statements.js';
import { columnTypeOf } from './column-type.js';

/** Called once when changed tables are detected, with the differences that make statements fail. */
export type OnChangedTables = (differences: string) => void;

type Read = (sql: string) => Promise<Bound[][]>;

/** Milliseconds for which a comparison is cached: it reads the catalogue of every table. */
const CACHED_MS = 5_000;
/** Maximum number of differences that a message names. */
const NAMED = 5;

/** Compares the live tables with the models after a statement that does not fit them has failed. */
export class ChangedTables {
  private compared: { at: number; differences: Promise<string | undefined> } | undefined;
  private known: string | undefined;

  /** `reading` runs reads past the gates of requests. */
  constructor(
    private readonly statements: Statements,
    private readonly reading: <T>(work: (read: Read) => Promise<T>) => Promise<T>,
    private readonly onChanged: OnChangedTables = () => undefined,
  ) {}

  /** Runs the work of a request. Errors are converted by `explain`. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await this.explain(error);
    }
  }

  /** Whether an error may come from tables that were changed. */
  suspects(error: unknown): boolean {
    return this.statements.dialect.isUnsuited(error);
  }

  /** 503 in place of an error whose cause is that the tables were changed; other errors unchanged. */
  async explain(error: unknown): Promise<unknown> {
    if (!this.suspects(error)) return error;
    const differences = await this.differences();
    return differences === undefined ? error : tablesChanged(error, differences);
  }

  /** The differences, from the first statement that fails because of them until they are gone. */
  async current(): Promise<string | undefined> {
    return this.known === undefined ? undefined : this.differences();
  }

  private differences(): Promise<string | undefined> {
    const now = performance.now();
    if (this.compared && now - this.compared.at < CACHED_MS) return this.compared.differences;
    const differences = this.compare();
    this.compared = { at: now, differences };
    return differences;
  }

  private async compare(): Promise<string | undefined> {
    let found: string | undefined;
    try {
      found = await this.reading((read) => differencesOf(this.statements, read));
    } catch {
      // The last result remains valid while the database does not respond.
      return this.known;
    }
    if (found !== undefined && this.known === undefined) this.onChanged(found);
    return (this.known = found);
  }
}

/** The differences that make statements of the models fail; undefined where the tables fit. */
async function differencesOf({ dialect, tables }: Statements, read: Read): Promise<string | undefined> {
  const found: string[] = [];
  for (const table of tables.values()) {
    const live = await dialect.inspect(table, read);
    if (live) found.push(...unsuitedColumns(dialect, table, live));
    else found.push(`the table ${table.name} is missing`);
  }
  if (found.length === 0) return undefined;
  const more = found.length > NAMED ? [`${found.length - NAMED} more`] : [];
  return [...found.slice(0, NAMED), ...more].join('; ');
}

function unsuitedColumns(dialect: Dialect, table: TableModel, live: LiveTable): string[] {
  const found: string[] = [];
  for (const column of table.columns.values()) {
    const existing = live.columns.get(column.name);
    if (!existing) found.push(`the column ${table.name}.${column.name} is missing`);
    else if (!holds(dialect, table, column, existing))
      found.push(`the column ${table.name}.${column.name} is ${existing.type}`);
    else if (column.nullable && !existing.nullable)
      found.push(`the column ${table.name}.${column.name} does not allow NULL`);
  }
  for (const { name, nullable, hasDefault } of live.columns.values())
    if (!table.columns.has(name) && !nullable && !hasDefault)
      found.push(`the column ${table.name}.${name} is required, and not in the schemas of this server`);
  return found;
}

/** Whether an existing column fits. A wider text column does: a start leaves it unchanged, too. */
function holds(dialect: Dialect, table: TableModel, column: ColumnModel, existing: LiveColumn): boolean {
  const expected = columnTypeOf(dialect.migration.typeText(table, column), dialect.name);
  const type = columnTypeOf(existing.type, dialect.name);
  return type.family === expected.family && (expected.family !== 'text' || type.capacity >= expected.capacity);
}

/** The error of changed tables; the message of the driver and the differences are only logged. */
function tablesChanged(why: unknown, differences: string): ResourceError {
  const message =
    'The tables of the database were changed for other schemas. Your request changed nothing; try again later.';
  const refusal = new ResourceError('rest_unavailable', { status: 503, message, headers: { 'Retry-After': '10' } });
  refusal.cause = `${why instanceof Error ? why.message : String(why)} (${differences})`;
  return refusal;
}
