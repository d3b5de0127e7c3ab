// Builds the statements that read pages of rows and single rows.
import { and, conjunctsOf, type Predicate, type Query } from '../../model/query.js';
import type { IdList } from '../../model/store.js';
import type { Bound, Statement } from './connection.js';
import type { Dialect } from './dialect.js';
import { idList, orderBy } from './order-sql.js';
import { type Scope, SqlText } from './predicate-sql.js';
import { isWalk, servingIndex } from './serving-index.js';
import type { TableModel } from '../../model/table.js';

type Existing = Extract<Predicate, { op: 'exists' }>;

/** `SELECT … FROM …` of a table under its alias. */
type Head = (text: SqlText, scope: Scope) => string;

/** A single-row query. */
export interface OneRow {
  table: string;
  columns: readonly string[];
  where: Predicate;
  /** Conditions that are returned as 0 or 1 after the columns. */
  checks: Readonly<Record<string, Predicate>>;
}

/** The beginning of a single-row statement. */
interface OneRowHead {
  sql: string;
  params: readonly Bound[];
  /** Aliases that it uses. */
  aliases: number;
}

/** Rows passed in the time of reading a matching one, where rows are compact because texts are stored separately. */
const PASSED_PER_MATCH = 2;
/**
 * The same where texts are stored in the rows, with joins: 1 µs per row, 3 µs for a match in memory, 70 µs for one on
 * disk.
 */
const JOINED_PER_MATCH = 12;
/** The same with a subquery for each row. */
const SUBQUERY_PER_MATCH = 3;
/** Offset from which a list is read in two steps (ids, then rows). */
const MIN_DEEP_OFFSET = 100;

/** The statements that read rows of the tables of one site. Base class of `GroupedStatements`. */
export class SelectStatements {
  /** Cached `SELECT … FROM …` for frozen column lists, which compiled models provide. */
  private readonly heads = new WeakMap<readonly string[], Map<string, string>>();

  /** The same for single-row statements, by checks and columns. */
  private readonly oneRow = new WeakMap<object, WeakMap<readonly string[], Map<string, OneRowHead>>>();

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
   * As `select`, with texts beyond `inline` bytes as NULL; after the columns come the id and the total bytes of the
   * texts.
   */
  measured(query: Query, inline: number): Statement {
    return this.page(query, (text, scope) => this.head(text, scope, query.columns, inline));
  }

  /** As `measured`, followed by one text of ids per list. */
  listed(query: Query, inline: number, lists: readonly IdList[]): Statement {
    return this.page(query, (text, scope) => {
      const parts = this.parts(text, scope, query.columns, inline);
      return this.selected(query.table, scope, [...parts, ...lists.map((list) => idList(text, scope, list))]);
    });
  }

  /** As `listed`, for a single row, with checks before the id. */
  listedFirst(wanted: OneRow, inline: number, lists: readonly IdList[]): Statement {
    const text = this.text();
    const scope = text.scope(wanted.table);
    const parts = this.parts(text, scope, wanted.columns, inline);
    const own = parts.splice(wanted.columns.length);
    for (const check of Object.values(wanted.checks)) parts.push(text.holds(scope, check));
    const all = [...parts, ...own, ...lists.map((list) => idList(text, scope, list))];
    const sql = this.selected(wanted.table, scope, all);
    return { sql: `${sql}${text.where(scope, wanted.where)} LIMIT 1`, params: text.params };
  }

  private selected(table: string, scope: Scope, parts: readonly string[]): string {
    return `SELECT ${parts.join(', ')} FROM ${this.dialect.quote(table)} AS ${scope.alias}`;
  }

  private page(query: Query, head: Head): Statement {
    const text = this.text(query.dense);
    if (this.isDeep(query)) return this.deep(text, query, head);
    const scope = text.scope(query.table);
    const matching = this.matching(text, scope, query);
    const limit = this.isLimitInText(scope, query) ? ` LIMIT ${query.limit}` : text.page(query.limit, query.offset);
    return { sql: head(text, scope) + matching + limit, params: text.params };
  }

  private isLimitInText({ table }: Scope, query: Query): boolean {
    const { limit, offset } = query;
    return limit !== undefined && !offset && this.dialect.isLimitInText?.(limit) === true && isWalk(table, query);
  }

