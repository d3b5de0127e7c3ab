// Values known to be absent from a column: looked up in batches, and updated by the writes of the transaction.
import type { Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';

/** The known absent values of one transaction. Valid only while no other transaction writes. */
export class AbsentValues {
  /** Absent values by column, by table. */
  private readonly tables = new Map<string, Map<string, Set<Scalar>>>();

  /** Records that the table has none of these values in the column. */
  add(table: string, column: string, values: Iterable<Scalar>): void {
    const columns = this.tables.get(table) ?? new Map<string, Set<Scalar>>();
    this.tables.set(table, columns);
    columns.set(column, new Set([...(columns.get(column) ?? []), ...values]));
  }

  /** Whether a value is certainly absent. */
  has(table: string, column: string, value: Scalar): boolean {
    return this.tables.get(table)?.get(column)?.has(value) ?? false;
  }

  /** Removes the values of a row that is about to be written. */
  remove(table: string, row: Row): void {
    for (const [column, values] of this.tables.get(table) ?? []) {
      values.delete(row[column]);
    }
  }
}
