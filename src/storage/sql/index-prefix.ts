// Index prefixes: how many characters of each column an index contains, because databases limit the length of a key.
import { columnOf } from './predicate-sql.js';
import type { ColumnModel, IndexModel, TableModel } from '../../model/table.js';

/** Columns up to this many characters are indexed completely. */
const MAX_WHOLE_CHARACTERS = 191;
/** Counted columns up to this many characters are expected to hold short names. */
const MAX_COUNTED_CHARACTERS = 255;

/**
 * Characters to index of the columns that are too long for a key of `maxBytes` bytes; the others are indexed
 * completely. `measured`: the database limits the actual length of values, not their maximum.
 */
export function indexPrefixes(
  table: TableModel,
  index: IndexModel,
  maxBytes: number,
  measured = false,
): Map<string, number> {
  const columns = index.columns.map((name) => columnOf(table, name));
  // Counted columns hold short names that are also keys of the row counts: a database that measures actual values
  // indexes them completely. Prefixes serve neither sorting nor, on PostgreSQL, comparisons.
  const isShort = (column: ColumnModel): boolean =>
    measured && table.counted.includes(column.name) && charactersOf(column) <= MAX_COUNTED_CHARACTERS;
  const bytes = (column: ColumnModel): number => (isShort(column) ? charactersOf(column) + 3 : keyBytes(column));
  if (columns.reduce((sum, column) => sum + bytes(column), 0) <= maxBytes) return new Map();
  const long = columns.filter(
    (column) => charactersOf(column) > MAX_WHOLE_CHARACTERS && bytes(column) === keyBytes(column),
  );
  const rest = columns.filter((column) => !long.includes(column)).reduce((sum, column) => sum + bytes(column), 0);
  const share = Math.max(20, Math.floor((maxBytes - rest) / Math.max(1, long.length) / 4) - 1);
  return new Map(long.filter((column) => charactersOf(column) > share).map((column) => [column.name, share]));
}

function keyBytes(column: ColumnModel): number {
  // At most four bytes per character, two for the length, one for NULL.
  return charactersOf(column) === 0 ? 9 : charactersOf(column) * 4 + 3;
}

/** Maximum characters of a column; 0 for numbers. */
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
