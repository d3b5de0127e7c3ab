// Serializes JSON in chunks: the same text as JSON.stringify, for values too large to be serialized at once.

/** Characters of a piece of a long text, and of the smallest value that is taken apart. */
const CHUNK_CHARACTERS = 48 * 1024;
const INDENT = '    ';

/** Levels of a value from which it counts as large: the stack has room for them. */
const MANY_LEVELS = 1_000;

/** Chunks of the JSON text of a value; `pretty` as `JSON.stringify(value, null, 4)`. Throws a TypeError where that does. */
export function jsonPieces(value: unknown, pretty: boolean): Generator<string> {
  return pieces(value, pretty, '', new Set());
}

/** `around`: the objects that the value is in. */
function* pieces(value: unknown, pretty: boolean, pad: string, around: Set<object>): Generator<string> {
  if (typeof value === 'string' && value.length > CHUNK_CHARACTERS) yield* textPieces(value);
  else if (!isPlain(value) || !exceeds(value, CHUNK_CHARACTERS)) yield stringify(value, pretty, pad);
  else yield* memberPieces(value, pretty, pad, around);
}

function* memberPieces(value: object, pretty: boolean, pad: string, around: Set<object>): Generator<string> {
  if (around.has(value)) throw new TypeError('an object contains itself');
  around.add(value);
  const list = Array.isArray(value);
  const inner = pretty ? `${pad}${INDENT}` : '';
  const line = pretty ? `\n${inner}` : '';
  let before = (list ? '[' : '{') + line;
  for (const [key, member] of Object.entries(value)) {
    if (!list && isSkipped(member)) continue;
    yield list ? before : `${before}${JSON.stringify(key)}:${pretty ? ' ' : ''}`;
    yield* pieces(member, pretty, inner, around);
    before = `,${line}`;
  }
  around.delete(value);
  yield (pretty ? `\n${pad}` : '') + (list ? ']' : '}');
}

function stringify(value: unknown, pretty: boolean, pad: string): string {
  if (isSkipped(value)) return 'null';
  if (!pretty) return JSON.stringify(value);
  const text = JSON.stringify(value, null, INDENT);
  return pad === '' ? text : text.replaceAll('\n', `\n${pad}`);
}

function* textPieces(text: string): Generator<string> {
  yield '"';
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + CHUNK_CHARACTERS, text.length);
    // Do not split a surrogate pair: lone surrogates would be escaped.
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to++;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

/** Whether a value has more characters and members than `most`, or very many levels; stops counting there. */
export function exceeds(value: unknown, most: number): boolean {
  return remaining(value, most, 0) < 0;
}

function remaining(value: unknown, most: number, level: number): number {
  if (typeof value === 'string') return most - value.length;
  if (typeof value !== 'object' || value === null) return most - 1;
  if (level > MANY_LEVELS) return -1;
  let rest = most - 1;
  for (const key in value) {
    rest = remaining((value as Record<string, unknown>)[key], rest - key.length, level + 1);
    if (rest < 0) break;
  }
  return rest;
}

// JSON.stringify omits these in objects and writes null in arrays.
function isSkipped(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
