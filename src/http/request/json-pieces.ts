// Serializes JSON in chunks: the same text as JSON.stringify, for values too large to be serialized at once.

/** Characters of a piece of a long text, and of the smallest value that is taken apart. */
const CHUNK_CHARACTERS = 48 * 1024;
const INDENT = '    ';

/** Chunks of the JSON text of a value; `pretty` as `JSON.stringify(value, null, 4)`. Throws the same errors. */
export function* jsonPieces(value: unknown, pretty: boolean, pad = ''): Generator<string> {
  if (typeof value === 'string' && value.length > CHUNK_CHARACTERS) yield* textPieces(value);
  else if (!isPlain(value) || !exceeds(value, CHUNK_CHARACTERS)) yield whole(value, pretty, pad);
  else yield* memberPieces(value, pretty, pad);
}

function* memberPieces(value: object, pretty: boolean, pad: string): Generator<string> {
  const list = Array.isArray(value);
  const inner = pretty ? `${pad}${INDENT}` : '';
  const line = pretty ? `\n${inner}` : '';
  let before = (list ? '[' : '{') + line;
  for (const [key, member] of Object.entries(value)) {
    if (!list && isSkipped(member)) continue;
    yield list ? before : `${before}${JSON.stringify(key)}:${pretty ? ' ' : ''}`;
    yield* jsonPieces(member, pretty, inner);
    before = `,${line}`;
  }
  yield (pretty ? `\n${pad}` : '') + (list ? ']' : '}');
}

function whole(value: unknown, pretty: boolean, pad: string): string {
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

/** Whether a value has more characters and members than `most`; stops counting there. */
export function exceeds(value: unknown, most: number): boolean {
  return left(value, most) < 0;
}

function left(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length;
  if (typeof value !== 'object' || value === null) return most - 1;
  let rest = most - 1;
  for (const key in value) {
    rest = left((value as Record<string, unknown>)[key], rest - key.length);
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
