// The statements of a site: those that read, and insert, update and delete as SQL text with parameters.
import type { Change, Predicate, Row } from '../../model/query.js';
import { toBound } from './bind-value.js';
import type { Statement } from './connection.js';
import { columnOf, type Scope, type SqlText } from './predicate-sql.js';
import { GroupedStatements } from './grouped-statements.js';
import type { ColumnModel } from '../../model/table.js';

/**
 * Builds the statements of one site's tables. Every method throws a TypeError on unknown tables, columns or invalid
 * values.
 */
export class Statements extends GroupedStatements {
  /**
   * Inserts rows that all have the columns of the first. Other columns get the model's defaults: the defaults in the
   * database are those at the time the column was created.
   */
  insert(table: string, rows: readonly Row[]): Statement {
    const text = this.text();
    const { table: model } = text.scope(table);
    const given = Object.keys(rows[0]!);
    const defaulted = [...model.columns.values()].filter((column) => !(column.name in rows[0]!) && isOptional(column));
    const columns = [...given.map((name) => columnOf(model, name)), ...defaulted];
    if (columns.length === 0) throw new TypeError(`A row of ${table} has no columns`);
    const names = columns.map(({ name }) => name);
    const tuples = rows.map((row) => {
      if (Object.keys(row).length !== given.length) throw new TypeError(`Rows of ${table} differ in their columns`);
      const values = columns.map((column, at) => {
        const value = at < given.length ? row[column.name] : (column.default ?? null);
        return text.value(value, column);
      });
      return `(${values.join(', ')})`;
    });
    const quoted = names.map((name) => this.dialect.quote(name)).join(', ');
    const returning = rows.length === 1 && model.columns.has('id') ? this.dialect.returningId : '';
    return {
      sql: `INSERT INTO ${this.dialect.quote(table)} (${quoted}) VALUES ${tuples.join(', ')}${returning}`,
      params: text.params,
    };
  }

  update(table: string, set: Record<string, Change>, where: Predicate): Statement {
    const text = this.text();
    const scope = text.scope(table);
    const changes = Object.entries(set).map(([name, change]) => {
      const column = columnOf(scope.table, name);
      const quoted = this.dialect.quote(name);
      if (change === null || typeof change !== 'object') return `${quoted} = ${text.value(change, column)}`;
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

  /** ` WHERE …` of a write; uses a subselect of ids where the database cannot read a table while changing it. */
  private target(text: SqlText, scope: Scope, where: Predicate): string {
    const { name } = scope.table;
    if (this.dialect.readsOwnTable || !readsTable(where, name)) return text.where(scope, where);
    const found = text.scope(name);
    const id = text.column(found, 'id');
    const rows = `SELECT DISTINCT ${id} FROM ${this.dialect.quote(name)} AS ${found.alias}${text.where(found, where)}`;
    return ` WHERE ${text.column(scope, 'id')} IN (SELECT * FROM (${rows}) AS own)`;
  }
}

/** Whether an inserted row may omit the column. */
function isOptional({ primary, nullable, default: said }: ColumnModel): boolean {
  return !primary && ((said !== undefined && said !== null) || nullable === true);
}

function readsTable(p: Predicate, table: string): boolean {
  if (p.op === 'exists') return p.table === table || readsTable(p.where, table);
  if (p.op === 'and' || p.op === 'or') return p.of.some((part) => readsTable(part, table));
  return p.op === 'not' && readsTable(p.of, table);
}
