// Numbers that a transaction adds to columns of single rows, written at its end.

/** A number to add to a column of a row. */
export interface Sum {
  table: string;
  id: number;
  column: string;
  delta: number;
}

/** The sums of one transaction. */
export class Sums {
  private readonly sums = new Map<string, Sum>();

  add(table: string, id: number, column: string, delta: number): void {
    const key = `${table} ${column} ${id}`;
    const sum = this.sums.get(key);
    if (sum) sum.delta += delta;
    else this.sums.set(key, { table, id, column, delta });
  }

  /** The pending sums, in an order common to all transactions. */
  take(): Sum[] {
    const sums = [...this.sums.values()].filter((sum) => sum.delta !== 0);
    this.sums.clear();
    return sums.sort((a, b) => compare(a.table, b.table) || a.id - b.id || compare(a.column, b.column));
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
