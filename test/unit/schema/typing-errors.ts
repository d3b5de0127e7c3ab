// Typing errors in a schema: every key and text, changed as a slip of the hand changes it.

/** One changed copy of a schema. */
export interface TypingError {
  /** The changed schema, created lazily. */
  readonly schema: unknown;
  /** Place of the key or text that was changed, as it was before. */
  path: (string | number)[];
  at: 'key' | 'value';
  from: string;
  to: string;
}

/** The ways in which a word is mistyped; a word that stays as it is counts as none. */
const SLIPS: Readonly<Record<string, (word: string) => string>> = {
  swapped: (word) => {
    const at = Math.max(0, Math.floor(word.length / 2) - 1);
    return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
  },
  dropped: (word) => word.slice(0, Math.floor(word.length / 2)) + word.slice(Math.floor(word.length / 2) + 1),
  capital: (word) => word.slice(0, 1).toUpperCase() + word.slice(1),
  plural: (word) => (word.endsWith('s') ? word.slice(0, -1) : `${word}s`),
  dashed: (word) => (word.includes('_') ? word.replace('_', '-') : word.replace('-', '_')),
};

/** Every typing error in a schema, in the order of its places. */
export function* typingErrors(schema: unknown): Generator<TypingError> {
  for (const { path, at, word } of placesOf(schema, [])) {
    for (const slip of Object.values(SLIPS)) {
      const to = slip(word);
      if (to === word || to === '') continue;
      // Of thousands of copies few are looked at.
      const copy = (): unknown => changed(schema, path, at, to);
      yield {
        path,
        at,
        from: word,
        to,
        get schema() {
          return copy();
        },
      };
    }
  }
}

interface Place {
  path: (string | number)[];
  at: 'key' | 'value';
  word: string;
}

function* placesOf(value: unknown, path: (string | number)[]): Generator<Place> {
  if (typeof value === 'string') yield { path, at: 'value', word: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const inner = [...path, Array.isArray(value) ? Number(key) : key];
    if (!Array.isArray(value)) yield { path: inner, at: 'key', word: key };
    yield* placesOf(member, inner);
  }
}

function changed(value: unknown, path: readonly (string | number)[], at: 'key' | 'value', to: string): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return to;
  const renamed = at === 'key' && rest.length === 0;
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? changed(item, rest, at, to) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, member]) => {
      if (key !== first) return [key, member];
      return renamed ? [to, member] : [key, changed(member, rest, at, to)];
    }),
  );
}
