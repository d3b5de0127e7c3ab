// What is added to columns of single rows in one transaction, written at its end.

/** What is added to a column of a row. */
export interface Sum {
  table: string;
  id: number;
  column: string;
  delta: number;
}

/** See above. */
export class Sums {
  private readonly sums = new Map<string, Sum>();

  add(table: string, id: number, column: string, delta: number): void {
    const key = `${table} ${column} ${id}`;
    const sum = this.sums.get(key);
    if (sum) sum.delta += delta;
    else this.sums.set(key, { table, id, column, delta });
  }

  /** What is to be written, in an order common to all transactions. */
  take(): Sum[] {
    const sums = [...this.sums.values()].filter((sum) => sum.delta !== 0);
    this.sums.clear();
    return sums.sort((a, b) => compare(a.table, b.table) || a.id - b.id || compare(a.column, b.column));
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
