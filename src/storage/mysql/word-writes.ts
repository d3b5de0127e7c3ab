// What one transaction writes to the word index, at its end: new words, then the items of words. A transaction that is
// rolled back leaves no entries, and relies only on committed words of others.
import { and, type Predicate, type Row } from '../../model/query.js';
import type { Connection, Statement } from '../sql/connection.js';
import type { Statements } from '../sql/statements.js';
import type { TextWrites } from '../sql/scans.js';
import type { Frequencies } from './word-frequencies.js';
import type { KnownWords } from './known-words.js';
import type { Places } from './word-places.js';
import { deleteNumbers, sharedEnds } from './changed-words.js';
import {
  insertMissing,
  FREQUENT,
  selectKnown,
  numberOf,
  numbersOf,
  deleteWords,
  WORD_ITEMS,
  WORDS,
} from './word-tables.js';
import { endsOf, MAX_WORDS, wordsOf } from './words.js';
import type { TableModel } from '../../model/table.js';

/** Maximum number of pending entries; a load writes thousands of items in a transaction. */
const MAX_PENDING = 20_000;
/** Rows whose texts are read at a time. */
const ROWS = 100;
/**
 * More new words than this are looked up before they are inserted: most will exist, and each takes a row per suffix.
 */
const MANY_NEW = 16;
const LOOKUP_BATCH = 512;
/** Words up to this length are not looked up: they have few suffixes, and very many words end in them. */
const SHORT = 3;

/** The pending change of an entry. `drop`: it was to be added, and has been removed again. */
type State = 'add' | 'remove' | 'drop';

/** See `TextWrites`. */
export class WordWrites implements TextWrites {
  /** Pending changes by item, then by number of the word. */
  private readonly waiting = new Map<number, Map<number, State>>();
  private entries = 0;
  /** Texts that will be changed, by number of their column and item; all their words are listed. */
  private readonly oldTexts = new Map<string, string>();
  private readonly words = new Set<string>();
  private readonly written = new Set<string>();
  private readonly frequent = new Set<number>();

  constructor(
    private readonly statements: Statements,
    private readonly places: Places,
    private readonly known: KnownWords,
    private readonly frequencies: Frequencies,
  ) {}

  columnsOf(table: TableModel, set?: Row): readonly string[] {
    return this.places.columnsOf(table).filter((name) => !set || name in set);
  }

  add(table: TableModel, id: number, row: Row): void {
    for (const column of this.columnsOf(table, row)) {
      const place = this.places.of(table.name, column)!;
      const text = String(row[column] ?? '');
      const key = `${place} ${id}`;
      const before = this.oldTexts.get(key);
      this.oldTexts.delete(key);
      if (before === undefined) this.list(id, place, wordsOf(text));
      else this.replaceText(id, place, before, text);
    }
  }

  drop(table: TableModel, id: number, row: Row): void {
    for (const column of this.columnsOf(table, row)) {
      const place = this.places.of(table.name, column)!;
      const text = String(row[column] ?? '');
      // The old text is fully indexed, unless this transaction wrote it or its column is not completely indexed yet.
      if (this.places.isComplete(table.name, column) && !this.waiting.has(id))
        this.oldTexts.set(`${place} ${id}`, text);
      else this.removeWords(id, place, wordsOf(text));
    }
  }

  private list(id: number, place: number, words: ReadonlySet<string> | undefined): void {
    const numbers = numbersOf(place, words);
    this.addCandidates(words ?? []);
    if (words) this.frequencies.count(place, numbers);
    for (const each of numbers) if (!this.frequencies.has(each)) this.change(id, each, 'add');
  }

  /** Removes the words of a deleted row. */
  private removeRow(table: TableModel, id: number, row: Row): void {
    for (const column of this.columnsOf(table, row))
      this.removeWords(id, this.places.of(table.name, column)!, wordsOf(String(row[column] ?? '')));
  }

  private removeWords(id: number, place: number, words: ReadonlySet<string> | undefined): void {
    for (const each of numbersOf(place, words)) this.change(id, each, 'remove');
  }

