// The tables of the word index, and the statements about them.
import { crc32 } from 'node:zlib';
import type { Bound, Statement } from '../sql/connection.js';
import { successor } from '../sql/predicate-sql.js';
import { quote } from './ddl.js';
import { LONGEST, type Pattern } from './words.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

const MAX_NAME = 160;

/**
 * The words of all texts, once per suffix, so that a range scan finds the words that contain a string. No word is ever
 * deleted. Rows with an empty `ending` are about columns (`word-places.ts`).
 */
export const WORDS: TableModel = {
  name: 'typecase_words',
  columns: new Map<string, ColumnModel>([
    ['ending', { name: 'ending', kind: 'varchar', length: LONGEST, primary: true, binary: true }],
    ['word', { name: 'word', kind: 'varchar', length: MAX_NAME, primary: true, binary: true }],
  ]),
  indexes: new Map(),
  counted: [],
};

/**
 * The items of each word of a column, by a number that stands for both: at least those whose text has the word. Word 0
 * lists the numbers of frequent words, whose items are not listed completely.
 */
export const WORD_ITEMS: TableModel = {
  name: 'typecase_word_items',
  columns: new Map<string, ColumnModel>([
    ['word', { name: 'word', kind: 'integer', primary: true }],
    ['item', { name: 'item', kind: 'integer', primary: true }],
  ]),
  indexes: new Map(),
  counted: [],
};

/** The word under which frequent words are listed. */
export const FREQUENT = 0;
/**
 * Maximum number of rows or words of one statement. More than `MULTIPLE` are padded to a multiple of it, so that few
 * distinct statements occur.
 */
const MAX_ROWS = 512;
const MULTIPLE = 16;

const [words, items] = [quote(WORDS.name), quote(WORD_ITEMS.name)];

/** Word numbers per column: one per 32-bit checksum. */
const NUMBERS = 2 ** 32;

/** Base of the word numbers of a column; two columns share no number. */
export function placeOf(column: number): number {
  return column * NUMBERS;
}

/** The number of a word of a column. Words of one column with the same checksum are found together. */
export function numberOf(place: number, word: string): number {
  return place + crc32(word);
}

/**
 * The numbers of the words of a text. A text with too many words gets the number of the empty word, which every search
 * includes.
 */
export function numbersOf(place: number, words: ReadonlySet<string> | undefined): number[] {
  if (!words) return [numberOf(place, '')];
  return [...new Set(Array.from(words, (word) => numberOf(place, word)))];
}

/** Inserts the rows that are missing. */
export function insertMissing(table: TableModel, rows: readonly (readonly [Bound, Bound])[]): Statement[] {
  const names = [...table.columns.keys()].map(quote).join(', ');
  const statements: Statement[] = [];
  for (let at = 0; at < rows.length; at += MAX_ROWS) {
    const some = pad(rows.slice(at, at + MAX_ROWS));
    const sql = `INSERT IGNORE INTO ${quote(table.name)} (${names}) VALUES ${some.map(() => '(?, ?)').join(', ')}`;
    statements.push({ sql, params: some.flat() });
  }
  return statements;
}

/** Removes words from an item. */
export function deleteWords(item: number, numbers: readonly number[]): Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < numbers.length; at += MAX_ROWS) {
    const some = pad(numbers.slice(at, at + MAX_ROWS));
    const sql = `DELETE FROM ${items} WHERE item = ? AND word IN (${some.map(() => '?').join(', ')})`;
    statements.push({ sql, params: [item, ...some] });
  }
  return statements;
}

/** Selects those of the words that are in the table. */
export function selectKnown(some: readonly string[]): Statement {
  const all = pad(some);
  const sql = `SELECT word FROM ${words} WHERE ending IN (${all.map(() => '?').join(', ')}) AND word = ending`;
  return { sql, params: all };
}

/** Selects the position of each pattern with some of the words that match it, and whether each is frequent. */
export function selectMatches(patterns: readonly { place: number; pattern: Pattern }[], limit: number): Statement {
  const params: Bound[] = [];
  const parts = patterns.map(({ place, pattern }, at) => {
    params.push(place);
    const frequent = `EXISTS (SELECT 1 FROM ${items} AS f WHERE f.word = ${FREQUENT} AND f.item = ? + CRC32(w.word))`;
    const where = conditionOf(pattern, params);
    return `(SELECT ${at} AS n, w.word, ${frequent} AS frequent FROM ${words} AS w WHERE ${where} LIMIT ${limit})`;
  });
  return { sql: parts.join(' UNION ALL '), params };
}

function conditionOf({ how, word }: Pattern, params: Bound[]): string {
  const is = (column: string): string => {
    params.push(word);
    return `w.${column} = ?`;
  };
  const begins = (column: string): string => {
    params.push(word, successor(word)!);
    return `w.${column} >= ? AND w.${column} < ?`;
  };
  if (how === 'has') return begins('ending');
  if (how === 'ends') return is('ending');
  return how === 'is' ? `${is('ending')} AND ${is('word')}` : `${begins('ending')} AND ${begins('word')}`;
}

function pad<T>(rows: readonly T[]): T[] {
  const size = rows.length < MULTIPLE ? rows.length : Math.ceil(rows.length / MULTIPLE) * MULTIPLE;
  return [...rows, ...Array<T>(size - rows.length).fill(rows.at(-1)!)];
}
