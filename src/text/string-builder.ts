// Builds a long text from many short pieces. A string that pieces are added to keeps each of them, with a node per
// addition, until it is read: twenty times the text where the pieces are tags and words.

/** Pieces that are held before they are joined. */
const PIECES_AT_ONCE = 4096;

/** A text that is being built; it takes little more memory than the text itself. */
export class StringBuilder {
  #text = '';
  #pieces: string[] = [];

  add(...pieces: string[]): void {
    this.#pieces.push(...pieces);
    if (this.#pieces.length >= PIECES_AT_ONCE) this.#join();
  }

  /** The pieces in their order. */
  joined(): string {
    this.#join();
    return this.#text;
  }

  #join(): void {
    this.#text += this.#pieces.join('');
    this.#pieces = [];
  }
}
