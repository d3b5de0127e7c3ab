/** The lines of EXPLAIN QUERY PLAN: `SEARCH a0 USING INDEX …`. */
export function explainQuery(store, query) {
    const { sql, params } = store.statements.select(query);
    const rows = store.readConnection.rows(`EXPLAIN QUERY PLAN ${sql}`, params);
    return rows.map((row) => String(row.at(-1)));
}
//# sourceMappingURL=explain.js.map