// A row that a transaction has inserted, or that it alone may change, returned without a query, as far as
// its values are certain.
import type { Change, Predicate, Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { toBound } from '../sql/bind-value.js';
import type { Bound } from '../sql/connection.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/** Maximum number of cached rows: the item of a write, and those that traits write with it. */
const MAX_ROWS = 4;
/** From this length on, a text may have lost trailing spaces in the database. */
const MAX_CHARACTERS = 10_000;

type Comparison = Extract<Predicate, { op: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' }>;

/** A known row of a transaction. Valid until another transaction may have changed it. */
export class FreshRow {
  readonly table: string;

  private constructor(
    private readonly model: TableModel,
    private readonly values: Map<string, Bound>,
  ) {
    this.table = model.name;
  }

  /** A row as it was inserted. */
  static inserted(model: TableModel, row: Row): FreshRow {
    const values = new Map<string, Bound>();
    for (const column of model.columns.values()) {
      const value = storedAs(column, column.name in row ? row[column.name] : column.default);
      if (value !== undefined) values.set(column.name, value);
    }
    return new FreshRow(model, values);
  }

  /** A row as it was read. */
  static read(model: TableModel, row: Row): FreshRow {
    const values = new Map<string, Bound>();
    for (const name of model.columns.keys()) if (row[name] !== undefined) values.set(name, row[name] as Bound);
    return new FreshRow(model, values);
  }

  get id(): Bound | undefined {
    return this.values.get('id');
  }

  /** Records changes of its columns. */
  change(set: Record<string, Change>): void {
    for (const [name, change] of Object.entries(set)) {
      const value = this.valueAfter(name, change);
      if (value === undefined) this.values.delete(name);
      else this.values.set(name, value);
    }
  }

  /** Values of some columns; undefined unless all are known. */
  valuesOf(names: readonly string[]): Bound[] | undefined {
    return names.every((name) => this.values.has(name)) ? names.map((name) => this.values.get(name)!) : undefined;
  }

  private valueAfter(name: string, change: Change): Bound | undefined {
    if (change === null || typeof change !== 'object') return storedAs(this.model.columns.get(name)!, change);
    const before = this.values.get(name);
    const sum = typeof before === 'number' ? before + change.increment : undefined;
    return Number.isSafeInteger(sum) ? sum : undefined;
  }

  /** What `Reader.first` would return; undefined when a query is needed. */
  read(columns: readonly string[], checks: Readonly<Record<string, Predicate>>): Row | undefined {
    if (!columns.every((name) => this.values.has(name))) return undefined;
    const row: Row = {};
    for (const name of columns) row[name] = this.values.get(name);
    for (const name in checks) {
      const holds = this.holds(checks[name]!);
      if (holds === undefined) return undefined;
      row[name] = holds ? 1 : 0;
    }
    return row;
  }

  /** Whether the row satisfies a predicate; undefined if only the database can decide. */
  private holds(predicate: Predicate): boolean | undefined {
    switch (predicate.op) {
      case 'true':
      case 'false':
        return predicate.op === 'true';
      case 'and':
        return this.decide(predicate.of, false);
      case 'or':
        return this.decide(predicate.of, true);
      case 'not': {
        const holds = this.holds(predicate.of);
        return holds === undefined ? undefined : !holds;
      }
      case 'null': {
        const value = this.values.get(predicate.column);
        return value === undefined ? undefined : value === null;
      }
      case 'in':
        return this.isAmong(predicate.column, predicate.values);
      case 'eq':
      case 'ne':
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge':
        return this.compares(predicate);
      default:
        return undefined;
    }
  }

  private decide(parts: readonly Predicate[], decisive: boolean): boolean | undefined {
    const held = parts.map((part) => this.holds(part));
    if (held.includes(decisive)) return decisive;
    return held.includes(undefined) ? undefined : !decisive;
  }

  private isAmong(column: string, values: readonly Scalar[]): boolean | undefined {
    return this.decide(
      values.map((value) => ({ op: 'eq', column, value })),
      true,
    );
  }

  /** Texts are ordered by the collation of the database, and equal when their characters are. */
  private compares({ op, column: name, value }: Comparison): boolean | undefined {
    const column = this.model.columns.get(name);
    const left = this.values.get(name);
    if (!column || left === undefined || left === null || value === null) return undefined;
    const right = toBound(value, column);
    if (typeof left !== typeof right) return undefined;
    if (op === 'eq' || op === 'ne') return (left === right) === (op === 'eq');
    if (typeof left !== 'number' || typeof right !== 'number') return undefined;
    if (op === 'lt' || op === 'le') return op === 'lt' ? left < right : left <= right;
    return op === 'gt' ? left > right : left >= right;
  }
}

/** The rows that a transaction has written last, and that no other transaction may change before it ends. */
export class FreshRows {
  private rows: FreshRow[] = [];

  /** Adds a row, replacing an older state of it. */
  add(row: FreshRow): void {
    this.forget(row.table, Number(row.id));
    this.rows.push(row);
    if (this.rows.length > MAX_ROWS) this.rows.shift();
  }

  /** Removes a row, or all rows of a table. */
  forget(table: string, id?: number): void {
    this.rows = this.rows.filter((row) => row.table !== table || (id !== undefined && row.id !== id));
  }

  /** The row that a condition selects by its id alone. */
  find(table: string, where: Predicate): FreshRow | undefined {
    const id = idIn(where);
    return id === undefined ? undefined : this.rows.find((row) => row.table === table && row.id === id);
  }
}

/** The id, if a condition selects by the id alone. */
export function idIn(where: Predicate): number | undefined {
  return where.op === 'eq' && where.column === 'id' && typeof where.value === 'number' ? where.value : undefined;
}

/** The value that a column returns for one that was written; undefined when that is not certain. */
function storedAs(column: ColumnModel, value: unknown): Bound | undefined {
  // Without a written value and a default of the model, the database may have its own default.
  if (value === undefined) return undefined;
  if (value === null) return column.nullable === true ? null : undefined;
  const bound = toBound(value, column);
  switch (column.kind) {
    case 'integer':
    case 'boolean':
      return Number.isSafeInteger(bound) ? bound : undefined;
    case 'varchar':
    case 'text':
    case 'datetime':
      return typeof bound === 'string' && isStoredExactly(bound, column.length ?? Infinity) ? bound : undefined;
    default:
      return undefined;
  }
}

function isStoredExactly(text: string, length: number): boolean {
  if (text.length > length || text.includes('\0') || !text.isWellFormed()) return false;
  return text.length < MAX_CHARACTERS || !text.endsWith(' ');
}
