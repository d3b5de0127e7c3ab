// Builds SQL text and parameters from predicates. Names come from the table model; values are always bound.
import { canonicalDecimal, decimalText, inPrecision, parseDecimal, unitsOf } from '../../model/functions/decimal.js';
import type { Predicate } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { shapeOf, toBound } from './bind-value.js';
import type { Bound } from './connection.js';
import type { Dialect } from './dialect.js';
import type { ColumnModel, IndexModel, TableModel } from '../../model/table.js';

/** A table in a statement, under an alias. */
export interface Scope {
  table: TableModel;
  alias: string;
}

type Comparison = { op: keyof typeof COMPARE; column: string; value: Scalar };
type Of<Op extends Predicate['op']> = Extract<Predicate, { op: Op }>;

/** The last year of dates whose texts sort chronologically. */
const LAST_YEAR = 9999;

const COMPARE = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' } as const;

/** Thrown for a table or a column that the models do not have. */
export class UnknownName extends TypeError {}

/**
 * One statement under construction. Parameters are in the order of their placeholders; equal predicates give equal
 * text.
 */
export class SqlText {
  readonly params: Bound[] = [];
  readonly bind = (value: Bound): string => this.dialect.placeholder(this.params.push(value));
  private aliases = 0;

  constructor(
    readonly dialect: Dialect,
    private readonly tables: ReadonlyMap<string, TableModel>,
    /** Walk in sort order: see `Query.dense`. */
    private readonly dense = false,
  ) {}

  /** Continues a cached text: with its parameters, and after its aliases. */
  continue(params: readonly Bound[], aliases: number): void {
    this.params.push(...params);
    this.aliases = aliases;
  }

  /** Number of aliases given so far. */
  get aliasCount(): number {
    return this.aliases;
  }

  /** Adds a table of the model under a new alias. Throws on an unknown name. */
  scope(table: string): Scope {
    const model = this.tables.get(table);
    if (!model) throw new UnknownName(`Unknown table ${table}`);
    return { table: model, alias: `a${this.aliases++}` };
  }

  /** `alias."column"`. Throws on an unknown name. */
  column(scope: Scope, name: string): string {
    columnOf(scope.table, name);
    return `${scope.alias}.${this.dialect.quote(name)}`;
  }

  /** A column as it is selected: decimals as text. */
  read(scope: Scope, name: string): string {
    const { kind, scale = 0 } = columnOf(scope.table, name);
    const column = this.column(scope, name);
    return kind === 'decimal' ? this.dialect.decimal.read(column, scale) : column;
  }

  /** A value of a column as a parameter. Throws a TypeError when the column cannot take it. */
  value(value: unknown, column: ColumnModel): string {
    return this.bound(toBound(value, column), column);
  }

  /** As `value`, for a bound value. */
  bound(value: Bound, column: ColumnModel): string {
    return column.kind === 'decimal' && value !== null
      ? this.dialect.decimal.value(String(value), column, this.bind)
      : this.bind(value);
  }

  /** ` WHERE …`, or nothing when the predicate is always true. */
  where(scope: Scope, predicate: Predicate): string {
    return predicate.op === 'true' ? '' : ` WHERE ${this.predicate(scope, predicate)}`;
  }

  /** A condition that can be combined with AND and OR without further brackets. */
  predicate(scope: Scope, p: Predicate): string {
    switch (p.op) {
      case 'true':
        return '1 = 1';
      case 'false':
        return '1 = 0';
      case 'and':
        return this.combine(scope, p.of, ' AND ', '1 = 1');
      case 'or':
        return this.combine(scope, p.of, ' OR ', '1 = 0');
      case 'not':
        // Two-valued logic: a row satisfies either a predicate or its negation, even with NULLs.
        return unknowable(scope.table, p.of)
          ? this.dialect.fails(this.predicate(scope, p.of))
          : `NOT (${this.predicate(scope, p.of)})`;
      case 'in':
        return this.membership(scope, p);
      case 'null':
        return `${this.column(scope, p.column)} IS NULL`;
      case 'contains':
        return this.contains(scope, p);
      case 'affix':
        return this.affix(scope, p);
      case 'tuple':
        return this.tuple(scope, p);
      case 'datePart':
        return this.datePart(scope, p);
      case 'columns':
        return `${this.column(scope, p.left)} ${COMPARE[p.compare]} ${this.column(scope, p.right)}`;
      case 'exists':
        return this.exists(scope, p);
      default:
        return this.comparison(scope, p);
    }
  }

