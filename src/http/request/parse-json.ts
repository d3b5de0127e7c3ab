// Parses JSON bodies, which the scanner has limited, to plain data; error messages are written here.
import { invalidJson } from '../http-errors.js';
import { dropReserved, mayHoldReserved } from './prototype-keys.js';

/** For larger texts a walk over the few members costs less than a search in the text. */
const LARGE = 64 * 1024;

/** The members of a JSON object; throws `rest_invalid_json`. Blank text is an empty object. */
export function parseJsonObject(text: string): Record<string, unknown> {
  if (text.trim() === '') return Object.create(null);
  const value = parseText(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidJson(0, `it is ${nameOf(value)}, and an object {"name": value, …} is expected.`);
  }
  if (text.length > LARGE || mayHoldReserved(text)) dropReserved(value);
  return Object.setPrototypeOf(value, null);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidJson(4, whereBroken(text, error instanceof Error ? error.message : ''));
  }
}

// Only the position is taken from the engine's message, because the message quotes the body.
function whereBroken(text: string, engineMessage: string): string {
  const position = /position (\d{1,15})/.exec(engineMessage)?.[1];
  if (position === undefined) return 'it ends too early or holds something that is no JSON.';
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < Number(position); at++) {
    if (text.charCodeAt(at) !== 0x0a) continue;
    line++;
    lineStart = at + 1;
  }
  return `syntax error at line ${line}, column ${Number(position) - lineStart + 1}.`;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
