// Statements with their values in the text, so that several can be sent together.
import type { Bound } from '../sql/connection.js';
import type { MysqlFlavour } from './session.js';

/** A statement and its values. */
export interface Sent {
  sql: string;
  params: readonly Bound[];
}

/** Characters that mean themselves inside quotes. */
const PLAIN = /^[\p{L}\p{N} _.,:;~#%@*/()[\]{}"<>=+-]*$/u;
/** Longest text in a statement; longer ones are cheaper to send separately. */
const MAX_CHARACTERS = 1_000;
const PLACES = /'[^']*'|\?/g;

/**
 * The text of a statement with its values; undefined where it has to be sent alone: for a value that would have to be
 * escaped, or to a server that takes one statement at a time.
 */
export function inlined({ sql, params }: Sent, { several }: Pick<MysqlFlavour, 'several'>): string | undefined {
  if (!several) return undefined;
  const values = params.map(literal);
  if (values.includes(undefined)) return undefined;
  let at = 0;
  const text = sql.replace(PLACES, (found) => (found === '?' ? (values[at++] ?? '?') : found));
  return at === params.length ? text : undefined;
}

function literal(value: Bound): string | undefined {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return value.length <= MAX_CHARACTERS && PLAIN.test(value) ? `'${value}'` : undefined;
}