  /** 1 where a condition holds, else 0. */
  holds(scope: Scope, predicate: Predicate): string {
    return `CASE WHEN ${this.predicate(scope, predicate)} THEN 1 ELSE 0 END`;
  }

  /** ` LIMIT ? OFFSET ?`. Throws unless both are non-negative integers. */
  page(limit: number | undefined, offset: number | undefined): string {
    const size = limit === undefined ? (offset ? this.dialect.unlimited : undefined) : this.bind(whole(limit));
    return (size === undefined ? '' : ` LIMIT ${size}`) + (offset ? ` OFFSET ${this.bind(whole(offset))}` : '');
  }

  private combine(scope: Scope, of: readonly Predicate[], word: string, empty: string): string {
    if (of.length === 0) return empty;
    if (of.length === 1) return this.predicate(scope, of[0]!);
    return `(${of.map((part) => this.predicate(scope, part)).join(word)})`;
  }

  private comparison(scope: Scope, p: Comparison): string {
    const model = columnOf(scope.table, p.column);
    const column = this.column(scope, p.column);
    if (model.kind === 'decimal' && p.value !== null) return this.decimal(column, model, p);
    const value = toBound(p.value, model);
    if (value === null) {
      if (p.op === 'eq') return `${column} IS NULL`;
      if (p.op === 'ne') return `${column} IS NOT NULL`;
      throw new TypeError(`Column ${p.column} cannot be ordered against null`);
    }
    if (model.kind === 'integer' && !Number.isSafeInteger(value)) return this.beyond(column, p.op, value as number);
    if (p.op === 'ne' && model.nullable) return this.dialect.differs(column, this.bind(value));
    if (p.op === 'eq') return this.equality(scope, p.column, this.bind(value));
    return `${column} ${COMPARE[p.op]} ${this.bind(value)}`;
  }

  /**
   * `=` an operand, or `IN` several; also compares the indexed prefix, where an index has only a part of the column.
   */
  private equality(scope: Scope, name: string, operands: string | readonly string[]): string {
    const column = this.column(scope, name);
    const compare = (side: (text: string) => string) =>
      typeof operands === 'string'
        ? `${side(column)} = ${side(operands)}`
        : `${side(column)} IN (${operands.map(side).join(', ')})`;
    const all = compare((text) => text);
    const length = this.dialect.indexedPrefix?.(scope.table, name);
    return length === undefined ? all : `(${compare((text) => `left(${text}, ${length})`)} AND ${all})`;
  }

  /** A comparison with any decimal; a value with more digits than the column lies between two of its values. */
  private decimal(column: string, model: ColumnModel, { op, value }: Comparison): string {
    const parsed = parseDecimal(String(value));
    if (!parsed) throw new TypeError(`Column ${model.name} (decimal) cannot take this value`);
    const { precision, scale } = shapeOf(model);
    const { units, exact } = unitsOf(parsed, scale);
    const inside = inPrecision(units, precision);
    if ((op === 'eq' || op === 'ne') && !(exact && inside)) return op === 'eq' ? '1 = 0' : '1 = 1';
    if (!inside) return units > 0n === (op === 'lt' || op === 'le') ? `${column} IS NOT NULL` : '1 = 0';
    const operand = this.bound(decimalText(units, scale), model);
    if (op === 'ne' && model.nullable) return this.dialect.differs(column, operand);
    return `${column} ${exact ? COMPARE[op] : op === 'lt' || op === 'le' ? '<=' : '>'} ${operand}`;
  }

