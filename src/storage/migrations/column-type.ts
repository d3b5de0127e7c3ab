// Normalized column types, as far as migrations distinguish them, from the type names of a database.
import type { ColumnType } from '../sql/migration-dialect.js';

const TEXTS: Record<string, number> = { tinytext: 63, mediumtext: 4_194_303, longtext: 1_000_000_000 };

/** The normalized type of a column; `database` is the name of the dialect. */
export function columnTypeOf(type: string, database: string): ColumnType {
  const word = type.toLowerCase().trim();
  const length = /char[a-z ]*\((\d+)\)/.exec(word)?.[1];
  if (length !== undefined) return { family: 'text', capacity: Number(length), loose: false };
  if (/text|char|clob/.test(word)) {
    const capacity = database === 'mysql' ? (TEXTS[word] ?? 16_383) : 1_000_000_000;
    return { family: 'text', capacity, loose: database === 'mysql' && word === 'text' };
  }
  if (/^(bool|smallint|tinyint)/.test(word)) return { family: 'boolean', capacity: 0, loose: false };
  if (/int/.test(word))
    return { family: 'integer', capacity: database === 'sqlite' || word.startsWith('big') ? 2 : 1, loose: false };
  const digits = /^(?:decimal|numeric)\((\d+),\s*(\d+)\)/.exec(word);
  if (digits) return { family: 'decimal', capacity: Number(digits[1]), scale: Number(digits[2]), loose: false };
  return { family: /^(doub|real|floa)/.test(word) ? 'double' : 'other', capacity: 0, loose: false };
}

/** Whether no change is needed from one type to the other. */
export function sameColumnType(a: ColumnType, b: ColumnType): boolean {
  return a.family === b.family && a.capacity === b.capacity && a.scale === b.scale;
}
