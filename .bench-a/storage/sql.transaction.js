import { toBound } from './binding.js';
import { combinationOf, COUNTS, scopeOf } from './counters.js';
import { SqlReader } from './sql.reader.js';
import { columnOf } from './sql-text.js';
// Parameters of one INSERT; every database takes as many.
const MOST_PARAMS = 8_000;
/** A transaction on a connection that a store has begun and will commit or roll back. */
export class SqlTransaction extends SqlReader {
    /** What `after` was given, in order. */
    afterwards = [];
    counts = new Map();
    sums = new Map();
    over = false;
    constructor(connection, statements) {
        // Work that was not awaited must not reach the next transaction on this connection.
        const guarded = () => {
            if (this.over)
                throw new Error('The transaction is over: a read or write of it was not awaited');
            return connection;
        };
        super({ rows: (sql, params) => guarded().rows(sql, params), run: (sql, params) => guarded().run(sql, params) }, statements);
    }
    async insert(table, row) {
        const model = this.statements.table(table);
        const id = await this.insertRows(model, [row]);
        return model.columns.has('id') ? id : 0;
    }
    async insertMany(table, rows) {
        if (rows.length === 0)
            return;
        const model = this.statements.table(table);
        const size = Math.max(1, Math.floor(MOST_PARAMS / Object.keys(rows[0]).length));
        for (let i = 0; i < rows.length; i += size)
            await this.insertRows(model, rows.slice(i, i + size));
    }
    async update(table, set, where) {
        if (Object.keys(set).length === 0)
            return this.count(table, where);
        const model = this.statements.table(table);
        const moves = model.counted.some((name) => name in set);
        const before = moves ? await this.combinations(model, where) : [];
        const { sql, params } = this.statements.update(table, set, where);
        const { changes } = await this.db.run(sql, params);
        for (const [values, n] of before) {
            this.move(model, values, -n);
            this.move(model, this.changed(model, values, set), n);
        }
        return changes;
    }
    async delete(table, where) {
        const model = this.statements.table(table);
        const before = model.counted.length > 0 ? await this.combinations(model, where) : [];
        const { sql, params } = this.statements.delete(table, where);
        const { changes } = await this.db.run(sql, params);
        for (const [values, n] of before)
            this.move(model, values, -n);
        return changes;
    }
    add(table, id, column, delta) {
        const model = this.statements.table(table);
        if (model.counted.includes(columnOf(model, column).name))
            throw new TypeError(`${table}.${column} is counted`);
        const key = JSON.stringify([table, column, id]);
        const sum = this.sums.get(key) ?? { table, id, column, delta: 0 };
        this.sums.set(key, { ...sum, delta: sum.delta + delta });
    }
    after(run) {
        this.afterwards.push(run);
    }
    async count(table, where) {
        await this.flushCounts();
        return super.count(table, where);
    }
    /** Writes what was accumulated, in an order that every transaction shares. Called before COMMIT. */
    async flush() {
        const sums = [...this.sums.values()].filter((sum) => sum.delta !== 0);
        sums.sort((a, b) => compare(a.table, b.table) || a.id - b.id || compare(a.column, b.column));
        for (const { table, id, column, delta } of sums) {
            await this.update(table, { [column]: { increment: delta } }, { op: 'eq', column: 'id', value: id });
        }
        this.sums.clear();
        await this.flushCounts();
    }
    /** After this every read and write of the transaction throws. */
    end() {
        this.over = true;
    }
    async insertRows(model, rows) {
        const { sql, params } = this.statements.insert(model.name, rows);
        const { id } = await this.db.run(sql, params);
        if (model.counted.length > 0)
            for (const row of rows)
                this.move(model, combinationOf(model, row), 1);
        return id;
    }
    async combinations(model, where) {
        const { sql, params } = this.statements.count(model.name, model.counted, where);
        const rows = await this.db.rows(sql, params);
        return rows.map((row) => [row.slice(0, -1), Number(row.at(-1))]);
    }
    changed(model, values, set) {
        return model.counted.map((name, i) => (name in set ? toBound(set[name], columnOf(model, name)) : values[i]));
    }
    move(model, values, delta) {
        const scope = scopeOf(model, values);
        this.counts.set(scope, (this.counts.get(scope) ?? 0) + delta);
    }
    async flushCounts() {
        const deltas = [...this.counts].filter(([, delta]) => delta !== 0).sort(([a], [b]) => compare(a, b));
        this.counts.clear();
        const sql = this.statements.dialect.addToCount(COUNTS.name);
        for (const [scope, delta] of deltas)
            await this.db.run(sql, [scope, delta]);
    }
}
function compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}
