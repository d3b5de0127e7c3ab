import { toBound } from './binding.js';
import { columnOf, SqlText } from './sql-text.js';
/** Builds the statements of one site's tables. Every method throws a TypeError on unknown tables, columns or unusable values. */
export class Statements {
    dialect;
    tables;
    /** `SELECT … FROM …` of column lists that cannot change: those the compiled models hand out. */
    heads = new WeakMap();
    constructor(dialect, tables) {
        this.dialect = dialect;
        this.tables = tables;
    }
    /** Rows of a query, values in the order of `query.columns`. */
    select(query) {
        const text = this.text();
        const scope = text.scope(query.table);
        const rest = text.where(scope, query.where) + text.order(scope, query.order) + text.page(query.limit, query.offset);
        return { sql: this.head(text, scope, query.columns) + rest, params: text.params };
    }
    /** One row: the columns, then 0 or 1 per check. */
    first(table, columns, where, checks) {
        const text = this.text();
        const scope = text.scope(table);
        const parts = columns.map((name) => text.column(scope, name));
        for (const check of checks)
            parts.push(`CASE WHEN ${text.predicate(scope, check)} THEN 1 ELSE 0 END`);
        const from = `${this.dialect.quote(table)} AS ${scope.alias}`;
        return { sql: `SELECT ${parts.join(', ')} FROM ${from}${text.where(scope, where)} LIMIT 1`, params: text.params };
    }
    /** Number of rows: per combination of `by`, or one number when it is empty. The number comes last. */
    count(table, by, where) {
        const text = this.text();
        const scope = text.scope(table);
        const columns = by.map((name) => text.column(scope, name));
        const from = `${this.dialect.quote(table)} AS ${scope.alias}${text.where(scope, where)}`;
        const group = by.length === 0 ? '' : ` GROUP BY ${columns.join(', ')}`;
        return { sql: `SELECT ${[...columns, 'COUNT(*)'].join(', ')} FROM ${from}${group}`, params: text.params };
    }
    /** Rows of the same columns, those of the first. */
    insert(table, rows) {
        const text = this.text();
        const { table: model } = text.scope(table);
        const names = Object.keys(rows[0]);
        if (names.length === 0)
            throw new TypeError(`A row of ${table} has no columns`);
        const columns = names.map((name) => columnOf(model, name));
        const tuples = rows.map((row) => {
            if (Object.keys(row).length !== names.length)
                throw new TypeError(`Rows of ${table} differ in their columns`);
            const values = columns.map((column) => text.bind(toBound(row[column.name], column)));
            return `(${values.join(', ')})`;
        });
        const quoted = names.map((name) => this.dialect.quote(name)).join(', ');
        return {
            sql: `INSERT INTO ${this.dialect.quote(table)} (${quoted}) VALUES ${tuples.join(', ')}`,
            params: text.params,
        };
    }
    update(table, set, where) {
        const text = this.text();
        const scope = text.scope(table);
        const changes = Object.entries(set).map(([name, change]) => {
            const column = columnOf(scope.table, name);
            const quoted = this.dialect.quote(name);
            if (change === null || typeof change !== 'object')
                return `${quoted} = ${text.bind(toBound(change, column))}`;
            return `${quoted} = ${text.column(scope, name)} + ${text.bind(toBound(change.increment, column))}`;
        });
        const head = `UPDATE ${this.dialect.quote(table)} AS ${scope.alias} SET ${changes.join(', ')}`;
        return { sql: head + text.where(scope, where), params: text.params };
    }
    delete(table, where) {
        const text = this.text();
        const scope = text.scope(table);
        return { sql: this.dialect.deleteFrom(table, scope.alias) + text.where(scope, where), params: text.params };
    }
    /** The model of a table. Throws on an unknown name. */
    table(name) {
        return this.text().scope(name).table;
    }
    head(text, scope, columns) {
        const table = scope.table.name;
        const known = this.heads.get(columns)?.get(table);
        if (known !== undefined)
            return known;
        const list = columns.map((name) => text.column(scope, name)).join(', ');
        const head = `SELECT ${list} FROM ${this.dialect.quote(table)} AS ${scope.alias}`;
        if (Object.isFrozen(columns))
            this.heads.set(columns, new Map(this.heads.get(columns)).set(table, head));
        return head;
    }
    text() {
        return new SqlText(this.dialect, this.tables);
    }
}
