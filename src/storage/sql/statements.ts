// Builds whole statements: select, count, insert, update, delete as SQL text with parameters.
import type { ColumnModel, TableModel } from '../../model/model.js';
import type { Change, Predicate, Query, Row } from '../../model/query.js';
import { toBound } from './bind-value.js';
import type { Bound } from './connection.js';
import type { Dialect } from './dialect.js';
import { columnOf, type Scope, SqlText } from './predicate-sql.js';

/** A statement ready to run. */
export interface Statement {
  sql: string;
  params: Bound[];
}

/** `SELECT … FROM …` of a table under its alias. */
type Head = (text: SqlText, scope: Scope) => string;

/** A single-row query: condition, columns and checks. */
interface MeasuredFirst {
  table: string;
  columns: readonly string[];
  where: Predicate;
  checks: readonly Predicate[];
}

/** Offset from which a list is read in two steps (ids, then rows). */
const MIN_DEEP_OFFSET = 100;

/**
 * Builds the statements of one site's tables. Every method throws a TypeError on unknown tables, columns or invalid
 * values.
 */
export class Statements {
  /** Cached `SELECT … FROM …` for frozen column lists, which compiled models provide. */
  private readonly heads = new WeakMap<readonly string[], Map<string, string>>();

  /** Tables of an embedded database in which a large row was seen: their rows are read in steps. */
  readonly heavy = new Set<string>();

  constructor(
    readonly dialect: Dialect,
    readonly tables: ReadonlyMap<string, TableModel>,
  ) {}

  /** Selects rows, values in the order of `query.columns`. */
  select(query: Query): Statement {
    return this.page(query, (text, scope) => this.head(text, scope, query.columns));
  }

  /**
   * The same with texts beyond `inline` bytes as NULL; after the columns come the id and the total bytes of the texts.
   */
  measured(query: Query, inline: number): Statement {
    return this.page(query, (text, scope) => this.head(text, scope, query.columns, inline));
  }

  private page(query: Query, head: Head): Statement {
    const text = this.text(query.skipFulltext);
    if (this.isDeep(query)) return this.deep(text, query, head);
    const scope = text.scope(query.table);
    const rest = text.where(scope, query.where) + text.order(scope, query.order) + text.page(query.limit, query.offset);
    return { sql: head(text, scope) + rest, params: text.params };
  }

  private isDeep({ table, columns, order, limit, offset = 0 }: Query): boolean {
    if (limit === undefined || columns.length === 1 || !this.table(table).columns.has('id')) return false;
    // Random order sorts all rows: sort ids, not whole rows.
    return isRandom(order) || (offset >= MIN_DEEP_OFFSET && !order.some((key) => 'random' in key));
  }

  // Selects ids first, from an index; only the rows of the page are read whole, not the skipped ones.
  private deep(text: SqlText, query: Query, headOf: Head): Statement {
    const outer = text.scope(query.table);
    const inner = text.scope(query.table);
    const isShuffled = isRandom(query.order);
    const head = headOf(text, outer);
    const id = text.column(inner, 'id') + (isShuffled ? `, ${this.dialect.random()} AS lot` : '');
    const where = text.where(inner, query.where);
    const order = isShuffled ? ' ORDER BY lot' : text.order(inner, query.order);
    const from = `${this.dialect.quote(query.table)} AS ${inner.alias}`;
    const ids = `(SELECT ${id} FROM ${from}${where}${order}${text.page(query.limit, query.offset)}) AS page`;
    const join = ` JOIN ${ids} ON page.${this.dialect.quote('id')} = ${text.column(outer, 'id')}`;
    const again = isShuffled ? ' ORDER BY page.lot' : text.order(outer, query.order);
    return { sql: head + join + again, params: text.params };
  }

