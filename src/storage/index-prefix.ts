// How much of each column goes into an index: databases bound the length of a key. Called by the dialects of servers.
import type { ColumnModel, IndexModel, TableModel } from '../model/model.js';
import { columnOf } from './sql-text.js';

/** Columns up to this many characters go into keys whole. */
const WHOLE = 191;

/**
 * Characters to index of the columns that are too long for a key of `most` bytes; the others are indexed whole. `measured`: what
 * counts is how long values are, not how long they may be.
 */
export function indexPrefixes(
  table: TableModel,
  index: IndexModel,
  most: number,
  measured = false,
): Map<string, number> {
  const columns = index.columns.map((name) => columnOf(table, name));
  // Counted columns hold names from a short list, which counters have in their keys: a database that measures values, not lengths,
  // takes them whole. Cut columns serve neither orders nor, on PostgreSQL, comparisons.
  const bytes = (column: ColumnModel): number =>
    measured && table.counted.includes(column.name) ? charactersOf(column) + 3 : keyBytes(column);
  if (columns.reduce((sum, column) => sum + bytes(column), 0) <= most) return new Map();
  const long = columns.filter((column) => charactersOf(column) > WHOLE && bytes(column) === keyBytes(column));
  const rest = columns.filter((column) => !long.includes(column)).reduce((sum, column) => sum + bytes(column), 0);
  const share = Math.max(20, Math.floor((most - rest) / Math.max(1, long.length) / 4) - 1);
  return new Map(long.filter((column) => charactersOf(column) > share).map((column) => [column.name, share]));
}

function keyBytes(column: ColumnModel): number {
  // Four bytes a character at most, two for the length, one for null.
  return charactersOf(column) === 0 ? 9 : charactersOf(column) * 4 + 3;
}

/** Most characters a column holds; 0 for numbers. */
export function charactersOf(column: ColumnModel): number {
  switch (column.kind) {
    case 'varchar':
      return column.length ?? 255;
    case 'datetime':
      return 19;
    case 'text':
    case 'json':
      return 4_000_000_000;
    default:
      return 0;
  }
}
