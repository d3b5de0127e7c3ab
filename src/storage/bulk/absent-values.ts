// Values that no row has in a column: asked for together, and kept in step with what the transaction writes.
import type { Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';

/** See above. Valid while nobody else writes. */
export class AbsentValues {
  /** Absent values by column, by table. */
  private readonly tables = new Map<string, Map<string, Set<Scalar>>>();

  /** Notes that the table has none of these values in the column. */
  note(table: string, column: string, values: Iterable<Scalar>): void {
    const columns = this.tables.get(table) ?? new Map<string, Set<Scalar>>();
    this.tables.set(table, columns);
    columns.set(column, new Set([...(columns.get(column) ?? []), ...values]));
  }

  /** Whether a value is certainly absent. */
  has(table: string, column: string, value: Scalar): boolean {
    return this.tables.get(table)?.get(column)?.has(value) ?? false;
  }

  /** Takes out what is about to be written. */
  written(table: string, row: Row): void {
    for (const [column, values] of this.tables.get(table) ?? []) {
      values.delete(row[column]);
    }
  }
}
