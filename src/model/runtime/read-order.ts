// For a value that overlapping reads renew: which of their results may replace it.

/** Of reads that overlap, the result of one that began later stays: an earlier one may be from before a commit. */
export class ReadOrder {
  private begun = 0;
  private used = 0;

  /** To be called when a read begins; returns its number. */
  begin(): number {
    return ++this.begun;
  }

  /** Whether the result of a read may be used: none that began after it has been used. */
  mayUse(read: number): boolean {
    if (read < this.used) return false;
    this.used = read;
    return true;
  }
}
