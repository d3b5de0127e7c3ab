// Formats EXPLAIN of MySQL and MariaDB as short lines.
import type { Bound } from '../sql/connection.js';
import { planLine } from '../sql/plan-line.js';

const MATERIALIZED = /^<subquery\d+>$/;

/** Rows of `EXPLAIN`: ten columns on MariaDB; MySQL has `partitions` after the table and `filtered` after the rows. */
export function planLines(rows: readonly Bound[][]): string[] {
  return rows.flatMap((row) => {
    const [, kind, table, ...rest] = row;
    const [type, , key, , , count] = row.length > 10 ? rest.slice(1) : rest;
    const extra = String(row.at(-1) ?? '');
    // `Impossible WHERE` and the like access no table.
    if (table === null) return [extra];
    // A materialized subquery; its own tables follow.
    if (MATERIALIZED.test(String(table))) return [];
    const step = planLine({
      table: String(table),
      index: key === null || key === undefined ? undefined : String(key),
      entered: type !== 'ALL' && type !== 'index',
      rows: count === null || count === undefined ? undefined : Number(count),
    });
    const below = /SUBQUERY/.test(String(kind)) ? '  ' : '';
    return [below + step, ...(/filesort/.test(extra) ? [`${below}SORT`] : [])];
  });
}
