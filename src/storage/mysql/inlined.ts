// Statements with their values in the text, so that several can be sent together.
import type { Bound } from '../sql/connection.js';
import type { MysqlFlavour } from './session.js';

/** A statement and its values. */
export interface Sent {
  sql: string;
  params: readonly Bound[];
}

/** Longest text in a statement; longer ones are sent separately, where they need no quotes. */
const MAX_CHARACTERS = 32_000;
const PLACES = /'[^']*'|\?/g;

/**
 * The text of a statement with its values; undefined where it has to be sent alone: for a value whose quoted form depends
 * on the mode of the session, or to a server that takes one statement at a time.
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
  // Whether a backslash escapes depends on the mode of the session; two quotes stand for one in every mode.
  if (value.length > MAX_CHARACTERS || value.includes('\\') || value.includes('\0') || !value.isWellFormed())
    return undefined;
  return `'${value.replaceAll("'", "''")}'`;
}
