// The state of a database before a migration, for decisions that must be made before it.
import type { Problem } from '../../errors/problem.js';
import { and, equals, type Predicate, TRUE } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Reader } from '../../model/store.js';
import type { ColumnModel, TableModel } from '../../model/table.js';
import { SqlReader } from '../reads/reader.js';
import type { Connection } from '../sql/connection.js';
import type { Dialect } from '../sql/dialect.js';
import type { LiveField, LiveShape } from '../sql/migration-dialect.js';
import { UnknownName } from '../sql/predicate-sql.js';
import { Statements } from '../sql/statements.js';
import type { AssessedPlan } from './assess.js';
import { columnTypeOf } from './column-type.js';
import { formerColumn } from './plan-moves.js';
import type { Step } from './step.js';

/** The current place of rows that will belong to a resource. */
export interface FormerPlace {
  table: string;
  where: Predicate;
  /**
   * Columns from which a column gets its value (the first non-empty one); undefined: none, or the change is refused.
   */
  columnsOf(name: string): readonly string[] | undefined;
}

/** Finds the decisions that a migration requires, as problems; runs before anything is changed. */
export type Preflight = (before: PriorState) => Promise<readonly Problem[]>;

const KINDS = { text: 'text', other: 'text', integer: 'integer', boolean: 'integer', double: 'double' } as const;

/** A database before the steps of a plan. */
export class PriorState {
  /** Reads the current tables. Throws UnknownName for tables and columns that do not exist yet. */
  readonly reader: Reader;
  /** The same, without columns whose values the steps convert. */
  readonly unconverted: Reader;
  private readonly statements: Statements;

  constructor(
    db: Connection,
    private readonly dialect: Dialect,
    private readonly models: readonly TableModel[],
    readonly plan: AssessedPlan,
  ) {
    this.statements = new Statements(dialect, this.tables(true));
    this.reader = new SqlReader(db, this.statements);
    this.unconverted = new SqlReader(db, new Statements(dialect, this.tables(false)));
  }

  /** Whether a table exists. */
  has(table: string): boolean {
    return this.plan.live.tables.has(table);
  }

  /** Whether any of these tables exists. */
  hasSome(tables: Iterable<string>): boolean {
    return [...tables].some((table) => this.has(table));
  }

  /** Where the rows of a resource are: `rows` of its own table, and all of the tables that it moves from. */
  placesOf(table: TableModel, discriminator: Readonly<Record<string, Scalar>>, rows: Predicate): FormerPlace[] {
    const { tables } = this.plan.live;
    const refused = columnsOf(this.plan.steps.filter(({ risk }) => risk === 'refused'));
    const places: FormerPlace[] = [];
    const add = (shape: LiveShape | undefined, where: Predicate, named: (column: ColumnModel) => string[]): void => {
      if (!shape || !this.reads(shape.name, where)) return;
      const wanted = (name: string) => (refused.has(`${table.name}.${name}`) ? undefined : table.columns.get(name));
      const sources = (name: string) => {
        const column = wanted(name);
        const found = column ? named(column) : [];
        return found.length > 0 ? found : undefined;
      };
      places.push({ table: shape.name, where, columnsOf: sources });
    };
    const own = tables.get(table.name);
    add(own, rows, (column) => ownSources(column, table, own!));
    for (const move of table.movedFrom ?? []) {
      const isMine = JSON.stringify(move.where) === JSON.stringify(discriminator);
      if (!isMine || move.table === table.name) continue;
      // The rows of a table that stays in use are copied only when the new table is created.
      if (own && this.models.some(({ name }) => name === move.table)) continue;
      const old = tables.get(move.table);
      const where = Object.entries(move.from ?? {}).map(([column, value]) => equals(column, value));
      add(old, where.length > 0 ? and(...where) : TRUE, (column) => {
        const from = column.name in move.where ? undefined : formerColumn(column, old!);
        return from ? [from.name] : [];
      });
    }
    return places;
  }

  private reads(table: string, where: Predicate): boolean {
    try {
      this.statements.select({ table, columns: ['id'], where, order: [] });
      return true;
    } catch (error) {
      if (error instanceof UnknownName) return false;
      throw error;
    }
  }

  /** The existing tables with the current types of their columns. */
  private tables(converted: boolean): Map<string, TableModel> {
    const wanted = new Map(this.models.map((model) => [model.name, model]));
    const shapes = [...this.plan.live.tables.values()];
    return new Map(
      shapes.map(({ name, columns }) => {
        const model = wanted.get(name);
        const liveColumns = [...columns.values()].flatMap((field) => {
          const column = model?.columns.get(field.name);
          if (column && model && this.isUnconverted(model, column, field)) return [column];
          return converted ? [this.columnOf(field)] : [];
        });
        const own = { name, indexes: new Map(), counted: [] };
        return [name, { ...own, columns: new Map(liveColumns.map((column) => [column.name, column])) }];
      }),
    );
  }

  private isUnconverted(model: TableModel, column: ColumnModel, { type }: LiveField): boolean {
    const { name, migration } = this.dialect;
    return columnTypeOf(type, name).family === columnTypeOf(migration.typeText(model, column), name).family;
  }

  private columnOf({ name, type, nullable }: LiveField): ColumnModel {
    const { family, capacity, scale = 0 } = columnTypeOf(type, this.dialect.name);
    if (family === 'decimal') return { name, nullable, kind: 'decimal', precision: capacity, scale };
    return { name, nullable, kind: KINDS[family] };
  }
}

/** The sources of a column: itself, its former column, or both where rows without a value get the former one. */
function ownSources({ name, renamedFrom: old }: ColumnModel, table: TableModel, { columns }: LiveShape): string[] {
  const own = columns.has(name) ? [name] : [];
  const former = old !== undefined && columns.has(old) && !table.columns.has(old) ? [old] : [];
  return [...own, ...former];
}

function columnsOf(steps: readonly Step[]): Set<string> {
  return new Set(steps.map(({ table, column }) => `${table}.${column}`));
}
