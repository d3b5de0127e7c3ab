// Collects the chunks of a body in one growing buffer: a list of tiny chunks would cost a hundred times its size.

/** Bytes in the order they came. */
export class BodyBuffer {
  private block: Buffer | undefined;
  private size = 0;

  /** Appends a chunk; the first one is kept without copying. */
  append(piece: Buffer): void {
    if (!this.block) this.block = piece;
    else {
      if (this.size + piece.length > this.block.length) this.grow(this.size + piece.length);
      piece.copy(this.block, this.size);
    }
    this.size += piece.length;
  }

  /** Everything received so far. */
  get bytes(): Buffer {
    return this.block?.subarray(0, this.size) ?? Buffer.alloc(0);
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * needed, 4096));
    this.block!.copy(larger, 0, 0, this.size);
    this.block = larger;
  }
}
