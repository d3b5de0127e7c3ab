// Derives from a condition which words the rows that satisfy it must have.
import type { Predicate } from '../../model/query.js';
import type { Places } from './word-places.js';
import { type Pattern, patternsOf } from './words.js';

/** A pattern for the words of a column. */
export interface WordPattern {
  place: number;
  pattern: Pattern;
}

/** Patterns: every row that satisfies the condition has a word for at least one of them. */
export type Cover = readonly WordPattern[];

/** The covers of a condition: every row that satisfies it matches each of them. */
export function coversOf(table: string, where: Predicate, places: Places): Cover[] {
  if (where.op === 'contains') {
    const place = places.of(table, where.column);
    if (place === undefined || !places.isComplete(table, where.column)) return [];
    return patternsOf(where.value).map((pattern) => [{ place, pattern }]);
  }
  if (where.op === 'and') return where.of.flatMap((part) => coversOf(table, part, places));
  if (where.op !== 'or') return [];
  const best = where.of.map((part) => longest(coversOf(table, part, places)));
  return best.every((cover) => cover !== undefined) ? [best.flat()] : [];
}

/** The covers whose words are likely to be the rarest. */
export function rarest(covers: readonly Cover[], max: number): Cover[] {
  return [...covers].sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, max);
}

function longest(covers: readonly Cover[]): Cover | undefined {
  return rarest(covers, 1)[0];
}

function lengthOf(cover: Cover): number {
  return Math.min(...cover.map(({ pattern }) => pattern.word.length));
}
