// What statements run on: one database connection that answers rows as arrays. Implemented once per driver, used by readers and transactions.
/** A unique index refused a row. The only form in which drivers' duplicate-key errors leave this room. */
export class UniqueViolation extends Error {
    table;
    columns;
    /** The engine knows it by this name, since it may not import this room. */
    name = 'UniqueViolation';
    constructor(table, columns) {
        super(`Duplicate value in ${table} (${columns.join(', ')})`);
        this.table = table;
        this.columns = columns;
    }
}
