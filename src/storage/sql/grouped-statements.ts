// Builds the statements that read groups of rows: merged pages, first rows of groups, counts, aggregates.
import type { Aggregate, GroupQuery, MergePart, MergeQuery, Predicate, SummaryQuery } from '../../model/query.js';
import { aggregateOf } from './aggregate-sql.js';
import type { Statement } from './connection.js';
import { orderBy, sortKey } from './order-sql.js';
import type { SqlText } from './predicate-sql.js';
import { SelectStatements } from './select-statements.js';

/** The statements that read the tables of one site. Base class of `Statements`. */
export class GroupedStatements extends SelectStatements {
  /** Selects the ids of the first rows of each group. */
  firstOfEach({ table, by, where, order, each }: GroupQuery): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const id = `${text.column(scope, 'id')} AS id`;
    const place = `ROW_NUMBER() OVER (PARTITION BY ${text.column(scope, by)}${orderBy(text, scope, order)}) AS place`;
    const rows = `SELECT ${id}, ${place} FROM ${this.dialect.quote(table)} AS ${scope.alias}${text.where(scope, where)}`;
    return {
      sql: `SELECT page.id FROM (${rows}) AS page WHERE page.place <= ${Math.trunc(each)}`,
      params: text.params,
    };
  }

  /** Selects the position of the part and the id of each row of a page. */
  merge({ parts, limit, offset }: MergeQuery): Statement {
    const text = this.text();
    const [first] = parts;
    if (parts.length === 1) return { sql: this.part(text, first!, 0, limit, offset), params: text.params };
    const rows = parts.map(
      (part, at) => `SELECT * FROM (${this.part(text, part, at, limit + offset, 0)}) AS part${at}`,
    );
    const keys = first!.order.map(({ direction }, at) => this.dialect.orderBy(`k${at}`, direction, true));
    // Rows of two tables may be equal in every key.
    const order = [...keys, 'part'].join(', ');
    const sql = `SELECT part, id FROM (${rows.join(' UNION ALL ')}) AS page ORDER BY ${order}`;
    return { sql: sql + text.page(limit, offset), params: text.params };
  }

  private part(text: SqlText, { table, where, order }: MergePart, at: number, limit: number, offset: number): string {
    const scope = text.scope(table);
    const keys = order.map((key) => sortKey(text, scope, key));
    const columns = [
      `${at} AS part`,
      `${text.column(scope, 'id')} AS id`,
      ...keys.map(({ sql }, k) => `${sql} AS k${k}`),
    ];
    const from = `SELECT ${columns.join(', ')} FROM ${this.dialect.quote(table)} AS ${scope.alias}`;
    const sorted = keys.map(({ nullable }, k) => this.dialect.orderBy(`k${k}`, order[k]!.direction, nullable));
    return `${from}${text.where(scope, where)} ORDER BY ${sorted.join(', ')}${text.page(limit, offset)}`;
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

  /** An aggregate per value of `by`, which comes first. */
  aggregate(table: string, by: string, of: Aggregate, where: Predicate): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const value = aggregateOf(text, scope, of);
    const key = text.column(scope, by);
    const from = `${this.dialect.quote(table)} AS ${scope.alias}${text.where(scope, where)}`;
    return { sql: `SELECT ${key}, ${value} FROM ${from} GROUP BY ${key}`, params: text.params };
  }

  /** Aggregates per combination of `by`, whose values come first, then the number of rows. */
  summary({ table, by, of, where, limit }: SummaryQuery): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const keys = by.map((name) => text.read(scope, name));
    const values = of.map((each) => aggregateOf(text, scope, each));
    const from = `${this.dialect.quote(table)} AS ${scope.alias}${text.where(scope, where)}`;
    const columns = by.map((name) => text.column(scope, name));
    const order = orderBy(
      text,
      scope,
      by.map((column) => ({ column, direction: 'asc' })),
    );
    const group = by.length === 0 ? '' : ` GROUP BY ${columns.join(', ')}${order}${text.page(limit, undefined)}`;
    return { sql: `SELECT ${[...keys, 'COUNT(*)', ...values].join(', ')} FROM ${from}${group}`, params: text.params };
  }
}
