// Parses PHP's serialization format, which WordPress uses in meta. Objects are skipped, never instantiated.

/** Maximum nesting depth. */
const MAX_DEPTH = 64;

/** Whether a text looks serialized, by WordPress's own rule: scalars, arrays and objects. */
export function isSerialized(text: string): boolean {
  const value = text.trim();
  if (value === 'N;') return true;
  return /^(?:[aOC]:\d+:.*[;}]|s:\d+:".*";|b:[01];|i:-?\d+;|d:-?[\d.]+(?:E[+-]?\d+)?;|E:\d+:.*;)$/s.test(value);
}

/** The value, arrays as lists or objects; undefined when the text is invalid or contains PHP objects. */
export function unserialize(text: string): unknown {
  try {
    const reader = new Reader(Buffer.from(text.trim()));
    const value = reader.value(0);
    return reader.atEnd ? value : undefined;
  } catch (error) {
    if (error instanceof Broken) return undefined;
    throw error;
  }
}

class Broken extends Error {}

class Reader {
  private at = 0;

  // Lengths in the format count bytes, so the text is parsed as bytes.
  constructor(private readonly bytes: Buffer) {}

  get atEnd(): boolean {
    return this.at === this.bytes.length;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Broken();
    const type = this.take(2);
    switch (type) {
      case 'N;':
        return null;
      case 'b:':
        return this.until(';') === '1';
      case 'i:':
      case 'd:':
        return this.number(this.until(';'));
      case 's:':
        return this.string();
      case 'a:':
        return this.array(depth);
      default:
        throw new Broken();
    }
  }

  private string(): string {
    const length = this.number(this.until(':'));
    this.expect('"');
    const text = this.take(length);
    this.expect('";');
    return text;
  }

  private array(depth: number): unknown {
    const count = this.number(this.until(':'));
    this.expect('{');
    const entries: [string, unknown][] = [];
    for (let n = 0; n < count; n += 1) {
      const key = this.value(MAX_DEPTH);
      if (typeof key !== 'string' && typeof key !== 'number') throw new Broken();
      entries.push([String(key), this.value(depth + 1)]);
    }
    this.expect('}');
    const listed = entries.every(([key], index) => key === String(index));
    // fromEntries defines own members, so that `__proto__` stays an ordinary key.
    return listed ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  }

  private number(text: string): number {
    const number = Number(text);
    if (text === '' || !Number.isFinite(number)) throw new Broken();
    return number;
  }

  private until(mark: string): string {
    const end = this.bytes.indexOf(mark, this.at);
    if (end < 0 || end - this.at > 40) throw new Broken();
    const text = this.bytes.toString('utf8', this.at, end);
    this.at = end + mark.length;
    return text;
  }

  private take(length: number): string {
    if (!Number.isInteger(length) || length < 0 || this.at + length > this.bytes.length) throw new Broken();
    this.at += length;
    return this.bytes.toString('utf8', this.at - length, this.at);
  }

  private expect(text: string): void {
    if (this.take(text.length) !== text) throw new Broken();
  }
}