  /** Selects one row: the columns, then 0 or 1 per check. */
  first(table: string, columns: readonly string[], where: Predicate, checks: readonly Predicate[]): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const parts = columns.map((name) => text.column(scope, name));
    for (const check of checks) parts.push(`CASE WHEN ${text.predicate(scope, check)} THEN 1 ELSE 0 END`);
    const from = `${this.dialect.quote(table)} AS ${scope.alias}`;
    return { sql: `SELECT ${parts.join(', ')} FROM ${from}${text.where(scope, where)} LIMIT 1`, params: text.params };
  }

  /** The same, with large texts as in `measured`: the columns, the checks, the id, the total bytes of the texts. */
  measuredFirst({ table, columns, where, checks }: MeasuredFirst, inline: number): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const parts = this.parts(text, scope, columns, inline);
    const own = parts.splice(columns.length);
    for (const check of checks) parts.push(`CASE WHEN ${text.predicate(scope, check)} THEN 1 ELSE 0 END`);
    const from = `${this.dialect.quote(table)} AS ${scope.alias}${text.where(scope, where)}`;
    return { sql: `SELECT ${[...parts, ...own].join(', ')} FROM ${from} LIMIT 1`, params: text.params };
  }

  /**
   * A piece of one text: characters, or from an embedded database bytes (a NUL ends its texts, but not what can be asked of them).
   * Parameters: where it begins, from 1, how long it is, the id.
   */
  piece(table: string, column: string): string {
    const text = this.text();
    const scope = text.scope(table);
    const [from, length, id] = [1, 2, 3].map((position) => this.dialect.placeholder(position));
    const whole = text.column(scope, column);
    const piece = `SUBSTR(${this.dialect.remote ? whole : `CAST(${whole} AS BLOB)`}, ${from}, ${length})`;
    return `SELECT ${piece} FROM ${this.dialect.quote(table)} AS ${scope.alias} WHERE ${text.column(scope, 'id')} = ${id}`;
  }

  /** Whether a column holds texts of any length. */
  isText(table: string, column: string): boolean {
    const kind = this.tables.get(table)?.columns.get(column)?.kind;
    return kind === 'text' || kind === 'json';
  }

  /** Whether `measured` may omit texts: without an id they could not be loaded later. */
  hasTexts(table: string, columns: readonly string[]): boolean {
    return this.tables.get(table)?.columns.has('id') === true && columns.some((column) => this.isText(table, column));
  }

  /** Row count: per combination of `by`, or one number when it is empty. The number comes last. */
  count(table: string, by: readonly string[], where: Predicate): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const columns = by.map((name) => text.column(scope, name));
    const from = `${this.dialect.quote(table)} AS ${scope.alias}${text.where(scope, where)}`;
    const group = by.length === 0 ? '' : ` GROUP BY ${columns.join(', ')}`;
    return { sql: `SELECT ${[...columns, 'COUNT(*)'].join(', ')} FROM ${from}${group}`, params: text.params };
  }

  /**
   * Inserts rows that all have the columns of the first. Other columns get the model's defaults: the defaults in the
   * database are those at the time the column was created.
   */
  insert(table: string, rows: readonly Row[]): Statement {
    const text = this.text();
    const { table: model } = text.scope(table);
    const given = Object.keys(rows[0]!);
    if (given.length === 0) throw new TypeError(`A row of ${table} has no columns`);
    const left = [...model.columns.values()].filter((column) => !(column.name in rows[0]!) && isSettled(column));
    const columns = [...given.map((name) => columnOf(model, name)), ...left];
    const names = columns.map(({ name }) => name);
    const tuples = rows.map((row) => {
      if (Object.keys(row).length !== given.length) throw new TypeError(`Rows of ${table} differ in their columns`);
      const values = columns.map((column, at) => {
        const value = at < given.length ? row[column.name] : (column.default ?? null);
        return text.bind(toBound(value, column));
      });
      return `(${values.join(', ')})`;
    });
    const quoted = names.map((name) => this.dialect.quote(name)).join(', ');
    const answer = rows.length === 1 && model.columns.has('id') ? this.dialect.returningId : '';
    return {
      sql: `INSERT INTO ${this.dialect.quote(table)} (${quoted}) VALUES ${tuples.join(', ')}${answer}`,
      params: text.params,
    };
  }

  update(table: string, set: Record<string, Change>, where: Predicate): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const changes = Object.entries(set).map(([name, change]) => {
      const column = columnOf(scope.table, name);
      const quoted = this.dialect.quote(name);
      if (change === null || typeof change !== 'object') return `${quoted} = ${text.bind(toBound(change, column))}`;
      return `${quoted} = ${text.column(scope, name)} + ${text.bind(toBound(change.increment, column))}`;
    });
    const head = `UPDATE ${this.dialect.quote(table)} AS ${scope.alias} SET ${changes.join(', ')}`;
    return { sql: head + this.target(text, scope, where), params: text.params };
  }

  delete(table: string, where: Predicate): Statement {
    const text = this.text();
    const scope = text.scope(table);
    return { sql: this.dialect.deleteFrom(table, scope.alias) + this.target(text, scope, where), params: text.params };
  }

  /** The model of a table. Throws on an unknown name. */
  table(name: string): TableModel {
    return this.text().scope(name).table;
  }

  /** ` WHERE …` of a write; uses a subselect of ids where the database cannot read a table while changing it. */
  private target(text: SqlText, scope: Scope, where: Predicate): string {
    const { name } = scope.table;
    if (this.dialect.readsOwnTable || !asks(where, name)) return text.where(scope, where);
    const found = text.scope(name);
    const id = text.column(found, 'id');
    const rows = `SELECT DISTINCT ${id} FROM ${this.dialect.quote(name)} AS ${found.alias}${text.where(found, where)}`;
    return ` WHERE ${text.column(scope, 'id')} IN (SELECT * FROM (${rows}) AS own)`;
  }

  /** `SELECT … FROM …`; with `inline` as in `measured`. */
  private head(text: SqlText, scope: Scope, columns: readonly string[], inline?: number): string {
    const table = scope.table.name;
    const key = inline === undefined ? table : `${table} ${inline}`;
    const known = this.heads.get(columns)?.get(key);
    if (known !== undefined) return known;
    const list = this.parts(text, scope, columns, inline).join(', ');
    const head = `SELECT ${list} FROM ${this.dialect.quote(table)} AS ${scope.alias}`;
    if (Object.isFrozen(columns)) this.heads.set(columns, new Map(this.heads.get(columns)).set(key, head));
    return head;
  }

  private parts(text: SqlText, scope: Scope, columns: readonly string[], inline?: number): string[] {
    const { name, columns: models } = scope.table;
    const all = columns.map((column) => text.column(scope, column));
    if (inline === undefined) return all;
    const hasId = models.has('id');
    const sizes: string[] = [];
    for (const [at, column] of columns.entries()) {
      if (!this.isText(name, column)) continue;
      const bytes = `OCTET_LENGTH(${all[at]})`;
      sizes.push(models.get(column)!.nullable === false ? bytes : `COALESCE(${bytes}, 0)`);
      if (hasId) all[at] = inline < 0 ? 'NULL' : `CASE WHEN ${bytes} <= ${inline} THEN ${all[at]} END`;
    }
    return [...all, hasId ? text.column(scope, 'id') : 'NULL', sizes.join(' + ') || '0'];
  }

  private text(dense = false): SqlText {
    return new SqlText(this.dialect, this.tables, dense);
  }
}

/** Whether an inserted row may omit the column. */
function isSettled({ primary, nullable, default: said }: ColumnModel): boolean {
  return !primary && ((said !== undefined && said !== null) || nullable === true);
}

function asks(p: Predicate, table: string): boolean {
  if (p.op === 'exists') return p.table === table || asks(p.where, table);
  if (p.op === 'and' || p.op === 'or') return p.of.some((part) => asks(part, table));
  return p.op === 'not' && asks(p.of, table);
}

// Whether the order is purely random.
function isRandom([first]: Query['order']): boolean {
  return first !== undefined && 'random' in first;
}
