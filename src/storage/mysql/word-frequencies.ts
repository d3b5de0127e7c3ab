// Finds words that occur in so many texts that listing their items costs more than it saves.

/** Texts per counting window, and the share of them that contains a frequent word. */
const WINDOW = 1_024;
const SHARE = 1 / 32;
/** Maximum number of words that are counted at a time. */
const MAX_COUNTED = 100_000;

interface Window {
  texts: number;
  counts: Map<number, number>;
}

/** Counts the texts of each word, by number. */
export class Frequencies {
  /** Frequent words whose marks are committed: their items need not be listed any more. */
  private readonly known = new Set<number>();
  /** Frequent words that are not marked in the database yet. */
  private found = new Set<number>();
  private readonly windows = new Map<number, Window>();

  /** Whether the items of a word need not be listed. */
  has(word: number): boolean {
    return this.known.has(word);
  }

  /** Records words whose marks are committed. */
  addMarked(numbers: Iterable<number>): void {
    for (const word of numbers) {
      this.known.add(word);
      this.found.delete(word);
    }
  }

  /** Counts the words of a text. */
  count(place: number, numbers: readonly number[]): void {
    const window = this.windows.get(place) ?? { texts: 0, counts: new Map<number, number>() };
    this.windows.set(place, window);
    window.texts += 1;
    for (const word of numbers) {
      // This is also the number of the empty word, which stands for texts with too many words.
      if (word === place) continue;
      const before = window.counts.get(word);
      if (before === undefined && window.counts.size >= MAX_COUNTED) continue;
      window.counts.set(word, (before ?? 0) + 1);
    }
    if (window.texts < WINDOW) return;
    this.windows.delete(place);
    for (const [word, texts] of window.counts)
      if (texts >= WINDOW * SHARE && !this.known.has(word)) this.found.add(word);
  }

  /** Frequent words that still have to be marked. */
  get unwritten(): readonly number[] {
    return [...this.found];
  }
}
