// Words that are known to be in the table, so that they need not be inserted again.

/** About ten megabytes of memory. */
const MAX_WORDS = 100_000;

/** A bounded set of known words. Words are never deleted from the table, so evicting them here costs only time. */
export class KnownWords {
  private readonly words = new Set<string>();

  has(word: string): boolean {
    return this.words.has(word);
  }

  /** Records words that are committed. */
  add(words: Iterable<string>): void {
    for (const word of words) {
      if (this.words.size >= MAX_WORDS) this.words.clear();
      this.words.add(word);
    }
  }
}
