// A row that a transaction has inserted, answered without asking the database, as far as the answer is certain.
import type { ColumnModel, TableModel } from '../../model/model.js';
import type { Predicate, Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema.js';
import { toBound } from './bind-value.js';
import type { Bound } from './connection.js';

/** Longest text of which a database cannot have dropped spaces at the end. */
const MAX_CHARACTERS = 10_000;

type Comparison = Extract<Predicate, { op: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' }>;

/** See above. Valid until something else is written to its table. */
export class FreshRow {
  readonly table: string;
  private readonly values = new Map<string, Bound>();

  constructor(
    private readonly model: TableModel,
    row: Row,
  ) {
    this.table = model.name;
    for (const column of model.columns.values()) {
      const value = storedAs(column, column.name in row ? row[column.name] : column.default);
      if (value !== undefined) this.values.set(column.name, value);
    }
  }

  /** What `Reader.first` would return; undefined when the database has to be asked. */
  read(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks: Readonly<Record<string, Predicate>>,
  ): Row | undefined {
    if (table !== this.table || where.op !== 'eq' || where.column !== 'id') return undefined;
    if (where.value !== this.values.get('id') || !columns.every((name) => this.values.has(name))) return undefined;
    const row: Row = {};
    for (const name of columns) row[name] = this.values.get(name);
    for (const name in checks) {
      const holds = this.holds(checks[name]!);
      if (holds === undefined) return undefined;
      row[name] = holds ? 1 : 0;
    }
    return row;
  }

  /** Whether the row satisfies a predicate; undefined when only the database knows. */
  private holds(predicate: Predicate): boolean | undefined {
    switch (predicate.op) {
      case 'true':
      case 'false':
        return predicate.op === 'true';
      case 'and':
        return this.decided(predicate.of, false);
      case 'or':
        return this.decided(predicate.of, true);
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

  private decided(parts: readonly Predicate[], decisive: boolean): boolean | undefined {
    const held = parts.map((part) => this.holds(part));
    if (held.includes(decisive)) return decisive;
    return held.includes(undefined) ? undefined : !decisive;
  }

  private isAmong(column: string, values: readonly Scalar[]): boolean | undefined {
    return this.decided(
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

/** The value that a column returns for one that was written; undefined when that is not certain. */
function storedAs(column: ColumnModel, value: unknown): Bound | undefined {
  // A column that was not written may have another default in the database.
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
      return typeof bound === 'string' && isKept(bound, column.length ?? Infinity) ? bound : undefined;
    default:
      return undefined;
  }
}

function isKept(text: string, length: number): boolean {
  if (text.length > length || text.includes('\0') || !text.isWellFormed()) return false;
  return text.length < MAX_CHARACTERS || !text.endsWith(' ');
}