  /** A comparison of an integer column with a fraction, or a number out of range: servers reject such a parameter. */
  private beyond(column: string, op: Comparison['op'], value: number): string {
    if (op === 'eq' || op === 'ne') return op === 'eq' ? '1 = 0' : '1 = 1';
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
      return value > 0 === (op === 'lt' || op === 'le') ? `${column} IS NOT NULL` : '1 = 0';
    const rounded = op === 'gt' || op === 'le' ? Math.floor(value) : Math.ceil(value);
    return `${column} ${COMPARE[op]} ${this.bind(rounded)}`;
  }

  private membership(scope: Scope, p: Of<'in'>): string {
    const model = columnOf(scope.table, p.column);
    const column = this.column(scope, p.column);
    const all = storable(p.values, model).map((value) => toBound(value, model));
    const possible = (value: Bound): boolean => model.kind !== 'integer' || Number.isSafeInteger(value);
    const values = all.filter((value) => value !== null && possible(value));
    const parts: string[] = [];
    if (all.includes(null)) parts.push(`${column} IS NULL`);
    if (values.length > 0) {
      parts.push(
        (model.kind === 'decimal' ? undefined : this.dialect.longList(column, values, this.bind)) ??
          this.equality(
            scope,
            p.column,
            padded(values).map((value) => this.bound(value, model)),
          ),
      );
    }
    return parts.length === 2 ? `(${parts.join(' OR ')})` : (parts[0] ?? '1 = 0');
  }

  private contains(scope: Scope, p: Of<'contains'>): string {
    const model = columnOf(scope.table, p.column);
    const value = String(toBound(p.value, model) ?? '');
    const index = fulltextOf(scope.table, p.column);
    const column = this.searched(scope, p.column, index);
    const candidates =
      index && !this.dense ? this.dialect.candidates(scope.table, scope.alias, p.column, value, this.bind) : undefined;
    if (candidates?.exact) return candidates.sql;
    const exact = this.dialect.contains(column, value, this.bind);
    return candidates === undefined ? exact : `(${candidates.sql} AND ${exact})`;
  }

  /** A text that is searched for, where the database may compute it from its sources in place of storing it. */
  private searched(scope: Scope, name: string, index: IndexModel | undefined): string {
    return (index && this.dialect.searched?.(scope.table, index, scope.alias)) ?? this.column(scope, name);
  }

  private affix(scope: Scope, { at, column: name, value }: Of<'affix'>): string {
    const model = columnOf(scope.table, name);
    const column = this.searched(scope, name, fulltextOf(scope.table, name));
    const next = at === 'start' && model.binary ? successor(value) : undefined;
    // A range, because an index can serve it.
    if (next !== undefined) return `(${column} >= ${this.bind(value)} AND ${column} < ${this.bind(next)})`;
    const length = Array.from(value).length;
    const piece = at === 'start' ? `SUBSTR(${column}, 1, ${length})` : this.dialect.ending(column, length);
    return `${piece} = ${this.bind(value)}`;
  }

  private tuple(scope: Scope, { columns, compare, values }: Of<'tuple'>): string {
    const sides = columns.map((name, at) => {
      const model = columnOf(scope.table, name);
      return { column: this.column(scope, name), value: () => this.bound(toBound(values[at]!, model), model) };
    });
    const sign = COMPARE[compare];
    if (sides.length === 1) return `${sides[0]!.column} ${sign} ${sides[0]!.value()}`;
    if (this.dialect.tuples)
      return `(${sides.map(({ column }) => column).join(', ')}) ${sign} (${sides.map(({ value }) => value()).join(', ')})`;
    const bound = `${sides[0]!.column} ${sign}= ${sides[0]!.value()}`;
    // As ranges of an index, one per column in which the rows may first differ.
    const ranges = sides.map(({ column, value }, at) => {
      const equal = sides.slice(0, at).map((side) => `${side.column} = ${side.value()}`);
      return `(${[...equal, `${column} ${sign} ${value()}`].join(' AND ')})`;
    });
    return `(${bound} AND (${ranges.join(' OR ')}))`;
  }

