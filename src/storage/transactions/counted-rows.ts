// Changes of the maintained row counts in one transaction, written at its end.
import type { Change, Row } from '../../model/query.js';
import { toBound } from '../sql/bind-value.js';
import type { Bound, Statement } from '../sql/connection.js';
import type { Dialect } from '../sql/dialect.js';
import { columnOf } from '../sql/predicate-sql.js';
import { combinationOf, COUNTS, scopeOf, stripeOf } from '../sql/row-counts.js';
import type { TableModel } from '../../model/table.js';

/** Maximum number of row counts that one statement changes. */
const MAX_COUNTS = 100;

/** Rows per combination of the values of the counted columns. */
export type Combinations = readonly [values: Bound[], rows: number][];

/** The count changes of one transaction. */
export class CountedRows {
  private readonly deltas = new Map<string, number>();

  constructor(private readonly dialect: Pick<Dialect, 'addTo'>) {}

  recordInsert(model: TableModel, rows: readonly Row[]): void {
    if (model.counted.length > 0) for (const row of rows) this.move(model, combinationOf(model, row), 1);
  }

  recordDelete(model: TableModel, before: Combinations): void {
    for (const [values, n] of before) this.move(model, values, -n);
  }

  recordUpdate(model: TableModel, before: Combinations, set: Record<string, Change>): void {
    this.recordDelete(model, before);
    for (const [values, n] of before) {
      const after = model.counted.map((name, i) =>
        name in set ? toBound(set[name], columnOf(model, name)) : values[i]!,
      );
      this.move(model, after, n);
    }
  }

  /** The pending changes, in an order common to all transactions. */
  take(stripe: number): Statement[] {
    const deltas = [...this.deltas].filter(([, delta]) => delta !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
    this.deltas.clear();
    const written: Statement[] = [];
    for (let at = 0; at < deltas.length; at += MAX_COUNTS) {
      const some = deltas.slice(at, at + MAX_COUNTS);
      const params = some.flatMap(([scope, delta]) => [stripeOf(scope, stripe), delta]);
      written.push({ sql: this.dialect.addTo(COUNTS.name, ['scope', 'n'], some.length), params });
    }
    return written;
  }

  private move(model: TableModel, values: readonly Bound[], delta: number): void {
    const scope = scopeOf(model, values);
    this.deltas.set(scope, (this.deltas.get(scope) ?? 0) + delta);
  }
}
