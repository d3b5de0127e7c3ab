import { pinsOf, sumCounters } from './counters.js';
import { VersionCache } from './version-cache.js';
const REMEMBERED = 5_000;
/** Reads that see what the connection sees. Base of transactions; remembers nothing. */
export class SqlReader {
    db;
    statements;
    constructor(db, statements) {
        this.db = db;
        this.statements = statements;
    }
    async select(query) {
        const { sql, params } = this.statements.select(query);
        const rows = await this.db.rows(sql, params);
        return rows.map((values) => rowOf(query.columns, values));
    }
    async first(table, columns, where, checks = {}) {
        const { sql, params } = this.statements.first(table, columns, where, Object.values(checks));
        const [values] = await this.db.rows(sql, params);
        return values && rowOf([...columns, ...Object.keys(checks)], values);
    }
    async count(table, where) {
        if (where.op === 'false')
            return 0;
        const model = this.statements.table(table);
        const pins = pinsOf(model, where);
        const known = pins && (await sumCounters(this.db, this.statements, model, pins));
        if (known !== undefined)
            return known;
        const { sql, params } = this.statements.count(table, [], where);
        const [row] = await this.db.rows(sql, params);
        return Number(row[0]);
    }
    async countBy(table, by, where) {
        const { sql, params } = this.statements.count(table, [by], where);
        const rows = await this.db.rows(sql, params);
        return new Map(rows.map(([value, n]) => [value, Number(n)]));
    }
}
/** Reads of committed data; counts are exact and asked once per state of the data. */
export class RememberingReader extends SqlReader {
    counts = new VersionCache(REMEMBERED);
    groups = new VersionCache(REMEMBERED);
    async count(table, where) {
        if (where.op === 'false')
            return 0;
        return this.remembered(this.counts, this.key(table, [], where), () => super.count(table, where));
    }
    async countBy(table, by, where) {
        const key = this.key(table, [by], where);
        return new Map(await this.remembered(this.groups, key, () => super.countBy(table, by, where)));
    }
    async remembered(cache, key, ask) {
        // Read before asking: what is asked is then at least as new as the version it is kept under.
        const version = await this.version();
        if (version === undefined)
            return ask();
        const known = cache.get(version, key);
        if (known !== undefined)
            return known;
        const answer = await ask();
        cache.set(version, key, answer);
        return answer;
    }
    key(table, by, where) {
        const { sql, params } = this.statements.count(table, by, where);
        return `${sql}\n${JSON.stringify(params)}`;
    }
    async version() {
        const sql = this.statements.dialect.dataVersion;
        return sql === undefined ? undefined : (await this.db.rows(sql, []))[0]?.[0];
    }
}
function rowOf(columns, values) {
    const row = {};
    for (let i = 0; i < columns.length; i++)
        row[columns[i]] = values[i];
    return row;
}