  private datePart(scope: Scope, p: Of<'datePart'>): string {
    const column = this.column(scope, p.column);
    if (p.part !== 'year') return `${this.dialect.datePart(p.part, column)} = ${this.bind(whole(p.value))}`;
    // A range, because an index can serve it.
    if (whole(p.value) > LAST_YEAR) return '1 = 0';
    const first = (year: number): string => `${String(year).padStart(4, '0')}-01-01T00:00:00`;
    const from = `${column} >= ${this.bind(first(p.value))}`;
    return p.value === LAST_YEAR ? from : `(${from} AND ${column} < ${this.bind(first(p.value + 1))})`;
  }

  /** The other table of a condition as a join, with its condition. */
  joined(scope: Scope, p: Of<'exists'>): string {
    const { from, on } = this.related(scope, p);
    return `${from} ON ${on}`;
  }

  private related(scope: Scope, p: Of<'exists'>): { from: string; on: string } {
    const outer = this.column(scope, p.outer);
    const inner = this.scope(p.table);
    const rest = p.where.op === 'true' ? '' : ` AND ${this.predicate(inner, p.where)}`;
    const from = `${this.dialect.quote(p.table)} AS ${inner.alias}`;
    return { from, on: `${this.column(inner, p.inner)} = ${outer}${rest}` };
  }

  private exists(scope: Scope, p: Of<'exists'>): string {
    const { from, on } = this.related(scope, p);
    const sql = `EXISTS (SELECT 1 FROM ${from} WHERE ${on})`;
    // With IS TRUE it is evaluated per row, in sort order. As a bare condition, servers turn it into a semi-join that
    // begins with all rows of the other table.
    return this.dense && this.dialect.remote ? `(${sql}) IS TRUE` : sql;
  }
}

/** Values that a column can hold: a decimal with more digits equals none of its values. */
function storable(values: readonly Scalar[], column: ColumnModel): readonly Scalar[] {
  if (column.kind !== 'decimal') return values;
  return values.filter((value) => value === null || canonicalDecimal(value, shapeOf(column)) !== undefined);
}

/** Finds a column of a table. Throws on an unknown name: identifiers never come from input. */
export function columnOf(table: TableModel, name: string): ColumnModel {
  const column = table.columns.get(name);
  if (!column) throw new UnknownName(`Unknown column ${table.name}.${name}`);
  return column;
}

/** Pads to the next power of two, so that few distinct statements occur. */
export function padded<T>(values: readonly T[]): T[] {
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array<T>(size - values.length).fill(values.at(-1)!)];
}

function fulltextOf(table: TableModel, column: string): IndexModel | undefined {
  for (const index of table.indexes.values()) if (index.fulltext && index.columns.includes(column)) return index;
  return undefined;
}

function unknowable(table: TableModel, p: Predicate): boolean {
  const nullable = (name: string): boolean => columnOf(table, name).nullable ?? false;
  switch (p.op) {
    case 'and':
    case 'or':
      return p.of.some((part) => unknowable(table, part));
    case 'columns':
      return nullable(p.left) || nullable(p.right);
    case 'eq':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
    case 'in':
    case 'contains':
    case 'affix':
    case 'datePart':
      return nullable(p.column);
    default:
      return false;
  }
}

/** The smallest text after all that begin with `text`; undefined if it ends with the last code point. */
export function successor(text: string): string | undefined {
  const characters = Array.from(text);
  const last = characters.pop()!.codePointAt(0)!;
  if (last >= 0x10_ff_ff) return undefined;
  // Skips the surrogates, because well-formed texts have no lone ones.
  return characters.join('') + String.fromCodePoint(last === 0xd7_ff ? 0xe0_00 : last + 1);
}

function whole(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError('Expected a whole number, zero or more');
  return value;
}
