// Parses query strings and form bodies to plain data: `a=1,2` stays text, `a[]=1`, `a[0]=1` and `a[b]=1` become lists
// and objects.
import { isUtf8 } from 'node:buffer';
import { parse } from 'qs';
import { tooManyParameters } from './form-scanner.js';
import { limits } from '../limits.js';
import { badParameters } from '../http-errors.js';
import { hasReservedSegment, type NoteDropped } from './prototype-keys.js';

/** Parsed parameters, without a prototype. */
export type Parameters = Record<string, unknown>;

const SIMPLE = /^[\w.~,:*=&-]*$/;

/** Parameters of a raw query string; 400 when there are too many. `noteDropped` gets each name that is left out. */
export function parseQuery(text: string | null | undefined, noteDropped: NoteDropped = () => undefined): Parameters {
  if (!text) return Object.create(null);
  if (SIMPLE.test(text)) {
    const simple = parseSimple(text, noteDropped);
    if (simple) return simple;
  }
  return parseWith(text, limits.queryParameters, noteDropped);
}

/** Parameters of an urlencoded body that the scanner has processed, with spaces in place of plus signs. */
export function parseForm(text: string, noteDropped: NoteDropped = () => undefined): Parameters {
  return text === '' ? Object.create(null) : parseWith(text, limits.formParameters, noteDropped);
}

// Most queries have nothing to decode and no repeated name; all others are left to the library.
function parseSimple(text: string, noteDropped: NoteDropped): Parameters | undefined {
  const parameters: Parameters = Object.create(null);
  const parts = text.split('&', limits.queryParameters + 1);
  if (parts.length > limits.queryParameters) return undefined;
  for (const part of parts) {
    const at = part.indexOf('=');
    const name = at < 0 ? part : part.slice(0, at);
    if (name === '') continue;
    if (name in parameters) return undefined;
    if (hasReservedSegment(name)) noteDropped([name]);
    else parameters[name] = at < 0 ? '' : part.slice(at + 1);
  }
  return parameters;
}

function parseWith(text: string, parameterLimit: number, noteDropped: NoteDropped): Parameters {
  try {
    return parse(text, {
      depth: limits.queryDepth,
      parameterLimit,
      arrayLimit: limits.arrayItems,
      throwOnLimitExceeded: true,
      plainObjects: true,
      ignoreQueryPrefix: false,
      decoder: ((part: string, _decode: unknown, _charset: string, type: string) =>
        decodePart(part, type, noteDropped)) as never,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooManyParameters(parameterLimit);
  }
}

// The library skips a parameter whose key decodes to null.
function decodePart(text: string, type: string, noteDropped: NoteDropped): string | null {
  // The library searches a name for brackets in quadratic time.
  if (type === 'key' && text.length > limits.parameterName) {
    throw badParameters(`A parameter has a name of more than ${limits.parameterName} bytes. Send shorter names.`);
  }
  const decoded = decodeEscapes(text);
  if (type !== 'key' || !hasReservedSegment(decoded)) return decoded;
  noteDropped([decoded]);
  return null;
}

const [PERCENT, PLUS, SPACE] = [0x25, 0x2b, 0x20];

/**
 * Decodes escapes. A lone percent sign, which browsers do not escape, stays, and does not affect the escapes around it.
 * A text whose escapes are not UTF-8 stays as it is.
 */
function decodeEscapes(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    const bytes = decodeBytes(Buffer.from(text));
    return isUtf8(bytes) ? bytes.toString('utf8') : spaced;
  }
}

/** Decodes the escapes in place, byte by byte: a pattern that replaces them takes seconds for some texts of megabytes. */
function decodeBytes(bytes: Buffer): Buffer {
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1, to += 1) {
    const byte = bytes[at]!;
    const high = byte === PERCENT ? digitOf(bytes[at + 1]) : -1;
    const low = high < 0 ? -1 : digitOf(bytes[at + 2]);
    if (low < 0) bytes[to] = byte === PLUS ? SPACE : byte;
    else {
      bytes[to] = high * 16 + low;
      at += 2;
    }
  }
  return bytes.subarray(0, to);
}

/** The value of a hexadecimal digit; -1 for anything else. */
function digitOf(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
