// Positions of clients in the log of events, as clients see them: encrypted, because clients must not learn how many
// events happened in between.
import { createCipheriv, createDecipheriv } from 'node:crypto';

const BLOCK = 16;
const FORM = /^[0-9a-f]{32}$/;

/** Seals and opens positions with a key of 256 bits. */
export class Positions {
  constructor(private readonly key: Buffer) {}

  /** A position as 32 hexadecimal digits. */
  seal(position: number): string {
    const block = Buffer.alloc(BLOCK);
    block.writeBigUInt64BE(BigInt(position), BLOCK / 2);
    // One block with a constant first half, which shows whether it was made here.
    const cipher = createCipheriv('aes-256-ecb', this.key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('hex');
  }

  /** The position; undefined for a text that was not made with this key. */
  open(text: string): number | undefined {
    if (!FORM.test(text)) return undefined;
    const decipher = createDecipheriv('aes-256-ecb', this.key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(Buffer.from(text, 'hex')), decipher.final()]);
    if (block.readBigUInt64BE(0) !== 0n) return undefined;
    return Number(block.readBigUInt64BE(BLOCK / 2));
  }
}
