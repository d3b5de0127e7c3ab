// Whole statements: select, count, insert, update, delete as SQL text with parameters. Called by the reader and the transaction.
import type { ColumnModel, TableModel } from '../model/model.js';
import type { Change, Predicate, Query, Row } from '../model/query.js';
import { toBound } from './binding.js';
import type { Bound } from './connection.js';
import type { Dialect } from './dialect.js';
import { columnOf, type Scope, SqlText } from './sql-text.js';

/** A statement ready to run. */
export interface Statement {
  sql: string;
  params: Bound[];
}

/** Rows that are skipped before a list is read in two steps. */
const DEEP = 100;

/** Builds the statements of one site's tables. Every method throws a TypeError on unknown tables, columns or unusable values. */
export class Statements {
  /** `SELECT … FROM …` of column lists that cannot change: those the compiled models hand out. */
  private readonly heads = new WeakMap<readonly string[], Map<string, string>>();

  constructor(
    readonly dialect: Dialect,
    readonly tables: ReadonlyMap<string, TableModel>,
  ) {}

  /** Rows of a query, values in the order of `query.columns`. */
  select(query: Query): Statement {
    const text = this.text(query.dense);
    if (this.isDeep(query)) return this.deep(text, query);
    const scope = text.scope(query.table);
    const rest = text.where(scope, query.where) + text.order(scope, query.order) + text.page(query.limit, query.offset);
    return { sql: this.head(text, scope, query.columns) + rest, params: text.params };
  }

  private isDeep({ table, columns, order, limit, offset = 0 }: Query): boolean {
    if (limit === undefined || columns.length === 1 || !this.table(table).columns.has('id')) return false;
    // Drawing lots sorts everything: ids, not whole rows.
    return isDrawn(order) || (offset >= DEEP && !order.some((key) => 'random' in key));
  }

  // Ids first, which an index can hand out; only the rows of the page are read whole, not those that are skipped.
  private deep(text: SqlText, query: Query): Statement {
    const outer = text.scope(query.table);
    const inner = text.scope(query.table);
    const drawn = isDrawn(query.order);
    const head = this.head(text, outer, query.columns);
    const id = text.column(inner, 'id') + (drawn ? `, ${this.dialect.random()} AS lot` : '');
    const where = text.where(inner, query.where);
    const order = drawn ? ' ORDER BY lot' : text.order(inner, query.order);
    const from = `${this.dialect.quote(query.table)} AS ${inner.alias}`;
    const ids = `(SELECT ${id} FROM ${from}${where}${order}${text.page(query.limit, query.offset)}) AS page`;
    const join = ` JOIN ${ids} ON page.${this.dialect.quote('id')} = ${text.column(outer, 'id')}`;
    const again = drawn ? ' ORDER BY page.lot' : text.order(outer, query.order);
    return { sql: head + join + again, params: text.params };
  }

  /** One row: the columns, then 0 or 1 per check. */
  first(table: string, columns: readonly string[], where: Predicate, checks: readonly Predicate[]): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const parts = columns.map((name) => text.column(scope, name));
    for (const check of checks) parts.push(`CASE WHEN ${text.predicate(scope, check)} THEN 1 ELSE 0 END`);
    const from = `${this.dialect.quote(table)} AS ${scope.alias}`;
    return { sql: `SELECT ${parts.join(', ')} FROM ${from}${text.where(scope, where)} LIMIT 1`, params: text.params };
  }

  /** Number of rows: per combination of `by`, or one number when it is empty. The number comes last. */
  count(table: string, by: readonly string[], where: Predicate): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const columns = by.map((name) => text.column(scope, name));
    const from = `${this.dialect.quote(table)} AS ${scope.alias}${text.where(scope, where)}`;
    const group = by.length === 0 ? '' : ` GROUP BY ${columns.join(', ')}`;
    return { sql: `SELECT ${[...columns, 'COUNT(*)'].join(', ')} FROM ${from}${group}`, params: text.params };
  }

  /**
   * Rows of the same columns, those of the first. The others are given what the model says: the defaults in the database
   * are those of the day on which a column was made.
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

  /** ` WHERE …` of a write; its rows are found first where the database cannot look at a table while it changes it. */
  private target(text: SqlText, scope: Scope, where: Predicate): string {
    const { name } = scope.table;
    if (this.dialect.readsOwnTable || !asks(where, name)) return text.where(scope, where);
    const found = text.scope(name);
    const id = text.column(found, 'id');
    const rows = `SELECT DISTINCT ${id} FROM ${this.dialect.quote(name)} AS ${found.alias}${text.where(found, where)}`;
    return ` WHERE ${text.column(scope, 'id')} IN (SELECT * FROM (${rows}) AS own)`;
  }

  private head(text: SqlText, scope: Scope, columns: readonly string[]): string {
    const table = scope.table.name;
    const known = this.heads.get(columns)?.get(table);
    if (known !== undefined) return known;
    const list = columns.map((name) => text.column(scope, name)).join(', ');
    const head = `SELECT ${list} FROM ${this.dialect.quote(table)} AS ${scope.alias}`;
    if (Object.isFrozen(columns)) this.heads.set(columns, new Map(this.heads.get(columns)).set(table, head));
    return head;
  }

  private text(dense = false): SqlText {
    return new SqlText(this.dialect, this.tables, dense);
  }
}

/** Whether a row may leave the column out. */
function isSettled({ primary, nullable, default: said }: ColumnModel): boolean {
  return !primary && ((said !== undefined && said !== null) || nullable === true);
}

function asks(p: Predicate, table: string): boolean {
  if (p.op === 'exists') return p.table === table || asks(p.where, table);
  if (p.op === 'and' || p.op === 'or') return p.of.some((part) => asks(part, table));
  return p.op === 'not' && asks(p.of, table);
}

// Nothing but chance decides.
function isDrawn([first]: Query['order']): boolean {
  return first !== undefined && 'random' in first;
}
