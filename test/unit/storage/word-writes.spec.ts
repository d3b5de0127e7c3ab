// What a changed text adds to the index of words and takes away from it: afterwards exactly its words are listed.
import { describe, expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import type { TableModel } from '../../../src/model/table.js';
import { deleteNumbers } from '../../../src/storage/mysql/changed-words.js';
import { KnownWords } from '../../../src/storage/mysql/known-words.js';
import { Frequencies } from '../../../src/storage/mysql/word-frequencies.js';
import type { Places } from '../../../src/storage/mysql/word-places.js';
import { numbersOf, placeOf } from '../../../src/storage/mysql/word-tables.js';
import { WordWrites } from '../../../src/storage/mysql/word-writes.js';
import { wordsOf } from '../../../src/storage/mysql/words.js';
import type { Statements } from '../../../src/storage/sql/statements.js';

const PLACE = placeOf(3);
const ITEM = 7;
const BOOKS: TableModel = { name: 'books', columns: new Map(), indexes: new Map(), counted: [] };
const places = { columnsOf: () => ['text'], of: () => PLACE, isComplete: () => true } as unknown as Places;

/** Two words with the same checksum, so the same number. */
const TWINS = ['plumless', 'buckeroo'] as const;
const word = fc.constantFrom('the', 'The', 'then', 'a', 'été', '漢字', '東', '2026', 'x'.repeat(40), ...TWINS);
const joint = fc.constantFrom(' ', ' ', '\n', '-', '.', "'", ', ', '\u{2014}');
const text = fc.array(fc.tuple(word, joint), { maxLength: 14 }).map((parts) => parts.flat().join(''));
/** Mostly the same text with something else in the middle. */
const change = fc.oneof(
  fc.tuple(text, text, text, text).map(([start, from, to, end]) => [start + from + end, start + to + end] as const),
  fc.tuple(text, text),
);

const listed = (of: string): number[] => numbersOf(PLACE, wordsOf(of)).sort();

/** Numbers that are listed for the item after a change, as its statements leave them. */
function changed(before: string, after: string): { left: number[]; words: string[] } {
  const writes = new WordWrites({} as Statements, places, new KnownWords(), new Frequencies());
  writes.drop(BOOKS, ITEM, { text: before });
  writes.add(BOOKS, ITEM, { text: after });
  const numbers = new Set(listed(before));
  const words: string[] = [];
  for (const { sql, params } of writes.take()) {
    if (sql.startsWith('DELETE')) params.slice(1).forEach((number) => numbers.delete(Number(number)));
    else if (sql.includes('typecase_word_items'))
      params.forEach((number, at) => at % 2 === 0 && numbers.add(Number(number)));
    else params.forEach((each, at) => at % 2 === 1 && words.push(String(each)));
  }
  return { left: [...numbers].sort(), words };
}

describe('a changed text', () => {
  it('has exactly its own words in the index, new ones included', () => {
    expect(crc32(TWINS[0])).toBe(crc32(TWINS[1]));
    fc.assert(
      fc.property(change, ([before, after]) => {
        const { left, words } = changed(before, after);
        expect(left).toEqual(listed(after));
        const had = wordsOf(before)!;
        for (const each of wordsOf(after)!) if (!had.has(each)) expect(words).toContain(each);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['another word has the same number as the removed one', 'buckeroo and plumless', 'and plumless'],
    ['the rest of the text has letters of other scripts', 'buckeroo is 漢字 plumless', 'is 漢字 plumless'],
    [
      'the rest of the text has a very long word',
      `buckeroo is ${'x'.repeat(40)} plumless`,
      `is ${'x'.repeat(40)} plumless`,
    ],
  ])('keeps the entry of a word where %s', (_, before, after) => {
    expect(changed(before, after).left).toEqual(listed(after));
  });

  it('with more words than are indexed is listed under the empty word, until it shrinks', () => {
    const many = Array.from({ length: 21_000 }, (_, at) => at.toString(36)).join(' ');
    expect(changed('the few', `${many} the few`).left).toEqual([PLACE]);
    expect(changed(`${many} the few`, 'the few').left).toEqual(listed('the few'));
  });
});

describe('unchanged words', () => {
  it('are found by checksums as by splitting the text', () => {
    const plain = fc.oneof(text, fc.string({ maxLength: 80 }));
    fc.assert(
      fc.property(plain, fc.string({ maxLength: 3 }), (whole, other) => {
        const numbers = new Set([...listed(whole), ...listed(`${other}q`)]);
        const expected = [...numbers].filter((number) => !listed(whole).includes(number));
        deleteNumbers(PLACE, whole, numbers);
        expect([...numbers]).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
