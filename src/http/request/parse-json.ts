// Parses JSON bodies, which the scanner has limited, to plain data; error messages are written here.
import { parse, type ParseError } from 'jsonc-parser';
import type { ResourceError } from '../../errors/resource-error.js';
import { invalidJson } from '../http-errors.js';
import { dropReserved, mayHoldReserved, type NoteDropped } from './prototype-keys.js';

/** For larger texts a walk over the few members costs less than a search in the text. */
const LARGE = 64 * 1024;

/**
 * The members of a JSON object; throws `rest_invalid_json`. Blank text is an empty object. `noteDropped` gets the reserved names
 * that have been removed, if there are any.
 */
export function parseJsonObject(text: string, noteDropped: NoteDropped): Record<string, unknown> {
  if (text.trim() === '') return Object.create(null);
  const value = parseText(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidJson(0, `it is ${nameOf(value)}, and an object {"name": value, …} is expected.`);
  }
  if (text.length > LARGE || mayHoldReserved(text)) {
    const dropped = dropReserved(value);
    if (dropped.length > 0) noteDropped(dropped);
  }
  return Object.setPrototypeOf(value, null);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw syntaxError(text, error instanceof Error ? error.message : '');
  }
}

function syntaxError(text: string, engineMessage: string): ResourceError {
  const position = offsetOf(text, engineMessage);
  if (position === undefined) {
    return invalidJson(4, 'it ends too early or holds something that is not JSON.');
  }
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < position; at++) {
    if (text.charCodeAt(at) !== 0x0a) continue;
    line++;
    lineStart = at + 1;
  }
  const where = `line ${line}, column ${position - lineStart + 1}`;
  return invalidJson(4, `syntax error at ${where}.`, `The body is not valid JSON (${where}).`);
}

// Only the position is taken from the message of JSON.parse, because the message quotes the body; some have none.
function offsetOf(text: string, engineMessage: string): number | undefined {
  const position = /position (\d{1,15})/.exec(engineMessage)?.[1];
  if (position !== undefined) return Number(position);
  if (text.length > LARGE) return undefined;
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  return errors[0]?.offset;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