  /**
   * Replaces the words of a text. Only the parts between the common prefix and suffix are compared, as most words stay.
   */
  private replaceText(id: number, place: number, before: string, text: string): void {
    const { start, end } = isSmall(before) && isSmall(text) ? sharedEnds(before, text) : NOTHING_SHARED;
    const removed = wordsOf(before.slice(start, before.length - end));
    const words = wordsOf(text.slice(start, text.length - end));
    if (!removed || !words) {
      this.removeWords(id, place, removed);
      this.list(id, place, words);
      return;
    }
    const fresh = [...words].filter((word) => !removed.has(word));
    this.addCandidates(fresh);
    for (const word of fresh) {
      const number = numberOf(place, word);
      if (!this.frequencies.has(number)) this.change(id, number, 'add');
    }
    const unlisted = new Set<number>();
    for (const word of removed) if (!words.has(word)) unlisted.add(numberOf(place, word));
    if (unlisted.size === 0) return;
    // Words with the same number share an entry.
    for (const number of numbersOf(place, words)) unlisted.delete(number);
    for (const shared of [text.slice(0, start), text.slice(text.length - end)]) deleteNumbers(place, shared, unlisted);
    for (const number of unlisted) this.change(id, number, 'remove');
  }

  /** Collects the words of a text that may be new. */
  private addCandidates(words: Iterable<string>): void {
    for (const word of words) if (!this.known.has(word) && !this.written.has(word)) this.words.add(word);
  }

  async remove(
    db: Connection,
    table: TableModel,
    columns: readonly string[],
    where: Predicate,
    lock: boolean,
  ): Promise<number[]> {
    const ids: number[] = [];
    for (;;) {
      const after: Predicate = { op: 'gt', column: 'id', value: ids.at(-1) ?? 0 };
      const query = this.statements.select({
        table: table.name,
        columns: ['id', ...columns],
        where: ids.length > 0 ? and(where, after) : where,
        order: [{ column: 'id', direction: 'asc' }],
        limit: ROWS,
      });
      const rows = await db.rows(query.sql + (lock ? ' FOR UPDATE' : ''), query.params);
      for (const [id, ...texts] of rows) {
        ids.push(Number(id));
        const row = Object.fromEntries(columns.map((column, at) => [column, texts[at]]));
        if (lock) this.drop(table, Number(id), row);
        else this.removeRow(table, Number(id), row);
      }
      if (rows.length < ROWS) return ids;
      // Rows that will be changed are settled once their new texts are added.
      if (!lock) await this.settle(db);
    }
  }

  async settle(db: Connection): Promise<void> {
    const candidates = [...this.words].filter((word) => word.length > SHORT);
    if (candidates.length > MANY_NEW) {
      for (let at = 0; at < candidates.length; at += LOOKUP_BATCH)
        await this.lookUp(db, candidates.slice(at, at + LOOKUP_BATCH));
    }
    if (this.entries <= MAX_PENDING) return;
    for (const { sql, params } of this.take()) await db.run(sql, params);
  }

  private async lookUp(db: Connection, candidates: readonly string[]): Promise<void> {
    const { sql, params } = selectKnown(candidates);
    const found = (await db.rows(sql, params)).map(([word]) => String(word));
    this.known.add(found);
    for (const word of found) this.words.delete(word);
  }

  take(): Statement[] {
    const added: [number, number][] = [];
    const removed: Statement[] = [];
    for (const [item, states] of this.waiting) {
      const removals: number[] = [];
      for (const [word, state] of states) {
        if (state === 'add') added.push([word, item]);
        else if (state === 'remove') removals.push(word);
      }
      removed.push(...deleteWords(item, removals));
    }
    for (const word of this.frequencies.unwritten) {
      if (this.frequent.has(word)) continue;
      this.frequent.add(word);
      added.push([FREQUENT, word]);
    }
    this.waiting.clear();
    this.entries = 0;
    added.sort(([a, x], [b, y]) => a - b || x - y);
    return [...this.newWords(), ...removed, ...insertMissing(WORD_ITEMS, added)];
  }

  committed(): void {
    this.known.add(this.written);
    this.frequencies.addMarked(this.frequent);
  }

  private newWords(): Statement[] {
    const words = [...this.words].sort();
    this.words.clear();
    for (const word of words) this.written.add(word);
    const rows = words.flatMap((word) => endsOf(word).map((ending): [string, string] => [ending, word]));
    return insertMissing(
      WORDS,
      rows.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y)),
    );
  }

  private change(item: number, word: number, to: 'add' | 'remove'): void {
    let states = this.waiting.get(item);
    if (!states) this.waiting.set(item, (states = new Map()));
    const before = states.get(word);
    if (before === undefined) this.entries += 1;
    if (to === 'remove') states.set(word, before === 'add' || before === 'drop' ? 'drop' : 'remove');
    else if (before === 'remove') states.delete(word);
    else states.set(word, 'add');
  }
}

/** Whether a text is certain to have few enough words. */
function isSmall(text: string): boolean {
  return text.length <= MAX_WORDS;
}

const NOTHING_SHARED = { start: 0, end: 0 };

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
