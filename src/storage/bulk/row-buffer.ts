// Rows of one table that a transaction has not sent yet.
import type { Row } from '../../model/query.js';

/** The buffered rows of one table. */
export class RowBuffer {
  /** Rows by their columns, in order: an INSERT takes only rows with the same columns. */
  private readonly byColumns = new Map<string, Row[]>();
  private readonly byId = new Map<number, Row>();
  /** Number of characters of all texts. */
  characters = 0;

  add(row: Row): void {
    const columns = Object.keys(row).join();
    const group = this.byColumns.get(columns);
    if (group) group.push(row);
    else this.byColumns.set(columns, [row]);
    if (typeof row['id'] === 'number') this.byId.set(row['id'], row);
    for (const name in row) if (typeof row[name] === 'string') this.characters += row[name].length;
  }

  /** The row with this id. */
  find(id: number): Row | undefined {
    return this.byId.get(id);
  }

  /** Groups of rows with the same columns. */
  groups(): Iterable<Row[]> {
    return this.byColumns.values();
  }
}