  /** The part of a query after the name of the table: hint, joins, conditions and order. */
  private matching(text: SqlText, scope: Scope, query: Query, order?: string): string {
    const { where, joins } = this.joined(text, scope, query);
    return this.hint(scope, query) + joins + text.where(scope, where) + (order ?? orderBy(text, scope, query.order));
  }

  /**
   * In a dense walk, the conditions that at most one row of another table satisfies as joins: for each row that is passed,
   * servers take several times as long for a subquery.
   */
  private joined(text: SqlText, scope: Scope, { where, dense }: Query): { joins: string; where: Predicate } {
    const { joinInOrder } = this.dialect;
    if (!dense || !joinInOrder) return { joins: '', where };
    const single = existing(where).filter((part) => this.isSingle(part));
    const joins = single.map((part) => ` ${joinInOrder} ${text.joined(scope, part)}`);
    const rest = conjunctsOf(where).filter((part) => !single.includes(part as Existing));
    return { joins: joins.join(''), where: and(...rest) };
  }

  /**
   * Rows that a dense walk passes in the time it takes to read a row that matches. The walk reads an index, the match a row
   * with its texts, which may come from the disk.
   */
  passedPerMatch(where: Predicate): number {
    if (!this.dialect.joinInOrder) return PASSED_PER_MATCH;
    return existing(where).every((part) => this.isSingle(part)) ? JOINED_PER_MATCH : SUBQUERY_PER_MATCH;
  }

  /** Whether a condition names the whole primary key of the other table. */
  private isSingle({ table, inner, where }: Existing): boolean {
    const named = new Set([inner]);
    for (const part of conjunctsOf(where)) if (part.op === 'eq') named.add(part.column);
    const key = [...this.table(table).columns.values()].filter(({ primary }) => primary);
    return key.length > 0 && key.every(({ name }) => named.has(name));
  }

  /** With vague statistics, the planner may otherwise scan an index in which most rows do not match. */
  private hint({ table }: Scope, query: Query): string {
    const { useIndex } = this.dialect;
    const index = useIndex && query.limit !== undefined ? servingIndex(table, query) : undefined;
    return (index && useIndex!(table, index)) ?? '';
  }

  private isDeep({ table, columns, order, limit, offset = 0, dense }: Query): boolean {
    if (limit === undefined || columns.length === 1 || !this.table(table).columns.has('id')) return false;
    // A walk may pass many rows that conditions on other tables rule out: with an index hint, only the index is read
    // for them.
    if (dense && this.dialect.useIndex) return true;
    // Random order sorts all rows: sort ids, not whole rows.
    return isRandom(order) || (offset >= MIN_DEEP_OFFSET && !order.some((key) => 'random' in key));
  }

  // Selects ids first, from an index; only the rows of the page are read completely, not the skipped ones.
  private deep(text: SqlText, query: Query, headOf: Head): Statement {
    const outer = text.scope(query.table);
    const inner = text.scope(query.table);
    const isShuffled = isRandom(query.order);
    const head = headOf(text, outer);
    const id = text.column(inner, 'id') + (isShuffled ? `, ${this.dialect.random()} AS lot` : '');
    const from = `${this.dialect.quote(query.table)} AS ${inner.alias}`;
    const matching = this.matching(text, inner, query, isShuffled ? ' ORDER BY lot' : undefined);
    const ids = `(SELECT ${id} FROM ${from}${matching}${text.page(query.limit, query.offset)}) AS page`;
    const join = ` JOIN ${ids} ON page.${this.dialect.quote('id')} = ${text.column(outer, 'id')}`;
    const again = isShuffled ? ' ORDER BY page.lot' : orderBy(text, outer, query.order);
    return { sql: head + join + again, params: text.params };
  }

  /** Selects one row: the columns, then 0 or 1 per check. */
  first({ table, columns, where, checks }: OneRow): Statement {
    return this.one({ table, columns, where, checks });
  }

  /** As `first`, for every row that matches. */
  judge(wanted: OneRow): Statement {
    const text = this.text();
    const scope = text.scope(wanted.table);
    return { sql: this.headOfOne(text, scope, wanted) + text.where(scope, wanted.where), params: text.params };
  }

  /** As `first`, with large texts as in `measured`: the columns, the checks, the id, the total bytes of the texts. */
  measuredFirst(wanted: OneRow, inline: number): Statement {
    return this.one(wanted, inline);
  }

  private one(wanted: OneRow, inline?: number): Statement {
    const text = this.text();
    const scope = text.scope(wanted.table);
    const sql = this.headOfOne(text, scope, wanted, inline);
    return { sql: `${sql}${text.where(scope, wanted.where)} LIMIT 1`, params: text.params };
  }

  /** `SELECT … FROM …` of one row; the text for frozen columns and checks is cached. */
  private headOfOne(text: SqlText, scope: Scope, { table, columns, checks }: OneRow, inline?: number): string {
    const key = `${table} ${inline ?? ''}`;
    const cache = Object.isFrozen(columns) && Object.isFrozen(checks) ? this.oneRowHeads(columns, checks) : undefined;
    const known = cache?.get(key);
    if (known) {
      text.continue(known.params, known.aliases);
      return known.sql;
    }
    const parts = this.parts(text, scope, columns, inline);
    const own = parts.splice(columns.length);
    // Named, because MySQL returns the text of an expression as its name.
    for (const [at, check] of Object.values(checks).entries()) parts.push(`${text.holds(scope, check)} AS c${at}`);
    const sql = this.selected(table, scope, [...parts, ...own]);
    cache?.set(key, { sql, params: [...text.params], aliases: text.aliasCount });
    return sql;
  }

  private oneRowHeads(columns: readonly string[], checks: OneRow['checks']): Map<string, OneRowHead> {
    let byColumns = this.oneRow.get(checks);
    if (!byColumns) this.oneRow.set(checks, (byColumns = new WeakMap()));
    let heads = byColumns.get(columns);
    if (!heads) byColumns.set(columns, (heads = new Map()));
    return heads;
  }

  /**
   * A piece of one text: in characters, or in bytes on an embedded database (its text functions stop at a NUL).
   * Parameters: position from 1, length, id.
   */
  piece(table: string, column: string): string {
    const text = this.text();
    const scope = text.scope(table);
    const [from, length, id] = [1, 2, 3].map((position) => this.dialect.placeholder(position));
    const whole = text.column(scope, column);
    const piece = `SUBSTR(${this.dialect.remote ? whole : `CAST(${whole} AS BLOB)`}, ${from}, ${length})`;
    return `SELECT ${piece} FROM ${this.dialect.quote(table)} AS ${scope.alias} WHERE ${text.column(scope, 'id')} = ${id}`;
  }

  /** Whether a column holds texts of unlimited length. */
  isText(table: string, column: string): boolean {
    const kind = this.tables.get(table)?.columns.get(column)?.kind;
    return kind === 'text' || kind === 'json';
  }

  /** Whether `measured` may omit texts: without an id they could not be loaded later. */
  hasTexts(table: string, columns: readonly string[]): boolean {
    return this.tables.get(table)?.columns.has('id') === true && columns.some((column) => this.isText(table, column));
  }

  /** The model of a table. Throws on an unknown name. */
  table(name: string): TableModel {
    return this.text().scope(name).table;
  }

  /** `SELECT … FROM …`; with `inline` as in `measured`. */
  private head(text: SqlText, scope: Scope, columns: readonly string[], inline?: number): string {
    const table = scope.table.name;
    const key = inline === undefined ? table : `${table} ${inline}`;
    const known = this.heads.get(columns)?.get(key);
    if (known !== undefined) return known;
    const list = this.parts(text, scope, columns, inline).join(', ');
    const head = this.selected(table, scope, [list]);
    if (Object.isFrozen(columns)) this.heads.set(columns, new Map(this.heads.get(columns)).set(key, head));
    return head;
  }

  private parts(text: SqlText, scope: Scope, columns: readonly string[], inline?: number): string[] {
    const { name, columns: models } = scope.table;
    const all = columns.map((column) => text.read(scope, column));
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

  protected text(dense = false): SqlText {
    return new SqlText(this.dialect, this.tables, dense);
  }
}

// Whether the order is purely random.
function isRandom([first]: Query['order']): boolean {
  return first !== undefined && 'random' in first;
}

/** The conditions on other tables that every row must satisfy. */
function existing(where: Predicate): Existing[] {
  return conjunctsOf(where).filter((part): part is Existing => part.op === 'exists');
}
